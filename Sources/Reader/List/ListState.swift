internal import News

struct ListState: Hashable, Sendable {
  /// Lines of the pane below its heading.
  var height: Int
  /// Lines that stay above and below the selected row while there are rows.
  var margin = 0
  var query: TimelineQuery
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
  /// Whether a line stands before the first article of each day, or of each feed where it is by feed.
  var isGrouped = false
  /// The zone that days are of; its time is not used.
  var zone = WallClock()
  /// Articles that the next command is about.
  var picked = MultipleSelection<ArticleID, ArticleID>()
  /// The marks of the selected articles as they were then: their rows may be out of reach by now.
  var pickedStatus: [ArticleID: ArticleStatus] = [:]
  /// The rows that were deleted out of it, those of each deletion together.
  var deleted: [[DeletedRow]] = []
  /// Whether the query of its timeline was put over another list, which shows again without it.
  var isLimited = false

  enum Goal: Hashable {
    case first, last
    /// A row, from 0 at the newest.
    case row(Int)
  }

  /// The part of a list that the user has seen from its top; "▲ n new" counts the rest.
  struct Seen: Hashable, Sendable {
    /// The highest article id of the store at that time: higher ones have arrived since.
    var lastID: Int64
    /// The first row at that time; nil where the top of the list was not visible.
    var newest: TimelinePosition?
  }

  /// Rows kept on either side of the selected one, at least.
  static let window = 150

  /// A list that shows a timeline from its first article on.
  init(of timeline: Timeline, height: Int = 1, as habit: ListHabits.Habit = ListHabits.Habit()) {
    query = TimelineQuery(
      timeline, unreadOnly: habit.hidesRead && timeline != .unread, mergesDuplicates: true,
      olderCount: Self.window)
    query.order = habit.order ?? timeline.ownOrder
    isGrouped = habit.isGrouped
    self.height = height
  }

  var rows: [TimelineRow] { snapshot?.slice.rows ?? [] }

  var selectedIndex: Int? { selection.index(in: rows) }

  var selectedArticle: ArticleRow? {
    guard let index = selectedIndex, case .article(let row) = rows[index] else { return nil }
    return row
  }

  var isAtFirstRow: Bool { selectedIndex.map { $0 == 0 && isAtTop } ?? true }

  mutating func endPull() { pull.since = nil }

  var freshness: Freshness? { snapshot?.freshness }

  var feed: FeedID? { if case .feed(let id) = query.timeline { id } else { nil } }

  /// Whether it shows the result of a search.
  var isSearch: Bool {
    if case .search = query.timeline { return true }
    return isLimited && !query.timeline.soughtWords.isEmpty
  }

  /// Whether leaving it leads back to another list: a search or a limit.
  var isPassing: Bool { isSearch || isLimited }
}

// MARK: Marks

extension ListState {
  /// Keeps articles in a list that hides what is read, until the list is left.
  ///
  /// - Returns: the effect that reads the list with them; none where they would stay anyway.
  mutating func keep(_ articles: [ArticleID]) -> [Effect] {
    guard query.hidesRead, !query.keeping.isSuperset(of: articles) else { return [] }
    query.keeping.formUnion(articles)
    snapshot?.query = query
    return [.list(.observe(query))]
  }

  /// Keeps all articles of the rows, as `keep` does.
  mutating func keepAll() -> [Effect] {
    if query.hidesRead {
      for case .article(let row) in rows { query.keeping.insert(row.id) }
    }
    snapshot?.query = query
    return query.hidesRead ? [.list(.observe(query))] : []
  }

  mutating func mark(_ id: ArticleID, _ mark: Mark) {
    guard var snapshot else { return }
    for index in snapshot.slice.rows.indices {
      guard case .article(var row) = snapshot.slice.rows[index], row.id == id else { continue }
      row.status[mark.kind] = mark.isSet
      snapshot.slice.rows[index] = .article(row)
    }
    self.snapshot = snapshot
  }

  func row(of id: ArticleID) -> ArticleRow? {
    for case .article(let row) in rows where row.id == id { return row }
    return nil
  }

  /// The articles that "mark all read" marks: those that the user has seen. Nil where none is
  /// unread.
  var seenUnread: SeenUnread? {
    let waiting = unreadAbove
    guard let snapshot, snapshot.counts.unread > waiting else { return nil }
    guard query.order == .newest else {
      // New articles lie anywhere in the list, and are known by their ids alone.
      return SeenUnread(
        timeline: query.timeline, count: snapshot.counts.unreadArticles,
        except: UnseenRegion(
          above: TimelinePosition(date: .min, id: .min), since: snapshot.arrivals.lastID))
    }
    // Articles that arrive while the user decides stay unread, as do those above the screen.
    let hasNewer = snapshot.slice.hasNewer
    return SeenUnread(
      timeline: query.timeline, count: snapshot.counts.unreadArticles - waiting,
      notNewerThan: hasNewer ? nil : rows.first?.position,
      except: hasNewer || waiting > 0 ? unseenRegion : nil)
  }

  /// The number of unread articles above the screen, as far as the rows tell.
  private var unreadAbove: Int {
    let read = Set(
      rows.prefix(firstVisibleRow).compactMap { row -> Int64? in
        guard case .article(let article) = row, article.status.isRead else { return nil }
        return article.id.rawValue
      })
    return waitingAbove.count { !read.contains($0.position.id) }
  }
}

// MARK: Other articles

extension ListState {
  /// The index of the next row of an article after the selected one, or before it.
  func indexOfArticle(_ delta: Int) -> Int? {
    guard var index = selectedIndex else { return nil }
    repeat { index += delta } while rows.indices.contains(index) && rows[index].isGap
    return rows.indices.contains(index) ? index : nil
  }

  /// The index of the next unread article below the selected one.
  ///
  /// - Parameter includesSelected: whether the selected one counts where it is unread.
  func indexOfUnread(includesSelected: Bool) -> Int? {
    let isOnUnread = selectedArticle?.status.isRead == false
    let start = selectedIndex.map { isOnUnread && includesSelected ? $0 : $0 + 1 } ?? 0
    guard start <= rows.count else { return nil }
    return rows[start...].firstIndex(where: \.isUnread)
  }

  func isAtEnd(_ delta: Int) -> Bool {
    guard let slice = snapshot?.slice, !rows.isEmpty else { return false }
    return delta > 0
      ? selectedIndex == rows.count - 1 && !slice.hasOlder
      : selectedIndex == 0 && !slice.hasNewer
  }
}

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
  private var last: Int64 = 0

  /// The pause in milliseconds after which a second pull counts…
  static let pause: Int64 = 300
  /// …and the time after the first until which it does.
  static let patience: Int64 = 3_000

  enum Outcome: Hashable { case first, repeated, second }

  /// Notes a pull. The first shows what a second one will do; the second counts when it is one of its own,
  /// not the repeat of a held key or of one flick of the wheel.
  mutating func pull(at milliseconds: Int64) -> Outcome {
    defer { last = milliseconds }
    guard let since, milliseconds - since <= Self.patience else {
      self.since = milliseconds
      return .first
    }
    return milliseconds - last >= Self.pause ? .second : .repeated
  }
}

/// Articles that were deleted out of the list, and show again where that is taken back.
extension ListState {
  /// A row that was deleted; without a place where it was out of sight.
  struct DeletedRow: Hashable, Sendable {
    var id: ArticleID
    var position: TimelinePosition?
  }

  /// Notes rows that are deleted together.
  mutating func noteDeleted(_ ids: [ArticleID]) {
    deleted.append(ids.map { DeletedRow(id: $0, position: row(of: $0)?.position) })
  }

  /// Selects what was deleted out of this list and has come back, the first of several.
  mutating func selectRestored(_ entry: JournalEntry) -> [Effect] {
    let rows = deleted.last { rows in
      entry.article.map { rows.map(\.id) == [$0] } ?? (rows.count >= entry.count)
    }
    guard let first = rows?.first else { return [] }
    return [seek(first.id, at: first.position)]
  }
}
