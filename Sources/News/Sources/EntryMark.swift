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
