package import struct Foundation.Date

/// A server that keeps the articles of an account's feeds together, each under an id of its own.
///
/// The sync asks for ids first, as sets, and then for the articles whose ids are new here. Ids are kept as
/// the server gives them, in one spelling: `ItemSource` decides which.
package protocol ItemSource: Sendable {
  /// How many ids one call of `items` takes.
  var limit: Int { get }

  /// One page of the ids of a set.
  func ids(in set: ItemSet, after cursor: Cursor?) async throws -> ItemIDPage

  /// The articles behind ids. One that the server does not have is not in the answer.
  func items(_ ids: [String]) async throws -> ItemBatch
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
  /// Nil at the end of the set.
  package var next: Cursor?
  /// Whether the server holds back some of the set, so that what is not listed may belong to it all the
  /// same.
  package var isPartial: Bool

  package init(ids: [String], next: Cursor? = nil, isPartial: Bool = false) {
    self.ids = ids
    self.next = next
    self.isPartial = isPartial
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
  /// Names of its labels; nil where the server does not say.
  package var tags: [String]?

  package init(
    feed: String, entry: Entry, isRead: Bool? = nil, isStarred: Bool? = nil, tags: [String]? = nil
  ) {
    self.feed = feed
    self.entry = entry
    self.isRead = isRead
    self.isStarred = isStarred
    self.tags = tags
  }
}
