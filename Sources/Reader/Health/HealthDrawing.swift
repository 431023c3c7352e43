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
    let table = Self.table(of: rows, in: area, state)
    for (index, line) in page.selection.visible(of: rows, in: area) {
      Self.draw(rows[index], &frame, line, table, isSelected: index == selected, theme)
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

  private static let nameStart = 3

  /// From the right: when it is tried again, how often it failed, for how long, and what is wrong;
  /// what there is no room for is left out, the title never.
  private static func table(
    of rows: [HealthRow], in area: Rect, _ state: ReaderState
  ) -> RowTable<HealthRow> {
    let (theme, clock) = (state.theme, state.clock)
    func nextStyle(_ row: HealthRow) -> Style {
      row.condition == .waiting || row.wait != nil ? theme.warning : theme.dim
    }
    var columns: [RowTable<HealthRow>.Column] = []
    if area.width >= 64 {
      columns = [
        .init(width: 9) { row, _ in
          let next = Self.next(row, clock)
          return (next.map { $0.isWait ? "in \($0.text)" : $0.text } ?? "", nextStyle(row))
        },
        .init(width: 4) { row, _ in
          (row.feed.state.failing.map { "\($0.count)×" } ?? "", theme.dim)
        },
        .init(width: 11) { row, _ in (Self.since(row, clock), theme.dim) },
      ]
    } else if area.width >= 36 {
      // One place for both: what is awaited, else how long it has lasted.
      columns = [
        .init(width: 7) { row, _ in
          let since = row.feed.state.failing.map { clock.duration(since: $0.since.seconds) }
          return (Self.next(row, clock)?.text ?? since ?? "", nextStyle(row))
        }
      ]
    }
    if area.width >= 30 {
      columns.append(
        .init(width: 12, grows: true) { row, room in
          (row.reason(fitting: room), Self.style(of: row, theme))
        })
    }
    return RowTable(rows, in: area, from: area.x + nameStart, columns) { $0.feed.displayTitle }
  }

  private static func draw(
    _ row: HealthRow, _ frame: inout Frame, _ line: Rect, _ table: RowTable<HealthRow>,
    isSelected: Bool, _ theme: Theme
  ) {
    let style = isSelected ? theme.selected : row.condition == .well ? theme.dim : theme.text
    if isSelected { frame.fill(line, style) }
    var x = line.x
    if line.width >= 12 {
      let markStyle = isSelected ? style : Self.style(of: row, theme)
      frame.put(row.condition.mark, x: x + 1, y: line.y, style: markStyle, width: 1)
      x += nameStart
    }
    let end = table.draw(row, &frame, y: line.y, selected: isSelected ? style : nil)
    frame.put(
      row.feed.displayTitle, x: x, y: line.y, style: style, width: max(0, end - x),
      overflow: .ellipsis)
  }

  private static func style(of row: HealthRow, _ theme: Theme) -> Style {
    switch row.condition {
    case .untrusted: theme.alarm
    case .gone: theme.error
    case .failing: row.error.map { theme.style(of: $0, quiet: theme.warning) } ?? theme.warning
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
