internal import News

struct ArticleState: Hashable, Sendable {
  let id: ArticleID
  /// Lines of the pane below its heading.
  var height: Int
  /// Its row in the list, shown until the text has been read.
  var row: ArticleRow?
  var page: ArticlePage?
  var error: SourceError?
  var top = 0
  /// The reading position, which stays when the width changes; nil at the head.
  var place: ReadingPosition?
  /// The reading position in its own text while another one stands in its place.
  var ownPlace: ReadingPosition?
  /// The number of the selected link, from 1; that of a jump is below 0.
  var link: Int?
  /// Where jumps within the text have begun, the last one last.
  private(set) var origins: [ReadingPosition?] = []
  /// How the user has scrolled since the end of the beginning was reached, before the rest was there.
  private(set) var owed: OwedScrolling?
  /// The search in it; nil for none.
  var find: ArticleFind?
  /// Its text as words are looked for in it, and the width of the layout; nil before any are.
  var folded: FoldedText?
  var foldedWidth = 0
  /// Whether it shows because it is selected, and has not been opened.
  var isPreview = false
  /// Its pictures, by what was asked for.
  var pictures: [PictureWish: PicturePhase] = [:]
  /// Whether all of its pictures have been asked for, to be on the disk.
  var keepsPictures = false

  var status: ArticleStatus? { page?.article.status ?? row?.status }

  /// Whether its feed has changed it since it was opened before.
  var isChanged: Bool { row?.isChanged ?? page?.article.isChanged ?? false }

  /// Updates its marks from its row, if that is among these.
  mutating func updateStatus(from rows: [TimelineRow]) {
    for case .article(let row) in rows where row.id == id {
      self.row = row
      page?.article.status = row.status
    }
  }

  mutating func mark(_ mark: Mark) {
    row?.status[mark.kind] = mark.isSet
    page?.article.status[mark.kind] = mark.isSet
  }

  // MARK: Its text

  /// Shows the text, as it was laid out for a width.
  mutating func receive(_ page: ArticlePage, left: LeftArticle?) {
    guard id == page.article.id else { return }
    let isHitShown = isHitShown
    if page.isBeginning {
      // The whole of it is on its way.
      guard self.page == nil, error == nil,
        place(in: page, left: left).map({ page.shows(height, from: $0) }) != false
      else { return }
    }
    var page = page
    if let old = self.page {
      // The same text at another width.
      page.article.status = old.article.status
      if page.other != old.other {
        if old.other == nil { ownPlace = place }
        place = page.other == nil ? ownPlace : nil
        (link, origins) = (nil, [])
      }
      if page.isFullText != old.isFullText, page.other == nil, old.other == nil {
        // The place in one text says nothing about the other.
        (place, link, origins) = (nil, nil, [])
        top = 0
      }
      let isRest = old.isBeginning && page.width == old.width && page.other == old.other
      if !isRest,
        page.width != old.width || page.other != old.other || page.pictures != old.pictures
      {
        top = page.line(at: place)
      }
    } else {
      // It may have been read before its mark was stored.
      page.article.status =
        row?.status ?? ArticleStatus(isRead: true, isStarred: page.article.status.isStarred)
      // The store may have been read before the position was written.
      place = place(in: page, left: left)
      top = page.openingLine(at: place)
    }
    let former = self.page
    self.page = page
    error = nil
    if !page.isBeginning, let owed {
      self.owed = nil
      // Lines of another layout are others.
      if let former, former.width == page.width, former.other == page.other,
        former.isFullText == page.isFullText
      {
        top = owed.top
        for delta in owed.deltas { scroll(by: delta) }
      }
    }
    scroll(by: 0)
    findAgain(after: former, isShown: isHitShown)
  }

  private func place(in page: ArticlePage, left: LeftArticle?) -> ReadingPosition? {
    let left = left.flatMap { $0.id == id ? $0 : nil }
    return left == nil ? page.article.readingPosition : left?.place
  }

  // MARK: Scrolling

  mutating func scroll(by delta: Int) {
    guard let page else { return }
    let before = top
    top = scrolled(top, by: delta, count: page.lines.count, height: height)
    if page.isBeginning, owed != nil || before + delta > top {
      owed = owed ?? OwedScrolling(top: before)
      owed?.add(delta)
    }
    if delta != 0 { place = page.position(ofLine: top) }
  }

  /// Shows a line, wherever the scrolling before has led.
  mutating func scroll(toLine line: Int) {
    owed = nil
    scroll(by: line - top)
  }

  /// How far its own text was read; nil where it was read to its end.
  var placeToKeep: ReadingPosition? {
    if page?.other != nil { return ownPlace }
    return isAtEnd ? nil : place
  }

  func layOut(width: Int) -> Effect {
    page?.other.map { .article(.layOut($0, id, width: width)) } ?? .article(.open(id, width: width))
  }

  var isAtEnd: Bool {
    guard error == nil else { return true }
    // The rest has not come, so it was not read.
    guard let page, !page.isBeginning else { return false }
    return top + height >= page.lines.count
  }

  // MARK: Links

  /// The number of its links; 0 before its text has come.
  var linkCount: Int { page?.linkCount ?? 0 }

  /// Selects the next link, or the one before.
  mutating func pickLink(_ delta: Int) -> Bool {
    guard let page, case let links = page.linksInOrder, !links.isEmpty else { return false }
    if let index = link.flatMap(links.firstIndex) {
      link = links[(index + delta + links.count) % links.count]
    } else {
      // From where the user is: the first link that shows, or the first of all.
      link = links.first { page.firstLine(ofLink: $0).map { $0 >= top } ?? false } ?? links[0]
    }
    if let line = link.flatMap(page.firstLine), line < top || line >= top + height {
      scroll(toLine: line - height / 3)
    }
    return true
  }

  // MARK: Jumps

  private static let mostOrigins = 100

  /// Goes to the place that a jump leads to.
  mutating func jump(_ number: Int) -> Bool {
    guard let page, let position = page.position(ofJump: number) else { return false }
    origins.append(page.position(ofLine: top))
    if origins.count > Self.mostOrigins { origins.removeFirst() }
    link = nil
    scroll(toLine: page.openingLine(at: position))
    return true
  }

  /// Goes back to where the last jump began.
  mutating func jumpBack() -> Bool {
    guard let page, let origin = origins.popLast() else { return false }
    link = nil
    scroll(toLine: page.line(at: origin))
    return true
  }

  // MARK: Opening

  func open(_ link: Int) -> [Effect] {
    if let file = page?.file(ofLink: link) { return [.opening(.openFile(id, file: file))] }
    return page?.link(link).map { [.opening(.openLink($0))] } ?? []
  }

  /// Whether the selected link leads to a picture that shows.
  var pickedPicture: Bool {
    guard let link, let url = page?.link(link) else { return false }
    return page?.pictures.contains { $0.link == link && $0.url == url } ?? false
  }
}

struct LeftArticle: Hashable, Sendable {
  var id: ArticleID
  var place: ReadingPosition?
}

/// Scrolling to be done when there are lines for it.
struct OwedScrolling: Hashable, Sendable {
  /// The first visible line before it.
  let top: Int
  private(set) var deltas: [Int] = []

  private static let most = 1_000

  init(top: Int) { self.top = top }

  mutating func add(_ delta: Int) {
    if delta != 0, deltas.count < Self.most { deltas.append(delta) }
  }
}
