internal import News
internal import Screen

/// Links of the open article.
extension LinkOpening {
  static func visibleLinks(in state: ReaderState) -> [LinkPlace] {
    state.layout.article.flatMap { state.article?.visibleLinks(in: $0) } ?? []
  }

  /// The number of the link at a place of the screen; nil where there is none.
  static func link(atX x: Int, y: Int, in state: ReaderState) -> Int? {
    visibleLinks(in: state).first { $0.y == y && ($0.x..<$0.x + $0.width).contains(x) }?.number
  }

  static func showLinkHints(in state: inout ReaderState) -> [Effect] {
    var seen: Set<Int> = []
    let places = visibleLinks(in: state).filter { seen.insert($0.number).inserted }
    return places.isEmpty ? state.notify(CoreStrings.noVisibleLink) : state.label(places)
  }

  /// Copies the address of the selected link, or asks for the number of one.
  static func copyLink(in state: inout ReaderState) -> [Effect] {
    guard let article = state.article, article.linkCount > 0 else {
      return state.notify(CoreStrings.noLinks)
    }
    if let link = article.link, let url = article.page?.link(link) { return [.opening(.copy(url))] }
    state.ask(.copyLink)
    return []
  }

  static func finishCopy(ofLink text: String, in state: inout ReaderState) -> [Effect] {
    guard let number = Int(text), let url = state.article?.page?.link(number) else {
      return state.notify(OpeningStrings.noLink(text), .error)
    }
    return [.opening(.copy(url))]
  }

  /// Opens a link of the open article, or goes to the place in it that the link leads to.
  static func follow(_ link: Int, in state: inout ReaderState) -> [Effect] {
    guard link < 0 else { return state.article?.open(link) ?? [] }
    guard state.article?.jump(link) == true else { return state.notify(OpeningStrings.emptyPlace) }
    return state.notify(ReadingStrings.back(state.key(.jumpBack)))
  }

  static func jumpBack(in state: inout ReaderState) -> [Effect] {
    guard state.article?.jumpBack() != true else {
      state.notice = nil
      return []
    }
    return state.notify(OpeningStrings.noJump)
  }
}

extension ArticleState {
  /// The visible links from the top; one that is wrapped has a place for each line.
  func visibleLinks(in pane: Rect) -> [LinkPlace] {
    guard let page else { return [] }
    let content = PaneLayout.content(of: pane)
    let left = content.x + ArticleDrawing.margin(in: content, around: page.width)
    var places: [LinkPlace] = []
    for row in 0..<content.height {
      let index = top + row
      guard page.lines.indices.contains(index) else { break }
      var x = left
      for span in page.lines[index].spans {
        let width = min(TextWidth.columns(of: span.text), content.maxX - x)
        guard width > 0 else { break }
        if let number = span.link, let url = page.target(number) {
          places.append(LinkPlace(number: number, url: url, x: x, width: width, y: content.y + row))
        }
        x += width
      }
    }
    return places
  }
}

// Links to places of the article itself: footnotes and the ways back from them, tables of contents.
