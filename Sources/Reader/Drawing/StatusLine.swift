internal import Foundation
internal import News
internal import Screen

/// The status line: the bottom line of the screen while no question is asked there.
struct StatusLine {
  let state: ReaderState

  private var theme: Theme { state.theme }

  /// Draws a message, the progress of a search or refresh, or hints to keys.
  func draw(_ frame: inout Frame, _ line: Rect) {
    frame.fill(line, theme.status)
    if let notice = state.notice {
      draw(notice, &frame, line)
      return
    }
    if let begun = state.begun {
      let keys = KeyMap.name(of: KeySequence(begun.keys))
      let typed = begun.count.isEmpty ? keys : "\(begun.count) \(keys)"
      draw([KeyHint(typed, "…")] + state.continuations, &frame, line, room: line.width - 2)
      return
    }
    if let activity = state.addresses.activity {
      let hint = line.width >= 30 ? CoreStrings.escape : ""
      frame.put(
        activity, x: line.x + 1, y: line.y, style: theme.status,
        width: line.width - 3 - hint.count, overflow: .ellipsis)
      frame.put(hint, x: line.maxX - 1 - hint.count, y: line.y, style: theme.status.with(.bold))
      return
    }
    let page = state.page
    let trouble = page.trouble(in: state)
    let right = [speech, progress, retries ?? trouble?.line].compactMap { $0 }.joined(
      separator: "  ")
    let hints = page.hints(in: state)
    // The key that shows the whole error has its place before half of it has.
    let kept = hints.first { $0.isKept }.map {
      ($0.key(in: state.keys)?.count ?? 0) + TextWidth.columns(of: $0.text) + 3
    }
    let rightWidth = min(TextWidth.columns(of: right), max(0, line.width - 2 - (kept ?? 0)))
    if rightWidth > 0 {
      let isAlarm = progress == nil && retries == nil && trouble?.isAlarm == true
      frame.put(
        right, x: line.maxX - 1 - rightWidth, y: line.y,
        style: isAlarm ? theme.alarm : theme.status, width: rightWidth, overflow: .ellipsis)
    }
    let room = line.width - 2 - (rightWidth > 0 ? rightWidth + 2 : 0)
    draw(hints, &frame, line, room: room)
  }

  /// Draws a message, on lines above as well where it is long, up to half of the screen: the end of an error says
  /// what to do.
  func draw(_ notice: Notice, _ frame: inout Frame, _ line: Rect) {
    let style = notice.kind == .error ? theme.statusError : theme.status
    let lines = TextWrapping.wrap(notice.text, width: max(1, line.width - 2))
    let height = max(1, min(lines.count, state.size.height / 2))
    for (index, text) in lines.prefix(height).enumerated() {
      let y = line.y - height + 1 + index
      frame.fill(Rect(x: line.x, y: y, width: line.width, height: 1), theme.status)
      let isCut = index == height - 1 && height < lines.count
      frame.put(
        isCut ? "\(text) …" : String(text), x: line.x + 1, y: y, style: style,
        width: line.width - 1, overflow: .ellipsis)
    }
  }

  /// Draws as many hints as fit whole.
  private func draw(_ hints: [KeyHint], _ frame: inout Frame, _ line: Rect, room: Int) {
    var x = line.x + 1
    var left = room
    for hint in hints {
      guard let key = hint.key(in: state.keys) else { continue }
      let width = TextWidth.columns(of: key) + 1 + TextWidth.columns(of: hint.text)
      guard width <= left else { return }
      x += frame.put(key, x: x, y: line.y, style: theme.status.with(.bold))
      x += 1 + frame.put(hint.text, x: x + 1, y: line.y, style: theme.status) + 2
      left -= width + 2
    }
  }

  /// A note while an article is being read aloud.
  private var speech: String? { state.spoken == nil ? nil : CoreStrings.readingAloud }

  /// The progress of a refresh as a bar.
  private var progress: String? {
    guard case .refreshing(let done, let total, let failed) = state.subscriptions.activity else {
      return nil
    }
    let cells = 10
    let filled = total > 0 ? min(cells, done * cells / total) : 0
    return "\(String.bar(filled, of: cells)) \(done)/\(total)"
      + (failed > 0 ? " · " + "\(failed) failed" : "")
      + (state.subscriptions.waitingFor.map { " · " + CoreStrings.waiting(for: $0) } ?? "")
  }

  /// The retries of a refresh: how many feeds, and when the first.
  private var retries: String? {
    let waits = state.subscriptions.waits
    guard state.list.freshness?.wait == nil, let first = waits.values.map(\.until).min() else {
      return nil
    }
    return CoreStrings.retries(waits.count, in: state.clock.wait(first))
  }
}
