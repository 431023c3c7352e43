internal import Foundation
internal import News
internal import Screen

extension HealthState {
  /// Draws the feeds by their condition, and the details of the selected one.
  func draw(_ frame: inout Frame, in state: ReaderState) {
    let theme = state.theme
    let rows = Self.rows(in: state)
    let layout = Self.layout(rows, state.size)
    let (note, noteStyle) = Self.note(in: state)
    let room = layout.list.width - 3 - TextWidth.columns(of: note)
    if layout.rows.y > 0 {
      // A pane as high as the screen: the heading shows above a single row, too.
      let pane = Rect(x: layout.list.x, y: 0, width: layout.list.width, height: state.size.height)
      frame.putHeading(
        title(rows, fitting: room), note: note, noteStyle: noteStyle, isFocused: true,
        in: pane, theme)
    }
    let area = layout.rows
    guard let selected = page.selection.nearestIndex(in: rows) else {
      return frame.putEmpty(
        [
          (HealthStrings.noFeeds, theme.text),
          (SubscriptionsStrings.addInList(state.key(.add)), theme.dim),
          (ReadingStrings.back(state.key(.leave)), theme.dim),
        ], in: state.size)
    }
    for (index, line) in page.selection.visible(of: rows, in: area) {
      draw(rows[index], &frame, line, isSelected: index == selected, in: state)
    }
    page.drawPicked(&frame, of: rows, in: area, theme)
    if let footer = layout.footer { Self.drawCalendar(rows, &frame, footer, in: state) }
    guard let text = layout.text else { return }
    frame.putDetails(
      Self.details(of: rows[selected], width: text.width - 2, in: state), from: page.detailsTop,
      title: rows[selected].feed.displayTitle, in: layout, state)
  }

  // MARK: Heading

  private func title(_ rows: [HealthRow], fitting columns: Int) -> String {
    var counts: [FeedCondition: Int] = [:]
    for row in rows { counts[row.condition, default: 0] += 1 }
    let parts = FeedCondition.allCases.compactMap { condition in
      counts[condition].map { "\($0) \(condition.name)" }
    }
    let title = parts.joined(separator: " · ") + PanesStrings.selected(page.picked.ids.count)
    let whole = title.isEmpty ? "Health" : "Health · \(title)"
    return TextWidth.columns(of: whole) <= columns || title.isEmpty ? whole : title
  }

  private static func note(in state: ReaderState) -> (String, Style) {
    state.offlineNote.map { ($0, state.theme.warning) } ?? ("", state.theme.dim)
  }

  // MARK: Calendar

  /// A bar for each of the next hours, the present one first: how many feeds are due in it.
  private static func drawCalendar(
    _ rows: [HealthRow], _ frame: inout Frame, _ line: Rect, in state: ReaderState
  ) {
    let (theme, clock) = (state.theme, state.clock)
    let counts = dueCounts(rows, hours: line.width < 60 ? 12 : 24, clock)
    guard let most = counts.max(), most > 0, let peak = counts.firstIndex(of: most) else {
      frame.put(
        HealthStrings.noneDue(hours: counts.count), x: line.x + 1, y: line.y, style: theme.dim,
        width: line.width - 1)
      return
    }
    func hour(_ index: Int) -> String {
      let hour = clock.local(clock.now + Int64(index) * 3_600).hour
      return "\(hour < 10 ? "0" : "")\(hour):00"
    }
    let bars = Sparkline.text(counts, columns: counts.count, isASCII: state.settings.usesAsciiSigns)
    var x = line.x + 1
    func put(_ text: String, _ style: Style) {
      frame.put(text, x: x, y: line.y, style: style, width: max(0, line.maxX - x))
      x += TextWidth.columns(of: text)
    }
    put("Due \(hour(0)) ", theme.dim)
    put(bars, theme.accent)
    put(" \(hour(counts.count - 1))", theme.dim)
    let words = [" · most: \(most) at \(hour(peak))", " · most: \(most)"]
    put(words.first { TextWidth.columns(of: $0) < line.maxX - x } ?? "", theme.dim)
  }

  /// The feeds that are due in each hour of the clock; what is due already counts for the present one.
  static func dueCounts(_ rows: [HealthRow], hours: Int, _ clock: WallClock) -> [Int] {
    func hour(_ time: Int64) -> Int64 {
      let local = clock.local(time)
      return local.dayNumber * 24 + Int64(local.hour)
    }
    let first = hour(clock.now)
    var counts = [Int](repeating: 0, count: hours)
    for next in rows.compactMap(\.next) {
      var time = max(next.time.seconds, clock.now)
      while hour(time) - first < Int64(hours) {
        counts[max(0, Int(hour(time) - first))] += 1
        guard let interval = next.interval else { break }
        time += max(3_600, interval)
      }
    }
    return counts
  }

  // MARK: Rows

  /// From the right: when it is tried again, how often it failed, for how long, and what is wrong;
  /// what there is no room for is left out, the title never.
  private func draw(
    _ row: HealthRow, _ frame: inout Frame, _ line: Rect, isSelected: Bool, in state: ReaderState
  ) {
    let (theme, clock) = (state.theme, state.clock)
    let style = isSelected ? theme.selected : row.condition == .well ? theme.dim : theme.text
    if isSelected { frame.fill(line, style) }
    func own(_ other: Style) -> Style { isSelected ? style : other }
    let markStyle = Self.style(of: row.condition, theme)
    var x = line.x
    if line.width >= 12 {
      frame.put(row.condition.mark, x: x + 1, y: line.y, style: own(markStyle), width: 1)
      x += 3
    }
    var end = line.maxX - (line.width >= 12 ? 1 : 0)
    func column(_ text: String, _ width: Int, _ style: Style, isRight: Bool = true) {
      let used = min(width, TextWidth.columns(of: text))
      frame.put(
        text, x: isRight ? end - used : end - width, y: line.y, style: own(style), width: width)
      end -= width + 1
    }
    let isWide = line.width >= 64
    let next = Self.next(row, clock)
    let isAwaited = row.condition == .waiting || row.wait != nil
    let nextStyle = isAwaited ? theme.warning : theme.dim
    if isWide { column(next.map { $0.isWait ? "in \($0.text)" : $0.text } ?? "", 9, nextStyle) }
    if isWide { column(row.feed.state.failing.map { "\($0.count)×" } ?? "", 4, theme.dim) }
    if isWide {
      column(Self.since(row, clock), 11, theme.dim)
    } else if line.width >= 36 {
      // One place for both: what is awaited, else how long it has lasted.
      let since = row.feed.state.failing.map { clock.duration(since: $0.since.seconds) }
      column(next?.text ?? since ?? "", 7, nextStyle)
    }
    if line.width >= 30 { column(row.brief, 12, markStyle, isRight: false) }
    frame.put(
      row.feed.displayTitle, x: x, y: line.y, style: style, width: max(0, end - x),
      overflow: .ellipsis)
  }

  private static func style(of condition: FeedCondition, _ theme: Theme) -> Style {
    switch condition {
    case .untrusted: theme.alarm
    case .failing, .gone: theme.error
    case .waiting, .redirected, .moved, .remarked: theme.warning
    case .neverFetched, .well: theme.dim
    }
  }

  private static func since(_ row: HealthRow, _ clock: WallClock) -> String {
    if let failing = row.feed.state.failing {
      let since = failing.since.seconds
      return failing.count == 1 ? clock.age(since) : "for \(clock.duration(since: since))"
    }
    return row.feed.state.lastSuccess.map { clock.age($0.seconds) } ?? ""
  }

  /// The attempt that is awaited, or how long until the next.
  private static func next(_ row: HealthRow, _ clock: WallClock) -> (text: String, isWait: Bool)? {
    if let wait = row.wait { return ("↻\(wait.attempt)/\(wait.maxAttempts)", false) }
    guard let time = row.next?.time.seconds else { return nil }
    return time > clock.now ? (clock.wait(time), true) : ("now", false)
  }
}
