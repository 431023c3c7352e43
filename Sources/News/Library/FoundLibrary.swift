/// Another reader whose files lie on this machine.
package struct FoundLibrary: Hashable, Sendable {
  /// As `telex import --from` names it.
  package var reader: String
  /// Feeds in its list.
  package var feeds: Int

  package init(reader: String, feeds: Int) {
    self.reader = reader
    self.feeds = feeds
  }
}
