/// A folder of an account, by the path of its names (`FolderPath`). Folders of two accounts are two,
/// whatever they are called. A literal names a folder of the local account.
package struct FolderID: Hashable, Sendable, ExpressibleByStringLiteral {
  package var account: AccountID
  package var path: String

  package init(_ path: String, of account: AccountID = .local) {
    self.account = account
    self.path = path
  }

  package init(stringLiteral path: String) { self.init(path) }

  /// The folder and those around it: `a/b/c` lies in `a/b`, and that in `a`.
  package var selfAndParents: [FolderID] {
    var result = [self]
    var path = path
    while let slash = path.lastIndex(of: "/") {
      path = String(path[..<slash])
      result.append(FolderID(path, of: account))
    }
    return result
  }

  /// Whether another folder is this one or lies within it.
  package func contains(_ other: FolderID) -> Bool {
    account == other.account && (other.path == path || other.path.hasPrefix(path + "/"))
  }
}

extension Feed {
  /// The folders that the feed lies in, with the account that they belong to.
  package var folderIDs: [FolderID] { folders.map { FolderID($0, of: account.folderOwner) } }
}
