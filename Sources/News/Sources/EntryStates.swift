/// Identity of an entry for its server: the address of its feed and its id.
package struct EntryReference: Hashable, Sendable {
  package var feedURL: String
  package var id: String

  package init(feedURL: String, id: String) {
    self.feedURL = feedURL
    self.id = id
  }
}

/// Mark by the user, to be sent to a server.
package struct EntryMark: Hashable, Sendable {
  package enum Kind: Hashable, Sendable { case read, starred }

  package var entry: EntryReference
  package var kind: Kind
  /// Whether it was set or removed.
  package var isSet: Bool

  package init(_ kind: Kind, _ isSet: Bool, of entry: EntryReference) {
    self.kind = kind
    self.isSet = isSet
    self.entry = entry
  }
}

/// Marks of an entry at its server.
package struct EntryState: Hashable, Sendable {
  package var entry: EntryReference
  /// Nil where the server does not say.
  package var isRead: Bool?
  package var isStarred: Bool?

  package init(_ entry: EntryReference, isRead: Bool? = nil, isStarred: Bool? = nil) {
    self.entry = entry
    self.isRead = isRead
    self.isStarred = isStarred
  }
}

/// Page of states. `cursor` is where the next page begins, or the next call if there is no more.
package struct StatePage: Hashable, Sendable {
  package var states: [EntryState]
  package var cursor: Cursor?
  package var hasMore: Bool

  package init(states: [EntryState], cursor: Cursor? = nil, hasMore: Bool = false) {
    self.states = states
    self.cursor = cursor
    self.hasMore = hasMore
  }
}
