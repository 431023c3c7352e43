package import struct Foundation.Date

/// An article as verbs list and export it: its row, and what is stored beside that.
package struct ListedArticle: Hashable, Sendable, Identifiable {
  package var row: ArticleRow
  /// Without its body and summary, unless they were asked for.
  package var entry: Entry
  /// The address of its feed, without a name and password.
  package var feedURL: String
  /// The address of the account that its feed belongs to; nil for the local one.
  package var account: String?
  /// The paths of its feed's folders, in their order.
  package var folders: [String]
  /// The names of its tags, each once, in their order.
  package var tags: [String]
  /// When it was first stored.
  package var arrived: Date

  package init(
    row: ArticleRow, entry: Entry, feedURL: String, account: String? = nil,
    folders: [String] = [], tags: [String] = [], arrived: Date
  ) {
    self.row = row
    self.entry = entry
    self.feedURL = feedURL
    self.account = account
    self.folders = folders
    self.tags = tags
    self.arrived = arrived
  }

  package var id: ArticleID { row.id }
}
