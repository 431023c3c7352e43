internal import News
internal import Screen

/// The drawing of the open article in its pane.
struct ArticleDrawing {
  let article: ArticleState?
  let theme: Theme
  let isFocused: Bool
  /// How far the download of its file is; nil where there is none.
  let download: String?

  func draw(_ frame: inout Frame, _ pane: Rect) {
    let content = PaneLayout.content(of: pane)
    guard let article else {
      frame.putHeading("", isFocused: false, in: pane, theme)
      if content.height > 2, content.width > 20 {
        frame.put(
          "Enter opens the article here.", x: content.x + 2, y: content.y + 2, style: theme.dim,
          width: content.width - 2)
      }
      return
    }
    frame.putHeading(
      article.page?.article.feedTitle ?? article.row?.feedTitle ?? "", note: note(on: article),
      isFocused: isFocused, in: pane, theme)
    if let error = article.error {
      frame.put(
        error.line, x: content.x + 1, y: content.y, style: theme.error, width: content.width - 1,
        overflow: .ellipsis)
      return
    }
    guard let page = article.page else {
      frame.put(
        article.row?.title ?? "Loading …", x: content.x + 1, y: content.y, style: theme.header,
        width: content.width - 1, overflow: .ellipsis)
      return
    }
    let margin = Self.margin(in: content)
    for row in 0..<content.height {
      let index = article.top + row
      guard page.lines.indices.contains(index) else { break }
      draw(
        page.lines[index], &frame, x: content.x + margin, y: content.y + row,
        width: content.width - margin, picked: article.link)
    }
  }

  /// Columns left of the text.
  static func margin(in content: Rect) -> Int { content.width > 20 ? 1 : 0 }

  private func draw(
    _ line: StyledLine, _ frame: inout Frame, x: Int, y: Int, width: Int, picked: Int?
  ) {
    var column = 0
    for span in line.spans {
      guard column < width else { return }
      var style = style(of: span.role)
      if let link = span.link, link == picked { style = style.with(.reverse) }
      column += frame.put(
        span.text, x: x + column, y: y, style: style, width: width - column)
    }
  }

  private func note(on article: ArticleState) -> String {
    var parts: [String] = []
    if let download { parts.append(download) }
    if let status = article.status {
      if status.isStarred { parts.append("★") }
      if !status.isRead { parts.append("unread") }
    }
    if let page = article.page, page.lines.count > article.height {
      let last = page.lines.count - article.height
      parts.append("\(min(100, article.top * 100 / max(1, last))) %")
    }
    return parts.joined(separator: " ")
  }

  private func style(of role: TextRole) -> Style {
    switch role {
    case .body, .listMarker: theme.text
    case .heading1, .heading2, .heading3: theme.header
    case .strong, .tableHeader: theme.text.with(.bold)
    case .emphasis: theme.text.with(.italic)
    case .strongEmphasis: theme.text.with([.bold, .italic])
    case .code: theme.code
    case .quote: theme.quote
    case .link: theme.link
    case .linkNumber: theme.accent
    case .strike, .quoteBar, .imagePlace, .rule, .dim: theme.dim
    }
  }
}
