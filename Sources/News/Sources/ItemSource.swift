package import struct Foundation.Date

/// Server that keeps the articles of an account's feeds together, each with an id.
///
/// A sync first lists ids, as sets, and then fetches the articles with new ids. `ItemSource`
/// decides on the one spelling of each id.
package protocol ItemSource: Sendable {
  /// The most ids in one call of `items`.
  var limit: Int { get }

  /// Whether the server can list its arrivals since a moment of its own clock. Where it cannot,
  /// `ItemSet.all` has everything, whatever the moment.
  var listsArrivals: Bool { get }

  func walk(_ set: ItemSet) -> any ItemWalk

  /// The articles with these ids. Those that the server does not have are missing from the answer.
  func items(_ ids: [String]) async throws -> ItemBatch

  /// The server's own unread count, which may differ from its list of unread ids; nil where it does
  /// not count.
  func unreadCount() async throws -> Int?

  /// The server's message to its user, if any.
  var warning: String? { get }
}

extension ItemSource {
  package func unreadCount() async throws -> Int? { nil }
  package var warning: String? { nil }
}

/// Walk through the pages of a set of ids.
package protocol ItemWalk: Sendable {
  /// Nil after the last page.
  mutating func next() async throws -> ItemIDPage?
}

/// Set of articles of an account at its server.
package enum ItemSet: Hashable, Sendable {
  /// All that have come since a moment, or all; the newest first as far as the server orders them.
  case all(since: Date?)
  case unread
  case starred
}

/// Page of the ids of a set.
package struct ItemIDPage: Hashable, Sendable {
  package var ids: [String]
  /// Whether the server holds back some of the set, so that unlisted ids may belong to it.
  package var isPartial: Bool
  /// Whether the set has shifted between two pages: the walk starts over, and the ids so far do not
  /// count.
  package var beginsAnew: Bool

  package init(ids: [String], isPartial: Bool = false, beginsAnew: Bool = false) {
    self.ids = ids
    self.isPartial = isPartial
    self.beginsAnew = beginsAnew
  }
}

package struct ItemBatch: Hashable, Sendable {
  package var items: [Item]
  /// About unreadable parts.
  package var warnings: [String]

  package init(items: [Item], warnings: [String] = []) {
    self.items = items
    self.warnings = warnings
  }
}

/// Article of an account, with its feed and its marks.
package struct Item: Hashable, Sendable {
  /// `Subscription.id`.
  package var feed: String
  /// `Entry.id` is the id at the server.
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

/// Server that keeps labels of articles, each as the set of ids of its articles.
package protocol LabelSource: Sendable {
  /// The most ids in the next call of `set`.
  var limit: Int { get }

  /// Labels in one sync; the others follow in later ones.
  var labelsPerSync: Int { get }

  /// All labels; others are on no article.
  func labels() async throws -> LabelList

  func walk(_ label: String) -> any ItemWalk

  /// Sets or removes a label, idempotently. A missing label is created.
  func set(_ label: String, _ isSet: Bool, on ids: [String]) async throws
}

/// Labels of a server by name.
package struct LabelList: Hashable, Sendable {
  package var names: Set<String>
  /// Names whose articles the server cannot list: nothing is concluded of these.
  package var unclear: Set<String>

  package init(names: Set<String>, unclear: Set<String> = []) {
    self.names = names
    self.unclear = unclear
  }
}
