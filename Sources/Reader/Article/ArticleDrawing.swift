internal import News
internal import Screen

/// Draws the open article in its pane.
struct ArticleDrawing {
  let article: ArticleState?
  let theme: Theme
  let highlights: [Highlight]
  let isFocused: Bool
  /// The progress of its download; nil for none.
  let download: String?
  /// The key that opens an article.
  let openKey: String
  /// How to leave an article that cannot be shown.
  let back: String
  /// The icon of the article's feed; nil for none.
  let icon: CellPicture?

  func draw(_ frame: inout Frame, _ pane: Rect) {
    let content = PaneLayout.content(of: pane)
    guard let article else {
      frame.putHeading("", isFocused: false, in: pane, theme)
      if content.height > 2, content.width > 20 {
        frame.put(
          ArticleStrings.openHere(openKey), x: content.x + 2, y: content.y + 2, style: theme.dim,
          width: content.width - 2)
      }
      return
    }
    frame.putHeading(
      article.page?.article.feedTitle ?? article.row?.feedTitle ?? "", note: note(on: article),
      icon: icon, isFocused: isFocused, in: pane, theme)
    if let error = article.error {
      let width = max(1, content.width - 1)
      let lines = TextWrapping.wrap(error.line, width: width).map { (String($0), theme.error) }
      for (row, (text, style)) in (lines + [(back, theme.dim)]).prefix(content.height).enumerated()
      {
        frame.put(text, x: content.x + 1, y: content.y + row, style: style, width: width)
      }
      return
    }
    guard let page = article.page else {
      frame.put(
        article.row?.title ?? CoreStrings.loading, x: content.x + 1, y: content.y,
        style: theme.header, width: content.width - 1, overflow: .ellipsis)
      return
    }
    let margin = Self.margin(in: content, around: page.width)
    for row in 0..<content.height {
      let index = article.top + row
      guard page.lines.indices.contains(index) else { break }
      draw(
        page.lines[index], &frame, x: content.x + margin, y: content.y + row,
        width: content.width - margin, picked: article.link,
        marks: marks(on: page.lines[index], found: article.find?.marks(onLine: index) ?? []))
      drawPicture(
        onLine: index, of: page, article, &frame, x: content.x + margin, y: content.y + row,
        width: content.width - margin)
    }
  }

  /// Columns left of a text of a width, which stands in the middle.
  static func margin(in content: Rect, around width: Int) -> Int {
    content.width > 20 ? max(1, (content.width - width) / 2) : 0
  }

  private func draw(
    _ line: StyledLine, _ frame: inout Frame, x: Int, y: Int, width: Int, picked: Int?,
    marks: [LineMark]
  ) {
    var column = 0
    var character = 0
    for span in line.spans where column < width {
      var style = theme.style(of: span.role)
      if let link = span.link, link == picked { style = style.with(.reverse) }
      guard !marks.isEmpty else {
        column += frame.put(
          isolating: span.text, x: x + column, y: y, style: style, width: width - column)
        continue
      }
      for part in parts(of: span.text, from: character, marks) {
        column += frame.put(
          isolating: part.text, x: x + column, y: y, style: part.mark?.style(over: style) ?? style,
          width: width - column)
      }
      character += span.text.count
    }
    frame.arrange(line, x: x, y: y, columns: column, width: width)
  }

  private func drawPicture(
    onLine index: Int, of page: ArticlePage, _ article: ArticleState, _ frame: inout Frame, x: Int,
    y: Int, width: Int
  ) {
    let line = page.lines[index]
    guard let number = line.picture, page.pictures.indices.contains(number) else { return }
    let picture = page.pictures[number]
    let left = line.pictureColumn
    let row = index - picture.line
    let phase = article.pictures[PictureWish(picture, of: page.article)]
    if case .shown(let cells) = phase {
      frame.put(
        row: row, of: cells, x: x + left, y: y,
        style: theme.text, width: max(0, width - left))
    } else if row == picture.rows / 2 {
      frame.put(
        phase.words(alt: ""), x: x + left, y: y, style: theme.dim,
        width: max(0, width - left), overflow: .ellipsis)
    }
  }

  /// The hits of the search and the highlights of a line, in order and without overlaps.
  private func marks(
    on line: StyledLine, found: [(characters: Range<Int>, isCurrent: Bool)]
  ) -> [LineMark] {
    var marks = found.map {
      LineMark(characters: $0.characters, style: $0.isCurrent ? theme.currentHit : theme.hit)
    }
    guard !highlights.isEmpty else { return marks }
    let text = line.text
    for highlight in highlights {
      for place in highlight.places(in: text)
      where !marks.contains(where: { $0.characters.overlaps(place) }) {
        marks.append(LineMark(characters: place, style: highlight.style, isOver: true))
      }
    }
    return marks.sorted { $0.characters.lowerBound < $1.characters.lowerBound }
  }

  /// A text in parts that are marked, and parts that are not.
  ///
  /// - Parameter start: the number of its first character on the line.
  private func parts(
    of text: String, from start: Int, _ marks: [LineMark]
  ) -> [(text: Substring, mark: LineMark?)] {
    var parts: [(Substring, LineMark?)] = []
    var rest = text[...]
    var place = start
    func add(_ count: Int, _ mark: LineMark?) {
      guard count > 0, !rest.isEmpty else { return }
      parts.append((rest.prefix(count), mark))
      rest = rest.dropFirst(count)
      place += count
    }
    for mark in marks where mark.characters.upperBound > place {
      add(mark.characters.lowerBound - place, nil)
      add(mark.characters.upperBound - place, mark)
    }
    if !rest.isEmpty { parts.append((rest, nil)) }
    return parts
  }

  private func note(on article: ArticleState) -> String {
    var parts: [String] = []
    if let download { parts.append(download) }
    if let status = article.status {
      if status.isStarred { parts.append("★") }
      if !status.isRead { parts.append("unread") }
    }
    if article.isChanged { parts.append("changed") }
    if let page = article.page, !page.isBeginning, page.lines.count > article.height {
      let last = page.lines.count - article.height
      parts.append("\(min(100, article.top * 100 / max(1, last))) %")
    }
    return parts.joined(separator: " ")
  }
}
