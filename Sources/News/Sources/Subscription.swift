/// Subscription in the list of a server.
package struct Subscription: Hashable, Sendable {
  /// The address of the feed, or its identifier within the account.
  package var url: String
  /// What the server knows the subscription by: its address where it has no other id.
  package var id: String
  package var title: String?
  /// The page that the feed belongs to.
  package var link: String?
  package var folders: [String]

  package init(
    url: String, id: String? = nil, title: String? = nil, link: String? = nil,
    folders: [String] = []
  ) {
    self.url = url
    self.id = id ?? url
    self.title = title
    self.link = link
    self.folders = folders
  }
}
