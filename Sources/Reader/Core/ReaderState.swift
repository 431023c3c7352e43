// Reader: the program as a value.
//
// The front door is `ReaderState`: `reduce` changes it for an `Action` and returns the work to do
// (`Effect`), `render` draws it. Nothing here waits, reads a clock or touches a terminal.
//
// Each screen has a folder with its state, its keys, its reducer and its drawing (`ReaderScreen`). The
// three panes are at the bottom of a stack, on which the other screens open and close. `Core` has what
// all screens share, `Panes` what the panes share, `Drawing` the frame around them.

package import News
package import Screen

/// The state of the whole screen.
package struct ReaderState: Hashable, Sendable {
  /// The size of the terminal, in columns and rows.
  package internal(set) var size: Size
  /// The time of day, as of the last action that brought it.
  package var clock: WallClock
  package var theme: Theme
  /// The themes that there are.
  package var themes = ThemeChoice()
  /// Whether the theme follows what the terminal says of its background.
  package var followsBackground = false
  package var settings: ReaderSettings

  /// The latest snapshot of the feeds.
  var subscriptions = SidebarSnapshot()
  /// Whether `subscriptions` has come from the store.
  var isLoaded = false
  var pendingMarks = PendingMarks()
  /// The latest snapshot of the downloads.
  var transfers = TransferSnapshot()
  /// The articles that are packed for a trip.
  var packed = PackedArticles()
  var packing = PackingPhase.none
  /// The comments that were changed here and at their servers.
  var conflicts = OpenConflicts()
  /// The message in the status line.
  var notice: Notice?
  /// Addresses of feeds that are being looked at, or wait for a sign-in.
  var addresses = AddressSearches()
  /// A sequence of keys that has begun; nil while none has.
  var begun: BegunSequence?
  /// The words that were last looked for in an article.
  var lastFind: String?
  /// The lines that were typed as commands.
  var commandHistory = CommandHistory()
  /// The words that were searched for.
  var searchHistory = CommandHistory()
  /// The highest id of the articles that have been looked at as new ones; nil before the first snapshot.
  var newsSeen: Int64?
  /// The highest id of the store, as of the last snapshot of any list.
  var lastArticle: Int64?
  /// Programs that were started here: those that run, and those whose output is shown.
  var programs: [StartedProgram] = []
  /// Other readers that have their files on this machine; looked for while there are no feeds here.
  package var libraries: [FoundLibrary] = []
  /// The article that is being read aloud.
  var spoken: ArticleID?
  /// Counts messages, so that a late reminder does not remove a newer one.
  var serial = 0
  /// Whether an `Effect.moveClock` is under way.
  var isClockMoving = false

  /// The screens above the panes.
  var stack = ScreenStack()

  var focus = Pane.list
  /// Where the user has moved the lines between the panes to.
  package var dividers = Dividers()
  /// The one that is being dragged.
  var dragged: Divider?
  /// Whether an open article has the screen for itself.
  var isArticleAlone = false
  var sidebar = SidebarState()
  var list = ListState(of: .all)
  var article: ArticleState?
  /// Whether the user has turned pictures on or off by a key; nil before.
  var picturesByKey: Bool?
  /// The pictures that have been asked for, and have not come.
  var wantedPictures: [PictureWish] = []
  /// The icons of feeds that have been asked for, and what has come of them.
  var icons = FeedIconBoard()
  /// The selected article that has been asked for, and has not come.
  var previewed: ArticleID?
  /// The width that articles were last asked for with.
  var laidOutWidth = 0
  /// How the user has lists shown.
  var habits = ListHabits()
  /// The feed that was asked for unread articles because the one that shows has none.
  var nextFeedAsked: Timeline?
  /// The lists that were gone through as cards.
  var skimming = Skimming()
  /// The list that a search was begun from.
  var listBeforeSearch: ListState?
  /// The reading position of the article that was left last; the store may not have it yet.
  var leftArticle: LeftArticle?
  /// The article whose comments are wanted and have not come.
  var conversationWanted: ArticleID?
  /// The article whose full text is wanted and has not come.
  var fullTextWanted: FullTextWish?

  package init(
    size: Size, clock: WallClock = WallClock(), theme: Theme = .none,
    settings: ReaderSettings = ReaderSettings()
  ) {
    self.size = size
    self.clock = clock
    self.theme = theme
    self.settings = settings
    ownKeys =
      settings.keys.isStandard ? nil : KeyMap(ScreenStack.kinds, scheme: settings.keys)
    list.zone = WallClock(offsets: clock.offsets)
    fitPanes()
    laidOutWidth = articleWidth
  }

  /// The keys of all screens. Made with the first key: the first screen does not wait for them.
  var keys: KeyMap { ownKeys ?? .standard }
  /// The keys of a scheme of the user's; nil for those of the screens.
  private let ownKeys: KeyMap?

  /// The first key of a command, for sentences about it; the command's name in quotes where it has none.
  ///
  /// - Parameters:
  ///   - kind: the screen on which it is pressed; nil for the topmost page.
  ///   - favourite: is named where it is one of the command's keys.
  func key(
    _ command: Command, on kind: (any ReaderScreen.Type)? = nil,
    preferring favourite: KeyEvent? = nil
  ) -> String {
    let kind = kind ?? type(of: stack.topPage ?? focus.screen)
    // The map is made with the first key.
    let bindings = KeyMap.bindings(of: kind, among: ScreenStack.kinds, settings.keys)
    let keys = bindings.first { $0.command == command }?.keys ?? []
    let key = keys.first { $0.keys == favourite.map { [$0] } } ?? keys.first
    return key.map { KeyMap.name(of: $0) } ?? "“\(command.name)”"
  }

  /// Hints with the keys that their commands have.
  func translated(_ hints: [KeyHint], on kind: any ReaderScreen.Type) -> [KeyHint] {
    ownKeys?.translated(hints, on: kind) ?? hints
  }

  /// The smart feed that shows a timeline; nil for none.
  func smartFeed(of timeline: Timeline) -> SmartFeed? {
    guard case .matching = timeline else { return nil }
    return subscriptions.smartFeeds.first { $0.timeline == timeline }
  }

  /// A feed; nil where there is none of this id.
  func feed(_ id: FeedID) -> Feed? { subscriptions.feeds.first { $0.id == id } }

  /// What the user knows a timeline by.
  func name(of timeline: Timeline) -> String {
    switch timeline {
    case .all: "All"
    case .unread: "Unread"
    case .starred: "Starred"
    case .folder(let folder) where folder.isAccount:
      subscriptions.accounts.first { $0.id == folder.account }?.account.displayName ?? "Account"
    case .folder(let folder): folder.path
    case .feed(let id): feed(id)?.displayTitle ?? "Feed"
    case .search(let words): "“\(words)”"
    case .matching(let query, let whole):
      query == .readLately
        ? "Read lately" : smartFeed(of: timeline)?.name ?? "\(name(of: whole)) · \(query.text)"
    }
  }

  /// What the window is called: the program, and how much is unread.
  package var windowTitle: String {
    let unread = subscriptions.counts.unread
    return unread == 0 ? "Telex" : "Telex (\(unread))"
  }

  /// Whether each byte costs, or the user saves data.
  var savesData: Bool { list.snapshot?.freshness.savesData == true }

  var isRefreshing: Bool { subscriptions.activity != .idle }
}
