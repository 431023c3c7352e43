// Reader: the program as a value.
//
// The front door is `ReaderState`: `reduce` changes it for an `Action` and returns the work to do
// (`Effect`), `render` draws it. Nothing here waits, reads a clock or touches a terminal.
//
// Each screen has a folder with its state, its keys, its reducer and its drawing (`ReaderScreen`). The
// three panes are at the bottom of a stack, on which the other screens open and close. `Core` has what
// all screens share, `Panes` what the panes share, `Drawing` the frame around them. Functions that need
// several parts of the state belong to their capability (`Marking`, `Stepping`, `FeedEditing` …).

package import News
package import Screen

package struct ReaderState: Hashable, Sendable {
  package internal(set) var size: Size
  /// The time of day, as of the last action that brought it.
  package var clock: WallClock
  package var theme: Theme
  package var themes = ThemeChoice()
  /// Whether the theme follows the background that the terminal reports.
  package var followsBackground = false
  package var settings: ReaderSettings

  /// The latest snapshot of the feeds.
  var subscriptions = SidebarSnapshot()
  /// Whether `subscriptions` has come from the store.
  var isLoaded = false
  var pendingMarks = PendingMarks()
  var transfers = TransferSnapshot()
  var packed = PackedArticles()
  var packing = PackingPhase.none
  /// The comments that were changed here and at their servers.
  var conflicts = OpenConflicts()
  var notice: Notice?
  /// Searches for feeds at addresses, and sign-ins.
  var addresses = AddressSearches()
  var askedRefreshes = AskedRefreshes()
  var begun: BegunSequence?
  var lastFind: String?
  var commandHistory = CommandHistory()
  var searchHistory = CommandHistory()
  /// The highest id of the articles that have been looked at as new ones; nil before the first snapshot.
  var newsSeen: Int64?
  /// The highest id of the store, as of the last snapshot of any list.
  var lastArticle: Int64?
  /// Programs that were started here: those that run, and those whose output is shown.
  var programs: [StartedProgram] = []
  /// Other readers that have their files on this machine; looked for while there are no feeds here.
  package var libraries: [FoundLibrary] = []
  var spoken: ArticleID?
  /// Counts messages, so that a late reminder does not remove a newer one.
  var serial = 0
  /// Whether an `Effect.moveClock` is under way.
  var isClockMoving = false

  var stack = ScreenStack()

  var focus = Pane.list
  /// Where the user has moved the lines between the panes to.
  package var dividers = Dividers()
  var dragged: Divider?
  var isZoomed = false
  var sidebar = SidebarState()
  var list = ListState(of: .all)
  var article: ArticleState?
  /// Whether the user has turned pictures on or off by a key; nil before.
  var picturesByKey: Bool?
  var wantedPictures: [PictureWish] = []
  /// The icons of feeds.
  var icons = FeedIconBoard()
  var previewed: ArticleID?
  /// The width of the latest layout of an article.
  var laidOutWidth = 0
  /// How lists are shown.
  var habits = ListHabits()
  /// The feed that was asked for unread articles after the shown one had none.
  var nextFeedAsked: Timeline?
  var skimming = Skimming()
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
    ownKeys = settings.keys.isStandard ? nil : KeyMap(settings.keys)
    list.zone = WallClock(offsets: clock.offsets)
    fitPanes()
    laidOutWidth = articleWidth
  }

  var keys: KeyMap { ownKeys ?? .standard }
  /// The keys of a scheme of the user's; nil for the standard ones.
  private var ownKeys: KeyMap?

  /// Takes other keys in place of the present ones.
  mutating func use(_ scheme: KeyScheme) {
    settings.keys = scheme
    ownKeys = scheme.isStandard ? nil : KeyMap(scheme)
    begun = nil
  }

  /// The first key of a command, for sentences about it; the command's name in quotes where it has none.
  func key(_ command: Command) -> String { keys.keyName(of: command) ?? "“\(command.name)”" }

  /// The smart feed that shows a timeline; nil for none.
  func smartFeed(of timeline: Timeline) -> SmartFeed? {
    guard case .matching = timeline else { return nil }
    return subscriptions.smartFeeds.first { $0.timeline == timeline }
  }

  func feed(_ id: FeedID) -> Feed? { subscriptions.feeds.first { $0.id == id } }

  /// The name of a timeline on the screen.
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
    case .later: "Later"
    case .due: "Due"
    case .matching(let query, let whole):
      query == .readLately
        ? CoreStrings.readLately
        : smartFeed(of: timeline)?.name ?? "\(name(of: whole)) · \(query.text)"
    }
  }

  /// The title of the window: the program, and the number of unread articles.
  package var windowTitle: String { CoreStrings.windowTitle(unread: subscriptions.counts.unread) }

  /// Whether each byte costs, or the user saves data.
  var savesData: Bool { list.snapshot?.freshness.savesData == true }

  var isRefreshing: Bool { subscriptions.activity != .idle }
}
