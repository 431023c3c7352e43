/// Identity of a folder: its account and the path of its names (`FolderPath`). Equal paths in two accounts
/// are two folders. A literal is a folder of the local account.
package struct FolderID: Hashable, Sendable, ExpressibleByStringLiteral {
  package var account: AccountID
  package var path: String

  package init(_ path: String, of account: AccountID = .local) {
    self.account = account
    self.path = path
  }

  package init(stringLiteral path: String) { self.init(path) }

  /// The folder and its ancestors: for `a/b/c` also `a/b` and `a`.
  package var selfAndParents: [FolderID] {
    var result = [self]
    var path = path
    while let slash = path.lastIndex(of: "/") {
      path = String(path[..<slash])
      result.append(FolderID(path, of: account))
    }
    return result
  }

  /// Whether another folder is this one or one of its descendants.
  package func contains(_ other: FolderID) -> Bool {
    account == other.account && (other.path == path || other.path.hasPrefix(path + "/"))
  }
}

extension Feed {
  /// The folders of the feed.
  package var folderIDs: [FolderID] { folders.map { FolderID($0, of: account.folderOwner) } }
}
