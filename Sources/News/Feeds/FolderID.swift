/// A folder of an account, by the path of its names (`FolderPath`). Folders of two accounts are two,
/// whatever they are called.
package struct FolderID: Hashable, Sendable {
  package var account: AccountID
  package var path: String

  package init(_ path: String, of account: AccountID = .local) {
    self.account = account
    self.path = path
  }
}
