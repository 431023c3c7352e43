internal import News

/// The tree of folders of the feeds, in which an account that keeps subscriptions is a folder around its own.
/// It is made by loops alone, without recursion: an imported list
/// of feeds may nest folders to any depth.
struct FolderTree {
  struct Folder {
    var name: String
    var id: FolderID
    var parent: Int?
    var folders: [Int] = []
    /// Indices of the feeds directly in it, in the order of the feeds.
    var feeds: [Int] = []
    /// Of all feeds inside, each counted once.
    var unread = 0
    var count = 0
    /// The sum of the numbers that its feeds are sorted by.
    var sortingCount = 0
    var hasError = false
    var needsUser = false
    var places: [Place: Int] = [:]
    /// The feed that was counted last.
    var lastFeed = -1
  }

  /// A name within a folder. Equal names of two accounts are two folders.
  struct Place: Hashable {
    var account: AccountID
    var name: Substring
  }

  private(set) var folders = [Folder(name: "", id: "")]

  /// - Parameters:
  ///   - accounts: those that are there even without a feed.
  ///   - kept: folders that are.
  ///   - counts: what folders are sorted by before their names, the largest sum of those of their feeds first.
  init(
    _ feeds: [Feed], accounts: [AccountID] = [], kept: [FolderID] = [],
    sortedBy counts: [FeedID: Int] = [:]
  ) {
    for account in accounts { _ = place(of: FolderID("", of: account)) }
    for folder in kept { _ = place(of: folder) }
    // Most feeds are in a folder that another one is in too.
    var known: [FolderID: Int] = [:]
    for (number, feed) in feeds.enumerated() {
      for folder in feed.folderIDs {
        let place = known[folder] ?? place(of: folder)
        known[folder] = place
        folders[place].feeds.append(number)
        var around: Int? = place
        while let index = around, folders[index].lastFeed != number {
          folders[index].lastFeed = number
          folders[index].count += 1
          folders[index].unread += feed.counts.unread
          folders[index].sortingCount += counts[feed.id] ?? 0
          if feed.showsFailure { folders[index].hasError = true }
          if feed.needsUser { folders[index].needsUser = true }
          around = folders[index].parent
        }
      }
    }
    let names = folders.map { $0.name.lowercased() }
    let accounts = folders.map(\.id.account)
    let sums = folders.map(\.sortingCount)
    for index in folders.indices {
      folders[index].folders.sort {
        (-sums[$0], names[$0], accounts[$0]) < (-sums[$1], names[$1], accounts[$1])
      }
    }
  }

  private mutating func place(of folder: FolderID) -> Int {
    var index = folder.account == .local ? 0 : place(of: folder.account)
    for name in folder.path.split(separator: "/") {
      let place = Place(account: folder.account, name: name)
      if let next = folders[index].places[place] {
        index = next
        continue
      }
      let around = folders[index].id.path
      let path = around.isEmpty ? String(name) : around + "/" + name
      folders.append(
        Folder(name: String(name), id: FolderID(path, of: folder.account), parent: index))
      folders[index].places[place] = folders.count - 1
      folders[index].folders.append(folders.count - 1)
      index = folders.count - 1
    }
    return index
  }

  private mutating func place(of account: AccountID) -> Int {
    let place = Place(account: account, name: "")
    if let known = folders[0].places[place] { return known }
    folders.append(Folder(name: "", id: FolderID("", of: account), parent: 0))
    folders[0].places[place] = folders.count - 1
    folders[0].folders.append(folders.count - 1)
    return folders.count - 1
  }
}
