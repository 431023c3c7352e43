internal import Foundation
internal import News
internal import Screen

extension ReaderState {
  /// The line at the bottom: a question, something to tell, how a refresh is going, or which keys
  /// there are.
  func drawStatus(_ frame: inout Frame, _ line: Rect) {
    if let prompt {
      drawPrompt(prompt, &frame, line)
      // Why an address has come back stands above it.
      if let notice, notice.kind == .error, line.y >= 3 {
        drawNotice(notice, &frame, Rect(x: line.x, y: line.y - 1, width: line.width, height: 1))
      }
      return
    }
    frame.fill(line, theme.status)
    if let notice {
      drawNotice(notice, &frame, line)
      return
    }
    if let address = searches.last?.place ?? moveInSearch?.address {
      let hint = line.width >= 30 ? "Esc cancels" : ""
      frame.put(
        "looking for a feed at \(address) …", x: line.x + 1, y: line.y, style: theme.status,
        width: line.width - 3 - hint.count, overflow: .ellipsis)
      frame.put(
        hint, x: line.maxX - 1 - hint.count, y: line.y, style: theme.status.with(.bold))
      return
    }
    let right = [progress, retries ?? errorLine].compactMap { $0 }.joined(separator: "  ")
    // The key that shows the whole error has its place before half of it has.
    let kept = whyHint.map { $0.0.count + TextWidth.columns(of: $0.1) + 3 } ?? 0
    let rightWidth = min(TextWidth.columns(of: right), max(0, line.width - 2 - kept))
    if rightWidth > 0 {
      frame.put(
        right, x: line.maxX - 1 - rightWidth, y: line.y,
        style: progress == nil && retries == nil && isUntrusted ? theme.alarm : theme.status,
        width: rightWidth,
        overflow: .ellipsis)
    }
    let room = line.width - 2 - (rightWidth > 0 ? rightWidth + 2 : 0)
    drawHints(&frame, line, room: room)
  }

  /// What is too long for one line takes those above it for as long as it shows, up to half of the
  /// screen: the end of an error says what to do.
  private func drawNotice(_ notice: Notice, _ frame: inout Frame, _ line: Rect) {
    let style = notice.kind == .error ? theme.statusError : theme.status
    let lines = TextWrapping.wrap(notice.text, width: max(1, line.width - 2))
    let height = max(1, min(lines.count, size.height / 2))
    for (index, text) in lines.prefix(height).enumerated() {
      let y = line.y - height + 1 + index
      frame.fill(Rect(x: line.x, y: y, width: line.width, height: 1), theme.status)
      let isCut = index == height - 1 && height < lines.count
      frame.put(
        isCut ? "\(text) …" : String(text), x: line.x + 1, y: y, style: style,
        width: line.width - 1, overflow: .ellipsis)
    }
  }

  /// Whole hints only: half of one helps nobody.
  private func drawHints(_ frame: inout Frame, _ line: Rect, room: Int) {
    var x = line.x + 1
    var left = room
    for (key, text) in hints {
      let width = TextWidth.columns(of: key) + 1 + TextWidth.columns(of: text)
      guard width <= left else { return }
      x += frame.put(key, x: x, y: line.y, style: theme.status.with(.bold))
      x += 1 + frame.put(text, x: x + 1, y: line.y, style: theme.status) + 2
      left -= width + 2
    }
  }

  private var hints: [(String, String)] {
    if helpOffset != nil { return [("j k", "scroll"), ("q", "close")] }
    if choice != nil {
      return [("Enter", "subscribe"), ("q", "cancel"), ("j k", "move"), ("?", "keys")]
    }
    if health != nil { return healthHints }
    return (whyHint.map { [$0] } ?? []) + paneHints
  }

  /// The key that shows why, where a feed of the list that shows has failed.
  private var whyHint: (String, String)? {
    guard helpOffset == nil, choice == nil, health == nil, focus != .article,
      let freshness = list.snapshot?.freshness, freshness.offlineSince == nil
    else { return nil }
    let failed = freshness.failedCount
    guard failed > 0 || freshness.feedCount == 1 && freshness.goneCount > 0 else { return nil }
    // Of several feeds how many, where there is room: the heading says no more than "! 3".
    guard freshness.feedCount > 1, size.width >= 60 else { return ("H", "why") }
    return ("H", "why \(failed) of \(freshness.feedCount) failed")
  }

  private var healthHints: [(String, String)] {
    let rows = healthRows
    guard let index = healthIndex(in: rows) else { return [("?", "keys"), ("q", "back")] }
    let canMove = rows[index].newAddress != nil
    return [
      ("?", "keys"), ("r", "try"), canMove ? ("m", "move") : ("e", "address"),
      ("R", "all failing"), ("d", "remove"), ("l", "list"), ("o", "page"), ("q", "back"),
    ]
  }

  private var paneHints: [(String, String)] {
    switch focus {
    case .sidebar:
      return [
        ("?", "keys"), ("Enter", "open"), ("a", "add"), ("d", "remove"), ("r", "refresh"),
        ("/", "search"), ("q", "quit"),
      ]
    case .list:
      return [
        ("?", "keys"), ("Enter", "read"), ("n", "next unread"), ("r", "refresh"), ("s", "star"),
        ("/", "search"), ("q", "back"),
      ]
    case .article:
      return [
        ("?", "keys"), ("Space", "page"), ("n", "next unread"), ("o", "browser"), ("s", "star"),
        ("q", "back"),
      ]
    }
  }

  /// A bar of the feeds that have answered.
  private var progress: String? {
    guard case .refreshing(let done, let total, let failed) = sidebar.snapshot.activity else {
      return nil
    }
    let cells = 10
    let filled = total > 0 ? min(cells, done * cells / total) : 0
    let bar = String(repeating: "━", count: filled) + String(repeating: "─", count: cells - filled)
    return "\(bar) \(done)/\(total)" + (failed > 0 ? " · \(failed) failed" : "")
      + (sidebar.snapshot.waitingFor.map { " · waiting for \($0)" } ?? "")
  }

  /// What is being tried again, while a refresh runs: of several feeds how many, and when the first.
  private var retries: String? {
    let waits = sidebar.snapshot.waits
    guard list.snapshot?.freshness.wait == nil, let first = waits.values.map(\.until).min() else {
      return nil
    }
    return "\(waits.count) to retry, first in \(clock.wait(first))"
  }

  /// Whether the list that shows is that of a feed whose connection cannot be trusted.
  private var isUntrusted: Bool {
    guard choice == nil, health == nil, focus != .article, let freshness = list.snapshot?.freshness
    else { return false }
    return freshness.feedCount == 1 && freshness.offlineSince == nil && freshness.wait == nil
      && freshness.error?.kind == .tls
  }

  /// Why the list that shows could not be fetched.
  private var errorLine: String? {
    guard choice == nil, health == nil, focus != .article, let freshness = list.snapshot?.freshness
    else {
      return nil
    }
    if let since = freshness.offlineSince {
      return
        "offline for \(clock.duration(since: Int64(since.timeIntervalSince1970))) · r tries again"
    }
    if let wait = freshness.wait {
      return "retry \(wait.attempt)/\(wait.maxAttempts) in \(clock.wait(wait.until))"
    }
    guard freshness.feedCount == 1, let error = freshness.error else { return nil }
    let sentence = error.message.hasSuffix(".") ? error.message.dropLast() : error.message[...]
    if let next = freshness.nextAttempt, next.seconds > clock.now {
      return "\(sentence); again in \(clock.wait(next))"
    }
    return "\(sentence) · \(error.wantsSignIn ? "L signs in" : "r tries again")"
  }

  private func drawPrompt(_ prompt: Prompt, _ frame: inout Frame, _ line: Rect) {
    frame.fill(line, theme.text)
    func drawLine(_ label: String, _ editor: LineEditor) {
      let x = line.x + frame.put(label, x: line.x, y: line.y, style: theme.header)
      let room = max(1, line.maxX - x - 1)
      // The end that is being typed stays in sight.
      var before = Substring(editor.textBeforeCursor)
      while TextWidth.columns(of: before) > room { before = before.dropFirst() }
      let used = TextWidth.columns(of: before)
      frame.put(before, x: x, y: line.y, style: theme.text)
      frame.put(
        editor.text.dropFirst(editor.textBeforeCursor.count), x: x + used, y: line.y,
        style: theme.text)
      frame.cursor = (min(x + used, max(0, line.maxX - 1)), line.y)
    }
    func ask(_ question: String) {
      // Which keys answer is never cut.
      let answers = "? y/n"
      let used = frame.put(
        question, x: line.x, y: line.y, style: theme.warning,
        width: max(0, line.width - answers.count), overflow: .ellipsis)
      frame.put(answers, x: line.x + used, y: line.y, style: theme.warning)
    }
    switch prompt {
    case .addFeed(let editor): drawLine("Add: ", editor)
    case .signInName(let address, let editor):
      drawLine("Name at \(WebAddress.host(of: address) ?? address): ", editor)
    case .signInPassword(_, _, let editor): drawLine("Password: ", editor.masked)
    case .search(let editor): drawLine("Search: ", editor)
    case .link(let editor): drawLine("Open link: ", editor)
    case .removeFeed(_, let title): ask("Remove \(title) and its articles")
    case .moveFeed(_, let title, let address): ask("Move \(title) to \(address)")
    case .feedAddress(_, let editor): drawLine("Address: ", editor)
    case .markAllRead(let timeline, let count, _, _):
      ask("Mark \(count) read in \(name(of: timeline))")
    }
  }
}
