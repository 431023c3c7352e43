/// A subscription as a server keeps it.
package struct Subscription: Hashable, Sendable {
  /// The feed's address, or what stands for it within the account.
  package var url: String
  package var title: String?
  package var folders: [String]

  package init(url: String, title: String? = nil, folders: [String] = []) {
    self.url = url
    self.title = title
    self.folders = folders
  }
}
