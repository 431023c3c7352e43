// Reader: the program as a value.
//
// The front door is `ReaderState`: `reduce` takes it from one moment to the next and says what is to
// be done (`Effect`), `render` draws it. Nothing here waits, reads a clock or touches a terminal.
//
// Each screen has a folder with its state, its keys, what it makes of them, and its looks
// (`ReaderScreen`). The three panes lie at the bottom; the other screens come and go on a stack above
// them. `Shell` has what all screens share, `Panes` what the panes share, `Drawing` what surrounds them.

package import News
package import Screen

/// Everything the screen is drawn from.
package struct ReaderState: Hashable, Sendable {
  package var size: Size
  package var clock: WallClock
  package var theme: Theme
  /// How many colours there are for a theme that follows the terminal's background; nil for a theme
  /// that stays as it is.
  package var adaptiveColors: Int?
  package var settings: ReaderSettings
  var keys = KeyMap.standard

  /// The feeds, as the store had them last.
  package internal(set) var subscriptions = SidebarSnapshot()
  /// False until the store has said what feeds there are.
  package internal(set) var isLoaded = false
  var pendingMarks = PendingMarks()
  /// What the line at the bottom tells.
  package internal(set) var notice: Notice?
  /// Addresses of feeds that are being looked at, or wait for a sign-in.
  var addresses = AddressSearches()
  /// Counts what is to be forgotten later, so that a late reminder does not forget something newer.
  var serial = 0
  /// Whether the next second has been asked for.
  var isClockMoving = false

  /// The screens above the panes.
  var stack = ScreenStack()

  package internal(set) var focus = Pane.list
  package internal(set) var sidebar = SidebarState()
  package internal(set) var list = ListState()
  package internal(set) var article: ArticleState?
  /// The list that a search was begun from.
  var listBeforeSearch: ListState?
  /// How far the article that was left last has been read, which may not be stored yet.
  var leftArticle: LeftArticle?

  /// What shows first: everything, from the newest article on.
  package static let firstQuery = TimelineQuery(
    .all, mergesDuplicates: true, olderCount: ListState.window)

  package init(
    size: Size, clock: WallClock = WallClock(), theme: Theme = .none,
    settings: ReaderSettings = ReaderSettings()
  ) {
    self.size = size
    self.clock = clock
    self.theme = theme
    self.settings = settings
  }

  /// A feed; nil where there is none of this id.
  func feed(_ id: FeedID) -> Feed? { subscriptions.feeds.first { $0.id == id } }
}

/// What the configuration says about the screen.
package struct ReaderSettings: Hashable, Sendable {
  /// Whether feeds are refreshed without being asked.
  package var refreshesByItself = true
  /// Columns of the longest line of an article.
  package var textWidth = 80

  package init() {}
}
