package import struct Foundation.Date

/// Kind of user action in the journal.
package enum UserActionKind: String, Hashable, Sendable, CaseIterable {
  /// An article was opened and thereby read.
  case opened
  case read, starred
  case readAll
  case tag
  case deleteArticles
  case addFeed, removeFeed, renameFeed, fileFeed, setFeed
  /// All feeds of a folder were moved to another.
  case moveFolder
  /// A folder was made that stays without feeds.
  case addFolder
  case setProxy
  case setRecipe
  case addRule, removeRule
  /// A smart feed was added, changed or removed.
  case setSmartFeed
  /// A page was saved as an article.
  case savePage
  /// A comment or an edit was sent to its server.
  case comment, changeComment

  /// Whether `undo` reverts it. Undo stops at actions that others have seen: only the next one
  /// continues before them.
  package var isUndoable: Bool {
    switch self {
    case .comment, .changeComment: false
    default: true
    }
  }

  /// Whether nothing can be redone after it. Reading changes nothing there.
  package var endsRedo: Bool { isUndoable && self != .opened }

  package var isOfArticles: Bool {
    switch self {
    case .opened, .read, .starred, .readAll, .tag, .deleteArticles, .savePage, .comment,
      .changeComment:
      true
    case .addFeed, .removeFeed, .renameFeed, .fileFeed, .setFeed, .moveFolder, .addFolder,
      .setProxy, .setRecipe, .addRule, .removeRule, .setSmartFeed:
      false
    }
  }
}

/// Action of the user, as the journal shows it.
package struct JournalEntry: Hashable, Sendable, Identifiable {
  package let id: Int64
  package var time: Date
  package var kind: UserActionKind
  /// For marks, tags and smart feeds: whether they were set or removed.
  package var isSet: Bool
  /// The number of articles, feeds or rules.
  package var count: Int
  /// Of a single article.
  package var article: ArticleID?
  package var feed: FeedID?
  /// Of several feeds.
  package var feeds: [FeedID] = []
  /// The title of the article or feed at that time; nil for several.
  package var subject: String?
  /// The tag, new name, folders, proxy, setting or rule.
  package var detail: String?
  package var isUndone: Bool
  /// The feed's proxy before a proxy was undone or redone; nil for that of the settings.
  package var replacedProxy: FeedProxy?
  /// Parts that were not restored, with the next step.
  package var remark: String?
  /// Nil where `undo` has reverted it.
  package var refusal: Refusal?

  /// Reason against undoing an action.
  package enum Refusal: Hashable, Sendable {
    /// Others have seen it. The next `undo` continues before it.
    case cannotBeTakenBack
    /// It would end subscriptions, so that the user is asked first.
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

  /// As in `tagged 3 articles with linux`.
  package var summary: String {
    let articles = count == 1 ? subject.map { "“\($0)”" } ?? "1 article" : "\(count) articles"
    let feed = subject.map { "“\($0)”" } ?? (count == 1 ? "a feed" : "\(count) feeds")
    let detail = detail ?? ""
    return switch kind {
    case .opened: "read \(articles)"
    case .read: isSet ? "marked \(articles) as read" : "marked \(articles) as unread"
    case .starred: isSet ? "starred \(articles)" : "unstarred \(articles)"
    case .readAll: "marked \(count == 1 ? "1 article" : "\(count) articles") as read"
    case .tag where detail == Later.tag:
      isSet ? "added \(articles) to Later" : "removed \(articles) from Later"
    case .tag:
      isSet ? "tagged \(articles) with \(detail)" : "removed the tag \(detail) from \(articles)"
    case .deleteArticles: "deleted \(articles)"
    case .addFeed: "subscribed to \(feed)"
    case .removeFeed: "unsubscribed from \(feed)"
    case .renameFeed:
      detail.isEmpty ? "reset the name of \(feed)" : "renamed \(feed) to “\(detail)”"
    case .fileFeed:
      detail.isEmpty
        ? "moved \(feed) out of \(feeds.isEmpty ? "its" : "their") folders"
        : "moved \(feed) to \(detail)"
    case .moveFolder:
      detail.isEmpty
        ? "removed the folder \(feed)\(count == 0 ? "" : ", not its feeds")"
        : "moved the folder \(feed) to “\(detail)”"
    case .setProxy:
      detail.isEmpty ? "reset the proxy of \(feed)" : "set the proxy \(detail) for \(feed)"
    case .setRecipe: "changed how \(feed) is fetched"
    case .addRule: "added the rule \(detail)"
    case .removeRule: count == 1 ? "removed the rule \(detail)" : "removed \(count) rules"
    case .addFolder: "created the folder \(feed)"
    case .setSmartFeed:
      !isSet
        ? "removed the smart feed \(feed)"
        : detail.isEmpty
          ? "created the smart feed \(feed)" : "changed the smart feed \(feed) to \(detail)"
    case .savePage: "saved \(articles)"
    case .comment: "commented on \(articles)"
    case .changeComment: "changed a comment on \(articles)"
    case .setFeed:
      detail.isEmpty ? "reset a setting of \(feed)" : "set \(detail) for \(feed)"
    }
  }

  /// Whether undoing or redoing it has ended subscriptions.
  package func endsSubscriptions(isUndone: Bool) -> Bool {
    kind == (isUndone ? .addFeed : .removeFeed)
  }

  /// The summary with the remark, after `undo` and `redo`.
  package var outcome: String { remark.map { "\(summary); \($0)" } ?? summary }
}

/// Removed feed that can be restored.
package struct RemovedFeed: Hashable, Sendable {
  package let removal: Int64
  package let feed: FeedID
  package let url: String
  package let title: String?
  package let proxy: FeedProxy?
  package let removedAt: Date
  /// Articles that are restored with it.
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
