package import struct Foundation.Date

/// Article as commands list and export it.
package struct ListedArticle: Hashable, Sendable, Identifiable {
  package var row: ArticleRow
  /// Without body and summary, unless requested.
  package var entry: Entry
  /// Without name and password.
  package var feedURL: String
  /// The address of the feed's account; nil for the local one.
  package var account: String?
  /// The paths of the feed's folders, in order.
  package var folders: [String]
  /// Each once, in order.
  package var tags: [String]
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
