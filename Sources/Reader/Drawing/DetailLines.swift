internal import Screen

struct DetailLine: Hashable {
  enum Role: Hashable { case alarm, error, warning, text, dim }

  /// Empty where the text takes the whole line, or goes on from the line above.
  var label: String
  var text: String
  var role: Role

  /// Columns of the labels, where the screen has room for them beside the texts.
  static func labelWidth(width: Int) -> Int { width < 30 ? 0 : 10 }
}

struct DetailLines {
  let width: Int
  private(set) var lines: [DetailLine] = []

  init(width: Int) { self.width = width }

  mutating func add(_ label: String, _ text: String, _ role: DetailLine.Role = .text) {
    let labelWidth = DetailLine.labelWidth(width: width)
    let isBeside = !label.isEmpty && labelWidth > 0
    let whole = label.isEmpty || isBeside ? text : "\(label): \(text)"
    let room = max(1, width - (isBeside ? labelWidth : 0))
    for (index, line) in TextWrapping.wrap(whole, width: room).enumerated() {
      let shown = isBeside && index == 0 ? label : ""
      let indent = isBeside && index > 0 ? String(repeating: " ", count: labelWidth) : ""
      lines.append(DetailLine(label: shown, text: indent + line, role: role))
    }
  }
}

extension Frame {
  mutating func putLoading(in state: ReaderState, as text: String = CoreStrings.loading) {
    let dim = state.theme.dim
    putEmpty([(text, dim), (ReadingStrings.back(state.key(.leave)), dim)], in: state.size)
  }

  mutating func putEmpty(_ texts: [(String, Style)], in size: Size) {
    var y = size.height >= 6 ? 2 : min(1, size.height - 1)
    for (text, style) in texts {
      for line in TextWrapping.wrap(text, width: max(1, size.width - 4)) {
        guard y < max(1, size.height - 1) else { return }
        put(line, x: 2, y: y, style: style, width: size.width - 2)
        y += 1
      }
    }
  }

  /// Draws the details of a page, with a heading or a rule above them.
  mutating func putDetails(
    _ lines: [DetailLine], from top: Int, title: String, in layout: PageLayout,
    _ state: ReaderState
  ) {
    guard let pane = layout.details, let area = layout.text else { return }
    let top = max(0, min(top, lines.count - max(1, area.height)))
    let below = lines.count - top - area.height
    let note =
      below > 0
      ? "\(state.key(.detailsDown)) \(below) more ↓"
      : top > 0 ? "\(state.key(.detailsUp)) ↑" : ""
    let theme = state.theme
    let noteWidth = note.isEmpty ? 0 : TextWidth.columns(of: note) + 2
    if layout.isBeside {
      for y in pane.y..<pane.maxY { put("│", x: pane.x - 1, y: y, style: theme.border) }
      putHeading(title, note: note, isFocused: false, in: pane, theme)
    } else {
      let rule = String(repeating: "─", count: pane.width)
      put(rule, x: pane.x, y: pane.y, style: theme.border)
      let used = put(
        " \(title)", x: pane.x + 1, y: pane.y, style: theme.header,
        width: max(0, pane.width - 4 - noteWidth), overflow: .ellipsis)
      put(" ", x: pane.x + 1 + used, y: pane.y, style: theme.border)
      if noteWidth > 0 {
        put(" \(note) ", x: pane.maxX - 1 - noteWidth, y: pane.y, style: theme.dim)
      }
    }
    let labelWidth = DetailLine.labelWidth(width: area.width - 2)
    for (index, line) in lines.dropFirst(top).prefix(area.height).enumerated() {
      let y = area.y + index
      var x = area.x + 1
      if !line.label.isEmpty {
        put(line.label, x: x, y: y, style: theme.accent, width: labelWidth)
        x += labelWidth
      }
      put(line.text, x: x, y: y, style: line.role.style(in: theme), width: max(0, area.maxX - x))
    }
  }
}

extension DetailLine.Role {
  fileprivate func style(in theme: Theme) -> Style {
    switch self {
    case .alarm: theme.alarm
    case .error: theme.error
    case .warning: theme.warning
    case .text: theme.text
    case .dim: theme.dim
    }
  }
}
