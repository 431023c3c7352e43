internal import News
internal import Screen

/// The icons of feeds on the screen. They have two cells, and show as pixels alone: a picture of two cells cannot be
/// read.
struct FeedIconBoard: Hashable, Sendable {
  static let columns = 2

  /// What has come of the question for an icon: nil while it is on its way, and where there is none.
  private var answers: [FeedID: CellPicture?] = [:]
  /// False where the terminal shows no pixels.
  private let canShow: Bool

  /// Icons that are kept; those of feeds off the screen are asked for again.
  private static let most = 600
  /// Those that were looked for on the disk alone.
  private var unfetched: Set<FeedID> = []

  init(canShow: Bool = true) { self.canShow = canShow }

  subscript(feed: FeedID) -> CellPicture? { answers[feed] ?? nil }

  mutating func receive(_ picture: CellPicture?, of feed: FeedID) {
    guard answers[feed] != nil else { return }
    answers[feed] = .some(picture)
  }

  /// - Returns: those of the feeds whose icons have not been asked for.
  fileprivate mutating func ask(for feeds: [FeedID], mayFetch: Bool) -> [FeedID] {
    guard canShow else { return [] }
    if mayFetch {
      for feed in unfetched where self[feed] == nil { answers.removeValue(forKey: feed) }
      unfetched = []
    }
    if answers.count > Self.most {
      let shown = Set(feeds)
      answers = answers.filter { shown.contains($0.key) }
    }
    var asked: [FeedID] = []
    for feed in feeds where answers[feed] == nil {
      answers[feed] = .some(nil)
      asked.append(feed)
    }
    if !mayFetch { unfetched.formUnion(asked) }
    return asked
  }
}

extension ReaderState {
  /// Whether feeds have icons: by the setting, and where pictures are not turned off.
  private var showsIcons: Bool { settings.showsIcons && (picturesByKey ?? settings.showsPictures) }

  /// The icon of a feed; nil where none is to be shown, or none is here.
  func icon(of feed: FeedID?) -> CellPicture? {
    guard showsIcons, let feed else { return nil }
    return icons[feed]
  }

  /// Asks for the icons of the feeds on the screen. Follows each action.
  mutating func settleIcons() -> [Effect] {
    guard showsIcons else { return [] }
    let first = sidebar.firstVisible
    let rows = sidebar.items.dropFirst(first).prefix(sidebar.height)
    var feeds = rows.compactMap { if case .feed(let id) = $0.timeline { id } else { nil } }
    if let article, let feed = article.page?.article.feedID { feeds.append(feed) }
    let mayFetch = !savesData && subscriptions.offlineSince == nil
    return icons.ask(for: feeds, mayFetch: mayFetch).map {
      .pictures(.loadIcon($0, mayFetch: mayFetch))
    }
  }
}
