package import struct Foundation.Date

/// What a user does that is kept in the journal.
package enum UserActionKind: String, Hashable, Sendable, CaseIterable {
  /// An article was opened, and read by that.
  case opened
  case read, starred
  /// All of a list were marked as read.
  case readAll
  case tag
  case deleteArticles
  case addFeed, removeFeed, renameFeed, fileFeed, setFeed
  /// All feeds of a folder were put into another.
  case moveFolder
  /// A folder was made that stays without feeds.
  case addFolder
  /// A feed is reached by another proxy.
  case setProxy
  /// How a feed is asked for and read was changed.
  case setRecipe
  case addRule, removeRule
  /// A query was kept by a name, or that was changed or ended.
  case setSmartFeed
  /// A page was put among those that are saved.
  case savePage
  /// A comment was written for its server, or a change of one.
  case comment, changeComment
  /// A server was asked to save an article for later.
  case saveForLater

  /// Whether `undo` takes it back. It stops at what others have been told: only the next one goes on to what was
  /// done before.
  package var isUndoable: Bool {
    switch self {
    case .comment, .changeComment, .saveForLater: false
    default: true
    }
  }

  /// Whether it ends what could be done again. Reading does not.
  package var endsRedo: Bool { isUndoable && self != .opened }

  package var isOfArticles: Bool {
    switch self {
    case .opened, .read, .starred, .readAll, .tag, .deleteArticles, .savePage, .comment,
      .changeComment, .saveForLater:
      true
    case .addFeed, .removeFeed, .renameFeed, .fileFeed, .setFeed, .moveFolder, .addFolder,
      .setProxy, .setRecipe, .addRule, .removeRule, .setSmartFeed:
      false
    }
  }
}

/// Something that the user did, as the journal tells it.
package struct JournalEntry: Hashable, Sendable, Identifiable {
  package let id: Int64
  package var time: Date
  package var kind: UserActionKind
  /// For marks, tags and smart feeds: whether they were set, and not taken away.
  package var isSet: Bool
  /// Articles that it was about, feeds or rules.
  package var count: Int
  /// The article, where it was about a single one.
  package var article: ArticleID?
  package var feed: FeedID?
  /// The feeds, where it was about several.
  package var feeds: [FeedID] = []
  /// The title of the article or the feed, as it was then; nil where it was about many.
  package var subject: String?
  /// The name of a tag, the new name of a feed, its new folders, its proxy, what was set for it, or a rule.
  package var detail: String?
  package var isUndone: Bool
  /// Where a proxy was taken back or set again: the one that the feed had until then; nil for that of the settings.
  package var replacedProxy: FeedProxy?
  /// What has not come back with it, and the next step; nil for nothing.
  package var remark: String?
  /// Why `undo` has not taken it back; nil where it has.
  package var refusal: Refusal?

  /// Why an action stays as it is.
  package enum Refusal: Hashable, Sendable {
    /// Others have been told. The next `undo` goes on to what was done before it.
    case cannotBeTakenBack
    /// It would end subscriptions: the user is asked first.
    case needsConsent
  }

  package init(
    id: Int64, time: Date, kind: UserActionKind, isSet: Bool = true, count: Int = 1,
    article: ArticleID? = nil, feed: FeedID? = nil, subject: String? = nil,
    detail: String? = nil, isUndone: Bool = false
  ) {
    self.id = id
    self.time = time
    self.kind = kind
    self.isSet = isSet
    self.count = count
    self.article = article
    self.feed = feed
    self.subject = subject
    self.detail = detail
    self.isUndone = isUndone
  }

  /// What was done, in words: `tagged 3 articles with linux`.
  package var summary: String {
    let articles = count == 1 ? subject.map { "“\($0)”" } ?? "1 article" : "\(count) articles"
    let feed = subject.map { "“\($0)”" } ?? (count == 1 ? "a feed" : "\(count) feeds")
    let detail = detail ?? ""
    return switch kind {
    case .opened: "read \(articles)"
    case .read: isSet ? "marked \(articles) as read" : "marked \(articles) as unread"
    case .starred: isSet ? "starred \(articles)" : "took the star of \(articles)"
    case .readAll: "marked \(count == 1 ? "1 article" : "\(count) articles") as read"
    case .tag:
      isSet ? "tagged \(articles) with \(detail)" : "took the tag \(detail) off \(articles)"
    case .deleteArticles: "deleted \(articles)"
    case .addFeed: "subscribed to \(feed)"
    case .removeFeed: "removed \(feed)"
    case .renameFeed:
      detail.isEmpty ? "took back the name of \(feed)" : "renamed \(feed) to “\(detail)”"
    case .fileFeed:
      detail.isEmpty
        ? "took \(feed) out of \(feeds.isEmpty ? "its" : "their") folders"
        : "put \(feed) into \(detail)"
    case .moveFolder:
      detail.isEmpty
        ? "removed the folder \(feed)\(count == 0 ? "" : ", not its feeds")"
        : "moved the folder \(feed) to “\(detail)”"
    case .setProxy:
      detail.isEmpty ? "took back the proxy of \(feed)" : "set the proxy \(detail) for \(feed)"
    case .setRecipe: "changed how \(feed) is obtained"
    case .addRule: "made the rule \(detail)"
    case .removeRule: count == 1 ? "ended the rule \(detail)" : "ended \(count) rules"
    case .addFolder: "made the folder \(feed)"
    case .setSmartFeed:
      !isSet
        ? "removed the smart feed \(feed)"
        : detail.isEmpty
          ? "made the smart feed \(feed)" : "changed the smart feed \(feed) to \(detail)"
    case .savePage: "saved \(articles)"
    case .comment: "commented on \(articles)"
    case .changeComment: "changed a comment on \(articles)"
    case .saveForLater: "saved \(articles) for later"
    case .setFeed:
      detail.isEmpty ? "took back what was set for \(feed)" : "set \(detail) for \(feed)"
    }
  }

  /// Whether subscriptions have ended by it.
  ///
  /// - Parameter isUndone: whether it was taken back; otherwise it was done again.
  package func endsSubscriptions(isUndone: Bool) -> Bool {
    kind == (isUndone ? .addFeed : .removeFeed)
  }

  /// The same with what has not come back, after `undo` and `redo`.
  package var outcome: String { remark.map { "\(summary); \($0)" } ?? summary }
}

/// A feed that was removed and can come back.
package struct RemovedFeed: Hashable, Sendable {
  /// The number of the removal.
  package let removal: Int64
  package let feed: FeedID
  package let url: String
  package let title: String?
  package let proxy: FeedProxy?
  package let removedAt: Date
  /// How many articles come back with it.
  package let articles: Int

  package init(
    removal: Int64, feed: FeedID, url: String, title: String?, proxy: FeedProxy?, removedAt: Date,
    articles: Int
  ) {
    self.removal = removal
    self.feed = feed
    self.url = url
    self.title = title
    self.proxy = proxy
    self.removedAt = removedAt
    self.articles = articles
  }
}
