internal import News

/// The tree of folders of the feeds. It is made by loops alone, without recursion: an imported list
/// of feeds may nest folders to any depth.
struct FolderTree {
  struct Folder {
    var name: String
    var path: String
    var parent: Int?
    /// In the order of their names.
    var folders: [Int] = []
    /// Indices of the feeds directly in it, in the order of the feeds.
    var feeds: [Int] = []
    /// Of all feeds inside, each counted once.
    var unread = 0
    var hasError = false
    var places: [Substring: Int] = [:]
    /// The feed that was counted last.
    var lastFeed = -1
  }

  /// The first one is the root.
  private(set) var folders = [Folder(name: "", path: "")]

  init(_ feeds: [Feed]) {
    for (number, feed) in feeds.enumerated() {
      for path in feed.folders {
        let place = place(of: path)
        folders[place].feeds.append(number)
        var around: Int? = place
        while let index = around, folders[index].lastFeed != number {
          folders[index].lastFeed = number
          folders[index].unread += feed.counts.unread
          if feed.state.isFailing { folders[index].hasError = true }
          around = folders[index].parent
        }
      }
    }
    let names = folders.map { $0.name.lowercased() }
    for index in folders.indices { folders[index].folders.sort { names[$0] < names[$1] } }
  }

  private mutating func place(of path: String) -> Int {
    var index = 0
    for name in path.split(separator: "/") {
      if let next = folders[index].places[name] {
        index = next
        continue
      }
      let around = folders[index].path
      folders.append(
        Folder(
          name: String(name), path: around.isEmpty ? String(name) : around + "/" + name,
          parent: index))
      folders[index].places[name] = folders.count - 1
      folders[index].folders.append(folders.count - 1)
      index = folders.count - 1
    }
    return index
  }
}
