internal import Text

/// Account and path of a folder (`FolderPath`). The empty path is the account itself, with all of
/// its feeds. A literal is a folder of the local account.
package struct FolderID: Hashable, Sendable, ExpressibleByStringLiteral {
  package var account: AccountID
  package var path: String

  package init(_ path: String, of account: AccountID = .local) {
    self.account = account
    self.path = path
  }

  package init(stringLiteral path: String) { self.init(path) }

  package var isAccount: Bool { path.isEmpty && account != .local }

  /// The folder and its ancestors: for `a/b/c` also `a/b`, `a`, and an account with folders of its
  /// own.
  package var selfAndParents: [FolderID] {
    var result = [self]
    var path = path
    while let slash = path.lastIndex(of: "/") {
      path = String(path[..<slash])
      result.append(FolderID(path, of: account))
    }
    if account != .local, !path.isEmpty { result.append(FolderID("", of: account)) }
    return result
  }

  /// Whether another folder is this one or a descendant.
  package func contains(_ other: FolderID) -> Bool {
    account == other.account
      && (isAccount || other.path == path || other.path.hasPrefix(path + "/"))
  }
}

extension FolderID {
  /// The path after another folder, this one or an ancestor, has moved.
  ///
  /// - Parameter path: the new path of the other folder; empty for none.
  package func path(moving other: FolderID, to path: String) -> String {
    guard account == other.account else { return self.path }
    if self.path == other.path { return path }
    guard self.path.hasPrefix(other.path + "/") else { return self.path }
    let rest = self.path.dropFirst(other.path.count + 1)
    return path.isEmpty ? String(rest) : "\(path)/\(rest)"
  }
}

extension Feed {
  /// The feed's folders after a folder has moved, each once.
  package func folders(moving folder: FolderID, to path: String) -> [String] {
    var moved: [String] = []
    for place in folders {
      let place = FolderID(place, of: account.folderOwner).path(moving: folder, to: path)
      if !place.isEmpty, !moved.contains(place) { moved.append(place) }
    }
    return moved
  }

  /// The feed's folders; its account where it lies in none of that account.
  package var folderIDs: [FolderID] {
    let owner = account.folderOwner
    guard !folders.isEmpty || owner == .local else { return [FolderID("", of: owner)] }
    return folders.map { FolderID($0, of: owner) }
  }
}

/// Path of a folder: its names from the outermost on, joined by `/`. A slash within a name is
/// written as `∕` (U+2215, division slash), which looks like it.
package enum FolderPath {
  private static let substitute = "\u{2215}"

  /// Leaves out blank names.
  package static func joined(_ names: [String]) -> String {
    names.map { PlainText.sanitized($0).replacing("/", with: substitute) }.filter { !$0.isEmpty }
      .joined(separator: "/")
  }

  package static func names(_ path: String) -> [String] {
    path.split(separator: "/").map { String($0.replacing(substitute, with: "/")) }
  }

  /// The path of a typed text, without blank names.
  package static func typed(_ text: String) -> String {
    text.split(separator: "/").map { PlainText.sanitized(String($0)) }.filter { !$0.isEmpty }
      .joined(separator: "/")
  }
}
