/// An entry by the address of its feed within its account, and by its id.
package struct EntryReference: Hashable, Sendable {
  package var feedURL: String
  package var id: String

  package init(feedURL: String, id: String) {
    self.feedURL = feedURL
    self.id = id
  }
}

/// A mark of the user's that a server has to be told.
package struct EntryMark: Hashable, Sendable {
  package enum Kind: Hashable, Sendable { case read, starred }

  package var entry: EntryReference
  package var kind: Kind
  /// Whether it was set or taken away.
  package var isSet: Bool

  package init(_ kind: Kind, _ isSet: Bool, of entry: EntryReference) {
    self.kind = kind
    self.isSet = isSet
    self.entry = entry
  }
}

/// How a server says that an entry is marked.
package struct EntryState: Hashable, Sendable {
  package var entry: EntryReference
  /// Nil where it does not say.
  package var isRead: Bool?
  package var isStarred: Bool?

  package init(_ entry: EntryReference, isRead: Bool? = nil, isStarred: Bool? = nil) {
    self.entry = entry
    self.isRead = isRead
    self.isStarred = isStarred
  }
}

/// Some states, and where to go on: from `cursor` at once while there are more, else the next time.
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
