package import News

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
  package internal(set) var pull = Pull()

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

  var isGap: Bool { if case .gap = self { true } else { false } }

  var isUnread: Bool {
    if case .article(let row) = self { !row.status.isRead } else { false }
  }
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
