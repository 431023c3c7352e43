internal import News
internal import Screen
internal import Text

extension FeedForm {
  /// Columns of the labels, where there is room for them beside the values.
  fileprivate static let columns = Field.all.map(\.label.count).max() ?? 0
  private static let hintHeight = 2

  private func pane(_ size: Size) -> Rect {
    Rect(x: 0, y: 0, width: size.width, height: size.height > 1 ? size.height - 1 : size.height)
  }

  /// The lines with the fields; what the selected one means stands below them where there is room.
  func rows(_ size: Size) -> Rect {
    var rows = PaneLayout.content(of: pane(size))
    if rows.height >= 8 {
      rows.height = min(rows.height - Self.hintHeight - 1, Field.all.count)
    }
    return rows
  }

  func draw(_ frame: inout Frame, in state: ReaderState) {
    let (pane, rows, theme) = (pane(state.size), rows(state.size), state.theme)
    guard let feed = state.feed(id) else {
      return frame.putEmpty([("This feed is gone.", theme.text)], in: state.size)
    }
    if rows.y > 0 {
      frame.putHeading(feed.displayTitle, note: "settings", isFocused: true, in: pane, theme)
    }
    let first = selection.firstVisible(in: Field.all, height: rows.height)
    for index in first..<max(first, min(Field.all.count, first + rows.height)) {
      let field = Field.all[index]
      let line = Rect(x: 0, y: rows.y + index - first, width: rows.width, height: 1)
      let isSelected = field == selected
      if isSelected { frame.fill(line, theme.selected) }
      field.draw(&frame, line, feed, isSelected: isSelected, theme)
    }
    guard rows.maxY < pane.maxY else { return }
    let lines = TextWrapping.wrap(selected.meaning(of: feed), width: max(1, pane.width - 2))
    for (index, text) in lines.prefix(pane.maxY - rows.maxY - 1).enumerated() {
      frame.put(
        text, x: 1, y: rows.maxY + 1 + index, style: theme.dim, width: pane.width - 2)
    }
  }
}

extension FeedForm.Field {
  /// The value, and whether it was set by the user.
  private func value(of feed: Feed) -> (text: String, isSet: Bool) {
    switch self {
    case .title: (feed.displayTitle, true)
    case .folders:
      (feed.folders.isEmpty ? "none" : feed.folders.joined(separator: "; "), !feed.folders.isEmpty)
    case .setting(let setting):
      setting.text(in: feed.settings).map { ($0, true) }
        ?? (setting.choices.first ?? "as the settings say", false)
    case .proxy:
      feed.proxy.map { (WebAddress.redacted($0.text), true) } ?? ("as the settings say", false)
    case .address: (WebAddress.withoutUser(feed.url), true)
    }
  }

  fileprivate func draw(
    _ frame: inout Frame, _ line: Rect, _ feed: Feed, isSelected: Bool, _ theme: Theme
  ) {
    let value = value(of: feed)
    let dim = isSelected ? theme.selected : theme.dim
    var x = line.x + 1
    if line.width >= 24 {
      frame.put(label, x: x, y: line.y, style: dim, width: FeedForm.columns, overflow: .ellipsis)
      x += FeedForm.columns + 1
    } else {
      x += frame.put("\(label): ", x: x, y: line.y, style: dim, width: max(0, line.width - 2))
    }
    frame.put(
      value.text, x: x, y: line.y,
      style: isSelected ? theme.selected : value.isSet ? theme.text : theme.dim,
      width: max(0, line.maxX - 1 - x), overflow: .ellipsis)
  }

  /// What it is, and what it takes.
  fileprivate func meaning(of feed: Feed) -> String {
    switch self {
    case .title: "What the feed is called."
    case .folders:
      "The folders that it is in, parted by semicolons; / parts a folder from one in it."
    case .setting(let setting): "\(setting.meaning) It takes \(setting.values)."
    case .proxy: "How the feed is reached. telex set FEED --proxy changes it."
    case .address: "Where the feed is fetched from."
    }
  }
}

extension FeedSetting {
  /// A sentence.
  fileprivate var meaning: String {
    switch self {
    case .interval: "How often it is fetched."
    case .paused: "Whether it is fetched only when it is named."
    case .hidden: "Whether its articles are left out of All and Unread."
    case .silent: "Whether its failures are told in its own list alone."
    case .update: "What becomes of an article that the feed changes."
    case .browser: "What opens its pages."
    case .userAgent: "As what program it is asked for."
    case .headers: "What is sent with each request."
    case .keepFor: "How long its articles are kept."
    case .keepAtMost: "How many of its articles are kept."
    case .fullText: "Whether a refresh fetches the full texts of its unread articles."
    }
  }
}
