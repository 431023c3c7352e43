internal import Foundation
package import News
internal import Repository
internal import Store

/// Use cases of folders. A folder exists while it has feeds; one that the user made or a list
/// contained, until it is removed.
extension Subscriptions {
  /// A folder with the feeds in it and in the folders below it.
  package struct Folder: Sendable {
    package let id: FolderID
    /// Nil for the local account.
    package let account: Account?
    package let feeds: Int
    package let counts: ArticleCounts
  }

  /// All folders, those of the local account first, then by their paths.
  package func folders() throws -> [Folder] {
    try composition.store.viewNow { try Self.feedsAndFolders(in: $0) }.folders
  }

  /// The feeds and all folders, for a process that reads little else.
  package func feedsAndFolders() throws -> (feeds: [Feed], folders: [Folder]) {
    try composition.store.firstView { try Self.feedsAndFolders(in: $0) }
  }

  private static func feedsAndFolders(
    in view: StoreView
  ) throws -> (feeds: [Feed], folders: [Folder]) {
    let feeds = try view.feeds.all()
    var lists: [FolderID: [Feed]] = [:]
    for id in try view.outlines.keptFolders().flatMap(\.selfAndParents) { lists[id] = [] }
    for feed in feeds {
      // A feed in two folders below one counts once for that.
      for id in Set(feed.folderIDs.flatMap(\.selfAndParents)) where !id.path.isEmpty {
        lists[id, default: []].append(feed)
      }
    }
    let accounts = Dictionary(feeds.map { ($0.account.id, $0.account) }) { first, _ in first }
    let folders = lists.map { id, feeds in
      Folder(
        id: id, account: id.account == .local ? nil : accounts[id.account], feeds: feeds.count,
        counts: feeds.reduce(ArticleCounts()) { $0 + $1.counts })
    }
    return (feeds, folders.sorted { ($0.id.account, $0.id.path) < ($1.id.account, $1.id.path) })
  }

  /// Makes a folder of the local account, which stays without feeds.
  ///
  /// - Throws: `SourceError` of stage `.arguments` where the path is none, or the folder exists.
  package func addFolder(_ typed: String) async throws -> FolderID {
    let path = FolderPath.typed(typed)
    guard !path.isEmpty else {
      throw SourceError.argument(typed, "the name is empty", next: "nothing has changed")
    }
    let now = Date()
    guard try await composition.store.edit({ try $0.actions.addFolder(path, now: now) }) else {
      throw SourceError.argument(
        path, "this folder already exists", next: "telex folders lists the folders")
    }
    return FolderID(path)
  }

  /// Renames a folder, or merges it into an existing one.
  ///
  /// - Returns: the number of moved feeds.
  /// - Throws: `SourceError` where the path is none, or the server refuses that; nothing changes.
  package func move(_ folder: FolderID, to typed: String) async throws -> Int {
    let path = FolderPath.typed(typed)
    guard !path.isEmpty else {
      throw SourceError.argument(folder.path, "the new name is empty", next: "nothing has changed")
    }
    guard path != folder.path else { return 0 }
    return try await composition.repository.move(folder, to: path)
  }

  /// Removes a folder. Its feeds move to the folder around it.
  ///
  /// - Returns: the number of its feeds.
  package func removeFolder(_ folder: FolderID) async throws -> Int {
    let names = folder.path.split(separator: "/").dropLast()
    return try await composition.repository.move(folder, to: names.joined(separator: "/"))
  }
}

extension FolderPath {
  /// Paths as a user types them; an empty one is left out.
  static func typed(_ paths: [String]) -> [String] { paths.map(typed).filter { !$0.isEmpty } }
}
