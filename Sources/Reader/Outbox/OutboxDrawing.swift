internal import Foundation
internal import News
internal import Screen
internal import Text

extension OutboxState {
  func draw(_ frame: inout Frame, in state: ReaderState) {
    let theme = state.theme
    let layout = layout(state.size)
    let (note, noteStyle) = Self.note(in: state)
    if layout.rows.y > 0 {
      // A pane as high as the screen: the heading shows above a single row, too.
      let pane = Rect(x: 0, y: 0, width: layout.list.width, height: state.size.height)
      let room = pane.width - 3 - TextWidth.columns(of: note)
      frame.putHeading(
        title(fitting: room), note: note, noteStyle: noteStyle, isFocused: true, in: pane, theme)
    }
    guard let selected = page.selection.nearestIndex(in: changes) else {
      return drawEmpty(&frame, in: state)
    }
    let table = table(in: layout.rows, state)
    for (index, place) in page.selection.visible(of: changes, in: layout.rows) {
      changes[index].draw(&frame, place, table, isSelected: index == selected, theme)
    }
    page.drawPicked(&frame, of: changes, in: layout.rows, theme)
    guard let text = layout.text else { return }
    frame.putDetails(
      changes[selected].details(width: text.width - 2, in: state), from: page.detailsTop,
      title: OutboxStrings.subject(of: changes[selected]), in: layout, state)
  }

  /// From the right: how long it has waited, how often it was tried, and the server; what there is no room for is left
  /// out, the title never.
  private func table(in area: Rect, _ state: ReaderState) -> RowTable<WaitingChange> {
    let (theme, clock) = (state.theme, state.clock)
    var columns: [RowTable<WaitingChange>.Column] = []
    if area.width >= 36 {
      columns.append(
        .init(width: 6) { change, _ in (clock.shortAge(change.created.seconds), theme.dim) })
    }
    if area.width >= 64 {
      columns += [
        .init(width: 4) { change, _ in
          (change.attempts > 0 ? "\(change.attempts)×" : "", theme.dim)
        },
        .init(width: min(24, area.width / 4), grows: true) { change, _ in
          (change.serverName, theme.dim)
        },
      ]
    }
    let start = area.x + WaitingChange.subjectStart(in: area)
    return RowTable(changes, in: area, from: start, columns, name: OutboxStrings.subject(of:))
  }

  private func drawEmpty(_ frame: inout Frame, in state: ReaderState) {
    let theme = state.theme
    guard snapshot != nil else { return frame.putLoading(in: state) }
    frame.putEmpty(
      [
        (OutboxStrings.empty, theme.text), (OutboxStrings.purpose, theme.dim),
        (ReadingStrings.back(state.key(.leave)), theme.dim),
      ], in: state.size)
  }

  // MARK: Heading

  /// How much waits; of several servers, how much for each.
  private func title(fitting columns: Int) -> String {
    guard let snapshot, snapshot.total > 0 else { return "Outbox" }
    let whole = "Outbox · \(snapshot.total) waiting" + PanesStrings.selected(page.picked.ids.count)
    guard snapshot.counts.count > 1 else { return whole }
    let parts = snapshot.counts.map { "\(WaitingChange.server($0.origin)) \($0.count)" }
    let long = ([whole] + parts).joined(separator: " · ")
    return TextWidth.columns(of: long) <= columns ? long : whole
  }

  private static func note(in state: ReaderState) -> (String, Style) {
    state.offlineNote.map { ($0, state.theme.warning) } ?? ("", state.theme.dim)
  }
}

extension WaitingChange {
  /// The server as it is told: without its scheme.
  fileprivate static func server(_ origin: String?) -> String {
    origin.map(WebAddress.withoutScheme) ?? "others"
  }

  var isGone: Bool {
    switch kind {
    case .batch, .subscription: false
    case .mark, .comment, .edit, .tag, .later: title == nil
    }
  }

  private var isOfFeed: Bool { if case .subscription = kind { true } else { false } }

  private var isBatch: Bool { if case .batch = kind { true } else { false } }

  private var mark: String {
    conflict != nil ? "?" : isRefused ? "!" : error != nil ? "↻" : "·"
  }

  private func markStyle(_ theme: Theme) -> Style {
    conflict != nil
      ? theme.warning : isRefused ? theme.error : error != nil ? theme.warning : theme.dim
  }

  fileprivate var serverName: String {
    origin.map { Self.server($0) } ?? (isBatch ? OutboxStrings.severalServers : "")
  }

  /// Columns before the subject: the sign, and the kind of change.
  fileprivate static func subjectStart(in line: Rect) -> Int {
    (line.width >= 12 ? 3 : 0) + (line.width >= 30 ? 12 : 0)
  }

  fileprivate func draw(
    _ frame: inout Frame, _ line: Rect, _ table: RowTable<WaitingChange>, isSelected: Bool,
    _ theme: Theme
  ) {
    let style = isSelected ? theme.selected : theme.text
    if isSelected { frame.fill(line, style) }
    func own(_ other: Style) -> Style { isSelected ? style : other }
    if line.width >= 12 {
      frame.put(mark, x: line.x + 1, y: line.y, style: own(markStyle(theme)), width: 1)
    }
    let x = line.x + Self.subjectStart(in: line)
    if line.width >= 30 {
      frame.put(
        OutboxStrings.name(of: self), x: x - 12, y: line.y, style: own(theme.accent), width: 11)
    }
    let end = table.draw(self, &frame, y: line.y, selected: isSelected ? style : nil)
    frame.put(
      OutboxStrings.subject(of: self), x: x, y: line.y, style: style, width: max(0, end - x),
      overflow: .ellipsis)
  }

  // MARK: Details

  func details(width: Int, in state: ReaderState) -> [DetailLine] {
    let clock = state.clock
    var details = DetailLines(width: width)
    if let error {
      details.add("", error.line, isRefused && conflict == nil ? .error : .warning)
    } else {
      details.add("", OutboxStrings.notSent(attempts: attempts))
    }
    details.add("Next", next(in: state))
    details.add("Change", OutboxStrings.words(of: self))
    if case .subscription(let change) = kind {
      details.add("Feed", feedTitle ?? change.url)
      details.add("Address", change.url)
    } else {
      details.add("Article", OutboxStrings.subject(of: self), isGone ? .warning : .text)
    }
    if let feedTitle, !isOfFeed { details.add("Feed", feedTitle) }
    if isBatch || origin != nil { details.add("Server", origin ?? OutboxStrings.severalServers) }
    details.add("Made", "\(clock.age(created.seconds)), \(clock.long(created.seconds))", .dim)
    if attempts > 0 { details.add("Tried", OutboxStrings.failed(attempts), .dim) }
    switch kind {
    case .comment(let text): details.add("Comment", String(text.prefix(10_000)))
    case .edit(let edit):
      details.add(conflict == nil ? "Comment" : "Mine", String(edit.text.prefix(10_000)))
      if let theirs = conflict?.comment {
        details.add("Theirs", String(theirs.text.prefix(10_000)))
      }
    case .mark, .batch, .tag, .later, .subscription: break
    }
    return details.lines
  }
}
