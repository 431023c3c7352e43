// Reader: the program as a value.
//
// The front door is `ReaderState`: `reduce` takes it from one moment to the next and says what is to
// be done (`Effect`), `render` draws it. Nothing here waits, reads a clock or touches a terminal.

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

  package internal(set) var sidebar = SidebarState()
  package internal(set) var list = ListState()
  /// The list that a search was begun from.
  var listBeforeSearch: ListState?
  package internal(set) var article: ArticleState?
  var pendingMarks = PendingMarks()
  package internal(set) var focus = Pane.list
  package internal(set) var prompt: Prompt?
  /// The first line of the help that shows; nil while it is closed.
  package internal(set) var helpOffset: Int?
  /// The view of the feeds' health; nil while it is closed.
  package internal(set) var health: HealthState?
  /// The feeds of a page to choose from; nil while there is nothing to choose.
  package internal(set) var choice: FeedChoice?
  package internal(set) var notice: Notice?
  package internal(set) var pull = Pull()
  /// The address that could not be added, for another try.
  var lastAddress: String?
  /// The addresses that feeds to add are being looked for at, the latest last.
  var searches: [AddressSearch] = []
  /// The move whose new address is being looked at.
  var moveInSearch: Move?
  /// Whether the user has done nothing since the last search was begun: its address may come back by
  /// itself then.
  var isWaiting = false
  /// How far the article that was left last has been read, which may not be stored yet.
  var leftArticle: LeftArticle?
  /// The move that waits for a sign-in at its new address.
  var moveAfterSignIn: Move?
  /// Counts what is to be forgotten later, so that a late reminder does not forget something newer.
  var serial = 0
  /// Whether the next second has been asked for.
  var isClockMoving = false

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
}

/// What the reader's configuration says about the screen.
package struct ReaderSettings: Hashable, Sendable {
  /// Whether feeds are refreshed without being asked.
  package var refreshesByItself = true
  /// Columns of the longest line of an article.
  package var textWidth = 80

  package init() {}
}

package enum Pane: Hashable, Sendable {
  case sidebar
  case list
  case article
}

/// The list of subscriptions at the left.
package struct SidebarState: Hashable, Sendable {
  package internal(set) var snapshot = SidebarSnapshot()
  /// False until the store has said what there is.
  package internal(set) var isLoaded = false
  var items: [SidebarItem] = []
  /// A feed may stand in several folders, each time with the same timeline.
  var selection = ScrollingSelection<Timeline>(.all)
  var closedFolders: Set<String> = []

  var selected: Timeline { selection.id ?? .all }
  var selectedIndex: Int { selection.nearestIndex(in: items) ?? 0 }
}

/// The list of articles.
package struct ListState: Hashable, Sendable {
  package internal(set) var query = ReaderState.firstQuery
  package internal(set) var snapshot: TimelineSnapshot?
  var selection = ScrollingSelection<RowID>()
  /// Where the selected row lies in the timeline, so that its neighbour is found once it is gone.
  var selectedPosition: TimelinePosition?
  /// The last row when older articles were asked for without a key.
  var askedOlderThan: TimelinePosition?
  /// Which end to go to once the rows there have been read.
  var goal: Goal?
  /// Up to where the user has seen the list; nil before its first snapshot.
  package internal(set) var seen: Seen?

  enum Goal: Hashable { case first, last }

  /// What the user has seen of a list from its top: the rest waits behind "▲ n new".
  package struct Seen: Hashable, Sendable {
    /// The highest article id of the store then: a higher one was stored since.
    package var lastID: Int64
    /// The first row then; nil where the list did not show from its top.
    package var newest: TimelinePosition?
  }

  /// Rows kept on either side of the selected one, at least.
  static let window = 150

  package var rows: [TimelineRow] { snapshot?.slice.rows ?? [] }

  var selectedIndex: Int? { selection.index(in: rows) }

  package var selectedArticle: ArticleRow? {
    guard let index = selectedIndex, case .article(let row) = rows[index] else { return nil }
    return row
  }
}

/// What a row is, whatever stands around it.
package enum RowID: Hashable, Sendable {
  case article(ArticleID)
  case gap(Int64)
}

extension TimelineRow: SelectableRow {
  package var selectionID: RowID {
    switch self {
    case .article(let row): .article(row.id)
    case .gap(let gap): .gap(gap.id)
    }
  }
}

/// The article that is open.
package struct ArticleState: Hashable, Sendable {
  package let id: ArticleID
  /// As it was in the list, until its text is there.
  var row: ArticleRow?
  package internal(set) var page: ArticlePage?
  var error: SourceError?
  /// The first line that shows.
  var top = 0
  /// Where the reader scrolled to, or stopped last time: what stays when the width changes. Nil at
  /// the head.
  var place: ReadingPosition?
  /// The link that is picked, from 1.
  var link: Int?
}

/// A line at the bottom of the screen that is being typed or answered.
package enum Prompt: Hashable, Sendable {
  case addFeed(LineEditor)
  case signInName(address: String, LineEditor)
  /// Shows dots for what is typed.
  case signInPassword(address: String, name: String, LineEditor)
  case search(LineEditor)
  case link(LineEditor)
  case removeFeed(FeedID, title: String)
  case moveFeed(FeedID, title: String, to: String)
  case feedAddress(FeedID, LineEditor)
  /// With the newest article there was when the question was asked, and what waits above the screen.
  case markAllRead(Timeline, count: Int, notNewerThan: TimelinePosition?, except: UnseenRegion?)
}

/// A feed being looked for.
struct AddressSearch: Hashable, Sendable {
  /// As it was typed.
  var address: String
  /// Where it is looked for: one of several that the address led to.
  var place: String
}

/// An article that was left.
struct LeftArticle: Hashable, Sendable {
  var id: ArticleID
  var place: ReadingPosition?
}

/// A feed, and the address that it is to be asked at.
struct Move: Hashable, Sendable {
  var feed: FeedID
  var address: String
}

/// Something to be told once.
package struct Notice: Hashable, Sendable {
  package enum Kind: Hashable, Sendable { case plain, error }
  package var text: String
  package var kind: Kind
  var serial: Int
}

/// Pulling the list past its top.
package struct Pull: Hashable, Sendable {
  /// When it was pulled first, in milliseconds of a clock that never goes back; nil while it rests.
  var since: Int64?
  /// When the last pull came, the repeats of a held key included.
  var last: Int64 = 0

  /// A second pull counts after this pause…
  static let pause: Int64 = 300
  /// …and until this long after the first.
  static let patience: Int64 = 3_000
}
