internal import News
internal import Screen

extension SettingsState {
  func draw(_ frame: inout Frame, in state: ReaderState) {
    let (rows, layout, theme) = (rows, layout(state.size), state.theme)
    if layout.rows.y > 0 {
      let pane = Rect(x: 0, y: 0, width: layout.list.width, height: state.size.height)
      let note = filter.isEmpty ? "" : "with “\(filter)”"
      frame.putHeading("Settings", note: note, isFocused: true, in: pane, theme)
    }
    guard let selected = page.selection.nearestIndex(in: rows) else {
      guard error != nil || values != nil else { return frame.putLoading(in: state) }
      let (text, advice) =
        error.map { ($0.line, ReadingStrings.back(state.key(.leave))) }
        ?? (SettingsStrings.noMatch(filter), SettingsStrings.showAll(state.key(.back)))
      return frame.putEmpty(
        [(text, error == nil ? theme.text : theme.error), (advice, theme.dim)], in: state.size)
    }
    for (index, line) in page.selection.visible(of: rows, in: layout.rows) {
      draw(rows[index], &frame, line, isSelected: index == selected, theme)
    }
    guard let text = layout.text else { return }
    frame.putDetails(
      details(of: rows[selected], width: text.width - 2), from: page.detailsTop,
      title: rows[selected].selectionID, in: layout, state)
  }

  /// The name, the value, and where it comes from; what there is no room for is cut, the name last.
  private func draw(
    _ row: SettingsRow, _ frame: inout Frame, _ line: Rect, isSelected: Bool, _ theme: Theme
  ) {
    guard case .setting(let value) = row else {
      let title = row.selectionID.prefix(1).uppercased() + row.selectionID.dropFirst()
      frame.put(title, x: line.x + 1, y: line.y, style: theme.header, width: line.width - 1)
      return
    }
    let isDefault = value.source == .standard
    let style = isSelected ? theme.selected : isDefault ? theme.dim : theme.text
    if isSelected { frame.fill(line, style) }
    let indent = line.width >= 20 ? 3 : 0
    var end = line.maxX - (line.width >= 20 ? 1 : 0)
    let nameWidth = min(Self.nameWidth, max(0, line.width - indent))
    if line.width >= 50 {
      let source = value.mistake == nil ? value.source.words() : "ignored"
      let width = min(18, TextWidth.columns(of: source))
      let warning = value.mistake == nil || isSelected ? style : theme.warning
      frame.put(source, x: end - width, y: line.y, style: warning, width: width)
      end -= 20
    }
    frame.put(
      value.declaration.key, x: line.x + indent, y: line.y,
      style: isSelected ? style : theme.text, width: nameWidth, overflow: .ellipsis)
    let x = line.x + indent + nameWidth + 1
    frame.put(
      value.shown, x: x, y: line.y, style: style, width: max(0, end - x), overflow: .ellipsis)
  }

  /// Columns of the longest name.
  private static let nameWidth = 19

  func details(of row: SettingsRow, width: Int) -> [DetailLine] {
    var details = DetailLines(width: width)
    guard case .setting(let value) = row else { return [] }
    let (declaration, help) = (value.declaration, value.declaration.help)
    details.add("", help.prefix(1).uppercased() + help.dropFirst() + ".")
    if let mistake = value.mistake {
      details.add("Ignored", SettingsStrings.ignored(mistake), .warning)
    }
    details.add("Value", value.shown)
    details.add("Source", value.source.words())
    details.add("Default", declaration.shownDefault)
    let values = declaration.values
    details.add("Values", values.prefix(1).uppercased() + values.dropFirst())
    let start = declaration.actsAtOnce ? SettingsStrings.atOnce : SettingsStrings.fromNextStart
    details.add("", start, .dim)
    return details.lines
  }
}
