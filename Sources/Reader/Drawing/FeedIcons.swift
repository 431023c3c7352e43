internal import News
internal import Screen

/// The icons of feeds on the screen. They have two cells, and show as pixels alone: a picture of two cells cannot be
/// read.
struct FeedIconBoard: Hashable, Sendable {
  static let columns = 2

  /// Answers by feed: nil inside while one is on its way, and where there is no icon.
  private var answers: [FeedID: CellPicture?] = [:]
  /// False where the terminal shows no pixels.
  private let canShow: Bool

  /// Icons that are kept; those of feeds off the screen are asked for again.
  private static let most = 600
  /// Feeds whose icons were looked for on the disk only.
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

extension FeedIconBoard {
  /// Whether feeds have icons: by the setting, and where pictures are not turned off.
  private static func showsIcons(in state: ReaderState) -> Bool {
    state.settings.showsIcons && (state.picturesByKey ?? state.settings.showsPictures)
  }

  /// The icon of a feed; nil where none is to be shown, or none is here.
  static func icon(of feed: FeedID?, in state: ReaderState) -> CellPicture? {
    guard showsIcons(in: state), let feed else { return nil }
    return state.icons[feed]
  }

  /// Asks for the icons of the feeds on the screen. Follows each action.
  static func settleIcons(in state: inout ReaderState) -> [Effect] {
    guard showsIcons(in: state) else { return [] }
    let first = state.sidebar.firstVisible
    let rows = state.sidebar.items.dropFirst(first).prefix(state.sidebar.height)
    var feeds = rows.compactMap { if case .feed(let id) = $0.timeline { id } else { nil } }
    if let article = state.article, let feed = article.page?.article.feedID { feeds.append(feed) }
    let isFree = !state.savesData || state.settings.metered.includes(.pictures)
    let mayFetch = isFree && state.subscriptions.offlineSince == nil
    return state.icons.ask(for: feeds, mayFetch: mayFetch).map {
      .pictures(.loadIcon($0, mayFetch: mayFetch))
    }
  }
}
