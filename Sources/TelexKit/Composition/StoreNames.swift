internal import News
internal import Store
internal import Text

/// Names for shell completion. The store is not created, changed or repaired.
package struct StoreNames: Sendable {
  /// Of the feeds, each once.
  package private(set) var addresses: [String] = []
  package private(set) var folders: [String] = []
  package private(set) var tags: [String] = []
  package private(set) var smartFeeds: [String] = []
  package private(set) var accounts: [String] = []

  /// - Parameter folder: nil for the default. All names are empty where there is no store.
  package init(folder: String?) {
    guard let found = Store.glance(at: folder ?? Folders.store, StoreNames.init(reading:)) else {
      return
    }
    self = found
  }

  private init(reading view: StoreView) throws {
    let feeds = try view.feeds.all()
    addresses = Self.distinct(feeds.map { WebAddress.withoutUser($0.url) })
    folders = Self.distinct(feeds.flatMap(\.folders))
    tags = Self.distinct(try view.tags.summaries().map(\.name))
    smartFeeds = try view.smartFeeds.all().map(\.name)
    accounts = Self.distinct(
      try view.accounts.all().filter { $0.id != .local && !$0.isSignedOut }.map(\.base))
  }

  /// In their order; a completion is one line.
  private static func distinct(_ names: [String]) -> [String] {
    Set(names).filter { !$0.isEmpty }.sorted()
  }
}
