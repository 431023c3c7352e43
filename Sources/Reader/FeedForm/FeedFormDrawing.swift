internal import News
internal import Screen
internal import Text

extension FeedForm {
  /// Columns of the labels, where there is room for them beside the values.
  fileprivate static let columns = Field.all.map(\.label.count).max() ?? 0
  private static let hintHeight = 2

  /// The lines with the fields; what the selected one means stands below them where there is room.
  func rows(_ size: Size) -> Rect {
    var rows = PaneLayout.content(of: PaneLayout.page(size))
    if rows.height >= 8 {
      rows.height = min(rows.height - Self.hintHeight - 1, fields.count)
    }
    return rows
  }

  func draw(_ frame: inout Frame, in state: ReaderState) {
    let (pane, rows, theme) = (PaneLayout.page(state.size), rows(state.size), state.theme)
    let feeds = feeds(in: state)
    guard !feeds.isEmpty else {
      return frame.putEmpty(
        [
          (SubscriptionsStrings.removed(ids.count), theme.text),
          (ReadingStrings.back(state.key(.leave)), theme.dim),
        ], in: state.size)
    }
    if rows.y > 0 {
      let title = ids.count == 1 ? feeds[0].displayTitle : quantity(feeds.count, "feed")
      frame.putHeading(title, note: FeedFormStrings.settings, isFocused: true, in: pane, theme)
    }
    for (index, line) in selection.visible(of: fields, in: rows) {
      let field = fields[index]
      let isSelected = field == selected
      if isSelected { frame.fill(line, theme.selected) }
      field.draw(&frame, line, feeds, defaults, isSelected: isSelected, theme)
    }
    guard rows.maxY < pane.maxY else { return }
    let lines = TextWrapping.wrap(selected.meaning, width: max(1, pane.width - 2))
    for (index, text) in lines.prefix(pane.maxY - rows.maxY - 1).enumerated() {
      frame.put(text, x: 1, y: rows.maxY + 1 + index, style: theme.dim, width: pane.width - 2)
    }
  }
}

extension FeedForm.Field {
  private func value(
    of feeds: [Feed], _ defaults: FeedDefaults?
  ) -> (text: String, isSet: Bool) {
    let feed = feeds[0]
    let others = feeds.dropFirst()
    let differ = (FeedFormStrings.differing, false)
    switch self {
    case .title: return (feed.displayTitle, true)
    case .folders:
      if others.contains(where: { Set($0.folders) != Set(feed.folders) }) { return differ }
      let folders = feed.folders.joined(separator: "; ")
      return (folders.isEmpty ? "none" : folders, !folders.isEmpty)
    case .setting(let setting):
      if feeds.differ(in: setting) { return differ }
      return feeds.text(of: setting).map { ($0, true) }
        ?? (defaults?.settings[setting] ?? FeedSetting.none, false)
    case .proxy:
      return feed.proxy.map { (WebAddress.redacted($0.text), true) }
        ?? (defaults?.proxy ?? FeedSetting.none, false)
    case .address: return (WebAddress.withoutUser(feed.url), true)
    }
  }

  fileprivate func draw(
    _ frame: inout Frame, _ line: Rect, _ feeds: [Feed], _ defaults: FeedDefaults?,
    isSelected: Bool, _ theme: Theme
  ) {
    let value = value(of: feeds, defaults)
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
}
