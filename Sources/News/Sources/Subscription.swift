/// Subscription in the list of a server.
package struct Subscription: Hashable, Sendable {
  /// The address of the feed, or its identifier within the account.
  package var url: String
  package var title: String?
  package var folders: [String]

  package init(url: String, title: String? = nil, folders: [String] = []) {
    self.url = url
    self.title = title
    self.folders = folders
  }
}
