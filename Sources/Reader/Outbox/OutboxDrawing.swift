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
    for (index, place) in page.selection.visible(of: changes, in: layout.rows) {
      let style = index == selected ? theme.selected : theme.text
      if index == selected { frame.fill(place, style) }
      changes[index].draw(&frame, place, style, isSelected: index == selected, in: state)
    }
    guard let text = layout.text else { return }
    frame.putDetails(
      changes[selected].details(width: text.width - 2, in: state), from: page.detailsTop,
      title: changes[selected].subject, in: layout, state)
  }

  private func drawEmpty(_ frame: inout Frame, in state: ReaderState) {
    let theme = state.theme
    let texts: [(String, Style)] =
      snapshot == nil
      ? [("Loading …", theme.dim)]
      : [
        ("Nothing waits to be sent.", theme.text),
        ("Marks, subscriptions and comments wait here for their servers.", theme.dim),
        ("\(state.key(.leave)) goes back.", theme.dim),
      ]
    frame.putEmpty(texts, in: state.size)
  }

  // MARK: Heading

  /// How much waits; of several servers, how much for each.
  private func title(fitting columns: Int) -> String {
    guard let snapshot, snapshot.total > 0 else { return "Outbox" }
    let whole = "Outbox · \(snapshot.total) waiting"
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

  /// The kind of change in a word or two: ten columns at most.
  var name: String {
    switch kind {
    case .mark(let mark) where mark.kind == .starred: mark.isSet ? "star" : "no star"
    case .mark(let mark): mark.isSet ? "read" : "unread"
    case .batch(let isRead, _): isRead ? "read" : "unread"
    case .comment: "comment"
    case .edit: "edit"
    case .tag(_, let isSet): isSet ? "tag" : "no tag"
    case .later: "for later"
    case .subscription(let change): change.kind.name
    }
  }

  var subject: String {
    switch kind {
    case .batch(_, let count): count.map { "\($0) articles" } ?? "many articles"
    case .subscription(let change): change.subject(called: feedTitle)
    case .mark, .comment, .edit, .tag, .later: title ?? "an article that is gone"
    }
  }

  private var isGone: Bool {
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

  /// Draws its row. From the right: how long it has waited, how often it was tried, and the server; what
  /// there is no room for is left out, the title never.
  fileprivate func draw(
    _ frame: inout Frame, _ line: Rect, _ style: Style, isSelected: Bool, in state: ReaderState
  ) {
    let theme = state.theme
    func own(_ other: Style) -> Style { isSelected ? style : other }
    var x = line.x
    if line.width >= 12 {
      frame.put(mark, x: x + 1, y: line.y, style: own(markStyle(theme)), width: 1)
      x += 3
    }
    if line.width >= 30 {
      frame.put(name, x: x, y: line.y, style: own(theme.accent), width: 10, overflow: .ellipsis)
      x += 11
    }
    var end = line.maxX - (line.width >= 12 ? 1 : 0)
    func column(_ text: String, _ width: Int) {
      let used = min(width, TextWidth.columns(of: text))
      frame.put(text, x: end - used, y: line.y, style: own(theme.dim), width: used)
      end -= width + 1
    }
    if line.width >= 36 { column(state.clock.shortAge(created.seconds), 6) }
    if line.width >= 64 {
      column(attempts > 0 ? "\(attempts)×" : "", 4)
      let width = min(24, line.width / 4)
      let server = origin.map { Self.server($0) } ?? (isBatch ? "several servers" : "")
      let isCut = TextWidth.columns(of: server) > width
      column(isCut ? TextWidth.prefix(of: server, fitting: width - 1) + "…" : server, width)
    }
    frame.put(
      subject, x: x, y: line.y, style: style,
      width: max(0, end - x), overflow: .ellipsis)
  }

  // MARK: Details

  func details(width: Int, in state: ReaderState) -> [DetailLine] {
    let clock = state.clock
    var details = DetailLines(width: width)
    if let error {
      details.add("", error.line, isRefused && conflict == nil ? .error : .warning)
    } else {
      details.add("", attempts == 0 ? "Not sent yet." : "Not sent.")
    }
    details.add("Next", next(in: state))
    details.add("Change", words)
    if case .subscription(let change) = kind {
      details.add("Feed", feedTitle ?? change.url)
      details.add("Address", change.url)
    } else {
      details.add("Article", subject, isGone ? .warning : .text)
    }
    if let feedTitle, !isOfFeed { details.add("Feed", feedTitle) }
    if isBatch || origin != nil {
      details.add("Server", origin ?? "those of the articles' feeds")
    }
    details.add("Made", "\(clock.age(created.seconds)), \(clock.long(created.seconds))", .dim)
    if attempts > 0 {
      details.add("Tried", attempts == 1 ? "once, in vain" : "\(attempts) times, in vain", .dim)
    }
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

  private var words: String {
    switch kind {
    case .mark(let mark) where mark.kind == .starred: mark.isSet ? "starred" : "star taken away"
    case .mark(let mark): mark.isSet ? "marked as read" : "marked as unread"
    case .batch(let isRead, _): isRead ? "all marked as read" : "all marked as unread again"
    case .comment: "a comment"
    case .edit: "another text for a comment"
    case .tag(let name, let isSet): isSet ? "tagged \(name)" : "tag \(name) taken away"
    case .later: "to be saved for reading later, by the service that its server is set up with"
    case .subscription(let change): change.kind.words
    }
  }

  /// The next attempt, as far as that is known.
  private func next(in state: ReaderState) -> String {
    let clock = state.clock
    let key = state.key
    if isGone { return "never: there is nothing to send it for; \(key(.remove)) drops it" }
    if conflict != nil { return "when it is decided which text stays; \(key(.open)) asks" }
    if isRefused {
      return "not by itself; \(key(.refresh)) sends all again, \(key(.remove)) drops it"
    }
    if let date = error?.nextAttempt, date.seconds > clock.now {
      return
        "with the first refresh in \(clock.wait(date)) or later; \(key(.refresh)) sends all now"
    }
    return "with the next refresh; \(key(.refresh)) sends all now"
  }
}

extension SubscriptionChange {
  fileprivate func subject(called title: String?) -> String {
    let feed = title ?? url
    return switch kind {
    case .add, .remove: feed
    case .rename(let title): "\(title) (\(WebAddress.host(of: url) ?? url))"
    case .file(let folders): folders.isEmpty ? feed : "\(feed) → \(folders.joined(separator: ", "))"
    }
  }
}

extension SubscriptionChange.Kind {
  /// Ten columns at most.
  fileprivate var name: String {
    switch self {
    case .add: "subscribe"
    case .remove: "remove"
    case .rename: "rename"
    case .file: "move"
    }
  }

  fileprivate var words: String {
    switch self {
    case .add: "subscribed to"
    case .remove: "subscription ended"
    case .rename(let title): "called \(title)"
    case .file(let folders):
      folders.isEmpty ? "taken out of all folders" : "put into \(folders.joined(separator: ", "))"
    }
  }
}
