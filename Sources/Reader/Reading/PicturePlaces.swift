internal import News
internal import Screen

// Pictures are asked for as they come near the screen, and are no longer waited for when the article is left. Their
// places have their final sizes from the beginning: nothing moves when they come.

enum ArticlePictures {
  /// So many pictures of an article are kept as cells; those that are far from the screen are asked for again.
  private static let mostKept = 40
  /// Bytes of pixels that an article keeps.
  private static let mostPixels = 24 << 20

  /// Asks for the pictures that show, and those a page above and below. Follows each action.
  static func settlePictures(in state: inout ReaderState) -> [Effect] {
    var effects: [Effect] = []
    let large = state.stack[PictureView.self]?.wish(in: state)
    let near = state.article.map { Self.picturesNear(in: $0) } ?? []
    let wanted = near + [large].compactMap(\.self)
    for wish in state.wantedPictures where wish.article != state.article?.id && wish != large {
      effects.append(.cancel(.pictures(.picture(wish))))
    }
    state.wantedPictures.removeAll { $0.article != state.article?.id && $0 != large }
    for wish in wanted where state.article?.pictures[wish] == nil {
      state.article?.pictures[wish] = .waiting
      state.wantedPictures.append(wish)
      effects.append(.pictures(.load(wish)))
    }
    if let all = state.article?.pictures,
      all.count > Self.mostKept
        || all.values.reduce(0, { $0 + $1.pixelBytes }) > Self.mostPixels
    {
      state.article?.pictures = all.filter { wanted.contains($0.key) || $0.value == .waiting }
    }
    return effects + keepPictures(in: &state)
  }

  /// Asks once for all pictures of an article that is being read, unless the feed fetches none where each byte costs.
  private static func keepPictures(in state: inout ReaderState) -> [Effect] {
    guard state.fetchesPictures, let article = state.article,
      !article.isPreview,
      !article.keepsPictures, let page = article.page,
      !page.pictures.isEmpty
    else { return [] }
    state.article?.keepsPictures = true
    return [.pictures(.keep(page.article.feedID, page.pictures.map(\.url)))]
  }

  private static func picturesNear(in article: ArticleState) -> [PictureWish] {
    guard let page = article.page, !page.pictures.isEmpty else { return [] }
    let first = article.top - article.height
    let end = article.top + 2 * article.height
    return page.pictures.filter { $0.line < end && $0.line + $0.rows > first }
      .map { PictureWish($0, of: page.article) }
  }

  /// The pictures of the open article; none where it is another one.
  static func pictures(of id: ArticleID, in state: ReaderState) -> [PagePicture] {
    state.article.flatMap { $0.id == id ? $0.page?.pictures : nil } ?? []
  }

  /// The request for a picture of the open article.
  static func wish(for picture: PagePicture, in state: ReaderState) -> PictureWish? {
    state.article?.page.map { PictureWish(picture, of: $0.article) }
  }

  static func phase(of wish: PictureWish, in state: ReaderState) -> PicturePhase? {
    state.article?.pictures[wish]
  }

  static func receive(
    _ phase: PicturePhase, of wish: PictureWish, in state: inout ReaderState
  ) -> [Effect] {
    state.wantedPictures.removeAll { $0 == wish }
    guard state.article?.id == wish.article else { return [] }
    state.article?.pictures[wish] = phase
    return []
  }

  // MARK: Keys

  /// Shows pictures, or leaves them as words, until the program ends.
  static func togglePictures(in state: inout ReaderState) -> [Effect] {
    state.picturesByKey = !state.showsPictures
    let told = state.notify(
      state.showsPictures ? ReadingStrings.showingPictures : ReadingStrings.showingDescriptions)
    return told + (state.article.map { [$0.layOut(width: state.articleWidth)] } ?? [])
  }

  /// Shows the picture with the selected link, else the first one on the screen, as large as the screen.
  static func showPicture(in state: inout ReaderState) -> [Effect] {
    guard let article = state.article, let page = article.page else { return [] }
    guard !page.pictures.isEmpty else {
      return state.notify(
        state.showsPictures
          ? ReadingStrings.noPictures
          : ReadingStrings.picturesOff(state.key(.togglePictures)))
    }
    let picked = article.link.flatMap { link in page.pictures.firstIndex { $0.link == link } }
    let visible = page.pictures.firstIndex { $0.line + $0.rows > article.top }
    state.stack.push(
      PictureView(article: article.id, number: picked ?? visible ?? page.pictures.count - 1))
    return []
  }
}
