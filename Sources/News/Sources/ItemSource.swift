package import struct Foundation.Date

/// A server that keeps the articles of an account's feeds together, each under an id of its own.
///
/// The sync asks for ids first, as sets, and then for the articles whose ids are new here. Ids are kept as
/// the server gives them, in one spelling: `ItemSource` decides which.
package protocol ItemSource: Sendable {
  /// How many ids one call of `items` takes.
  var limit: Int { get }

  /// Whether the server can list what it has taken in since a moment of its own clock. Where it cannot,
  /// `ItemSet.all` is all that it has, whatever the moment.
  var listsArrivals: Bool { get }

  /// A walk through the ids of a set, page by page.
  func walk(_ set: ItemSet) -> any ItemWalk

  /// The articles behind ids. One that the server does not have is not in the answer.
  func items(_ ids: [String]) async throws -> ItemBatch

  /// Number of unread articles by the server's own count, which may differ from its list of unread ids; nil
  /// where it does not count.
  func unreadCount() async throws -> Int?

  /// What the server has said meanwhile that its user should know; nil for nothing.
  var warning: String? { get }
}

extension ItemSource {
  package func unreadCount() async throws -> Int? { nil }
  package var warning: String? { nil }
}

/// A walk through the pages of a set of ids.
package protocol ItemWalk: Sendable {
  /// The next page; nil behind the last one.
  mutating func next() async throws -> ItemIDPage?
}

/// A set of articles of an account, as its server knows them.
package enum ItemSet: Hashable, Sendable {
  /// All that have come since a moment, or all; the newest first as far as the server orders them.
  case all(since: Date?)
  case unread
  case starred
}

/// One page of the ids of a set.
package struct ItemIDPage: Hashable, Sendable {
  package var ids: [String]
  /// Whether the server holds back some of the set, so that what is not listed may belong to it all the
  /// same.
  package var isPartial: Bool
  /// Whether the set has shifted between two pages: the walk has begun anew, and what it has listed so far
  /// does not count.
  package var beginsAnew: Bool

  package init(ids: [String], isPartial: Bool = false, beginsAnew: Bool = false) {
    self.ids = ids
    self.isPartial = isPartial
    self.beginsAnew = beginsAnew
  }
}

/// Articles as a server hands them out.
package struct ItemBatch: Hashable, Sendable {
  package var items: [Item]
  /// What could not be read, without failing the rest.
  package var warnings: [String]

  package init(items: [Item], warnings: [String] = []) {
    self.items = items
    self.warnings = warnings
  }
}

/// An article of an account, with its feed and its marks.
package struct Item: Hashable, Sendable {
  /// The id of its subscription (`Subscription.id`).
  package var feed: String
  /// `Entry.id` is the id that the server knows it by.
  package var entry: Entry
  /// Nil where the server does not say.
  package var isRead: Bool?
  package var isStarred: Bool?

  package init(feed: String, entry: Entry, isRead: Bool? = nil, isStarred: Bool? = nil) {
    self.feed = feed
    self.entry = entry
    self.isRead = isRead
    self.isStarred = isStarred
  }
}

/// Server that keeps labels of articles, each the set of ids of the articles that have it.
///
/// Throws as `PageSource` does.
package protocol LabelSource: Sendable {
  /// The largest number of ids in the next call of `set`.
  var limit: Int { get }

  /// How many labels one sync asks for; the others have their turn in later ones.
  var labelsPerSync: Int { get }

  /// All labels that there are; what is not among them is on no article.
  func labels() async throws -> LabelList

  /// A walk through the ids of the articles with a label.
  func walk(_ label: String) -> any ItemWalk

  /// Sets a label of articles, or takes it away. Idempotent. A label that does not exist is made.
  func set(_ label: String, _ isSet: Bool, on ids: [String]) async throws
}

/// The labels of a server by their names.
package struct LabelList: Hashable, Sendable {
  package var names: Set<String>
  /// Names of which the server cannot tell which articles have them: nothing is concluded of these.
  package var unclear: Set<String>

  package init(names: Set<String>, unclear: Set<String> = []) {
    self.names = names
    self.unclear = unclear
  }
}
