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
  package var entry: EntryReference
  package var mark: Mark

  package init(_ mark: Mark, of entry: EntryReference) {
    self.mark = mark
    self.entry = entry
  }
}
