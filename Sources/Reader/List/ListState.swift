internal import News

/// The state of the list of articles.
struct ListState: Hashable, Sendable {
  var query = ReaderState.firstQuery
  var snapshot: TimelineSnapshot?
  var selection = ScrollingSelection<RowID>()
  /// The position of the selected row in the timeline, to find its neighbour once it is gone.
  var selectedPosition: TimelinePosition?
  /// The last row at the time of the latest automatic request for older articles.
  var askedOlderThan: TimelinePosition?
  /// The end of the list to select once its rows have arrived.
  var goal: Goal?
  /// The part of the list that the user has seen; nil before its first snapshot.
  var seen: Seen?
  var pull = Pull()

  enum Goal: Hashable { case first, last }

  /// What the user has seen of a list from its top; "▲ n new" counts the rest.
  struct Seen: Hashable, Sendable {
    /// The highest article id of the store at that time: higher ones have arrived since.
    var lastID: Int64
    /// The first row at that time; nil where the top of the list was not visible.
    var newest: TimelinePosition?
  }

  /// Rows kept on either side of the selected one, at least.
  static let window = 150

  var rows: [TimelineRow] { snapshot?.slice.rows ?? [] }

  var selectedIndex: Int? { selection.index(in: rows) }

  var selectedArticle: ArticleRow? {
    guard let index = selectedIndex, case .article(let row) = rows[index] else { return nil }
    return row
  }
}

/// The identity of a row in a timeline.
enum RowID: Hashable, Sendable {
  case article(ArticleID)
  case gap(Int64)
}

extension TimelineRow: SelectableRow {
  var selectionID: RowID {
    switch self {
    case .article(let row): .article(row.id)
    case .gap(let gap): .gap(gap.id)
    }
  }

  var isGap: Bool { if case .gap = self { true } else { false } }

  var isUnread: Bool {
    if case .article(let row) = self { !row.status.isRead } else { false }
  }
}

/// The gesture of pulling the list past its top: the second pull refreshes.
struct Pull: Hashable, Sendable {
  /// The time of the first pull in milliseconds of a monotonic clock; nil while there is none.
  var since: Int64?
  /// The time of the last pull, with the repeats of a held key.
  var last: Int64 = 0

  /// A second pull counts after this pause…
  static let pause: Int64 = 300
  /// …and until this long after the first.
  static let patience: Int64 = 3_000
}
