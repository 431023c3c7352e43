internal import News

/// Predicate of a list: the articles of a source that pass every filter.
///
/// Queries of a timeline are built from this value alone.
struct ArticlePredicate: Hashable, Sendable {
  enum Source: Hashable, Sendable {
    case all
    /// All but those that the user has hidden.
    case shown
    /// The feeds of a folder and of the folders inside it.
    case folder(FolderID)
    case feed(FeedID)
    case account(AccountID)
  }

  var source: Source
  /// Leaves out what is read.
  var isUnread: Bool
  /// Leaves out what has no star.
  var isStarred: Bool
  /// Leaves out what does not have this tag; nil for all.
  var tag: TagID?
  /// Leaves out what matches none of these words of a search; nil for no search.
  var words: String?
  /// Leaves out what one of these is not true of, beside whether it is unread.
  var conditions: [QueryCondition] = []
  /// Leaves out an article that another feed of the list has brought before.
  var isDistinct = false
  /// Leaves out what stands behind another article of its story in the list.
  var joinsStories = false

  /// Whether nothing but the source, and whether they are read, chooses the articles.
  var isWhole: Bool {
    source == .shown && !isStarred && tag == nil && words == nil && conditions.isEmpty
  }

  init(
    _ source: Source = .all, isUnread: Bool = false, isStarred: Bool = false, tag: TagID? = nil,
    words: String? = nil
  ) {
    self.source = source
    self.isUnread = isUnread
    self.isStarred = isStarred
    self.tag = tag
    self.words = words
  }
}

extension Timeline {
  /// The articles of the timeline, read ones and duplicates included unless it is about unread ones.
  var predicate: ArticlePredicate {
    switch self {
    case .all: ArticlePredicate(.shown)
    case .unread: ArticlePredicate(.shown, isUnread: true)
    case .starred: ArticlePredicate(isStarred: true)
    case .folder(let folder): ArticlePredicate(.folder(folder))
    case .feed(let feed): ArticlePredicate(.feed(feed))
    case .search(let words): ArticlePredicate(words: words)
    case .matching(let query, let whole): whole.queried.limited(to: query.condition)
    }
  }
}

extension Timeline {
  /// The articles that a query picks from: those of hidden feeds too.
  private var queried: ArticlePredicate {
    var predicate = predicate
    if predicate.source == .shown { predicate.source = .all }
    return predicate
  }
}

extension ArticlePredicate {
  func limited(to condition: QueryCondition) -> ArticlePredicate {
    var limited = self
    for part in condition.parts {
      switch part {
      case .state(.unread): limited.isUnread = true
      case .state(.starred): limited.isStarred = true
      default: limited.conditions.append(part)
      }
    }
    return limited
  }
}

extension TimelineQuery {
  /// The articles that the query shows, apart from those it keeps.
  var predicate: ArticlePredicate {
    var predicate = timeline.predicate
    predicate.isUnread = predicate.isUnread || hidesRead
    predicate.isDistinct = hidesDuplicates
    predicate.joinsStories = joinsStories
    return predicate
  }
}
