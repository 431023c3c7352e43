internal import Text

/// Subscriptions as a list that a user keeps as text. Without names and passwords.
///
/// `SubscriptionText` in Syndication reads and writes it. The program does not import that, but
/// shows what was read.
package struct SubscriptionList: Hashable, Sendable {
  /// Account whose server keeps the subscriptions, independent of the device.
  package struct Owner: Hashable, Sendable, Comparable {
    package var base: String
    /// May be empty.
    package var user: String

    package init(base: String, user: String) {
      self.base = base
      self.user = user
    }

    package static func < (a: Owner, b: Owner) -> Bool { (a.base, a.user) < (b.base, b.user) }
  }

  package struct Feed: Hashable, Sendable {
    /// Nil for a feed that is added by its address.
    package var owner: Owner?
    /// Without name and password.
    package var url: String
    /// Other addresses that stand for it in lists.
    package var otherURLs: [String] = []
    /// The user's own title; nil for that of the feed or of its server.
    package var title: String?
    /// Paths, sorted, each once.
    package private(set) var folders: [String] = []
    /// Values that differ from the default.
    package var settings: [FeedSetting: String] = [:]
    package var proxy: FeedProxy?
    /// Whether it needs a recipe, which no list contains.
    package var hasRecipe = false

    /// Nil in a list that was read from text.
    package var id: FeedID?
    /// Its title without one of the user's.
    package var name: String?

    package init(
      owner: Owner? = nil, url: String, title: String? = nil, folders: [String] = [],
      settings: [FeedSetting: String] = [:], proxy: FeedProxy? = nil, hasRecipe: Bool = false
    ) {
      self.owner = owner
      self.url = url
      self.title = title.map(PlainText.sanitized).flatMap { $0.isEmpty ? nil : $0 }
      self.settings = settings
      self.proxy = proxy
      self.hasRecipe = hasRecipe
      file(into: folders)
    }

    /// Replaces its folders.
    package mutating func file(into folders: [String]) {
      self.folders = Set(folders.map(SubscriptionList.path)).subtracting([""]).sorted()
    }

    package var displayTitle: String {
      title ?? name ?? WebAddress.withoutScheme(WebAddress.withoutUser(url))
    }
  }

  package var feeds: [Feed]

  package init(_ feeds: [Feed] = []) { self.feeds = feeds }

  /// By account, folder and address.
  package var sorted: SubscriptionList {
    func place(_ feed: Feed) -> (String, String, String, String) {
      (feed.owner?.base ?? "", feed.owner?.user ?? "", feed.folders.first ?? "", feed.url)
    }
    return SubscriptionList(feeds.sorted { place($0) < place($1) })
  }

  /// The path of a typed folder.
  package static func path(_ text: String) -> String { FolderPath.typed(text) }

  /// Normal form of an address, to be compared. A fragment stays: it distinguishes the connections
  /// of one GraphQL server.
  package static func key(_ url: String) -> String {
    let parts = WebAddress.withoutUser(url).split(
      separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let address = parts.first.map(String.init) ?? ""
    let key = (try? WebAddress.normalized(address)) ?? address
    return parts.count > 1 ? "\(key)#\(parts[1])" : key
  }
}

/// Difference of one feed between two lists.
package struct SubscriptionListChange: Hashable, Sendable {
  package enum Part: Hashable, Sendable {
    /// It moves to this account with its articles and marks; nil for none.
    case account(SubscriptionList.Owner?)
    /// Nil for the title of the feed.
    case title(String?)
    case folders([String])
    /// Nil for the default.
    case setting(FeedSetting, String?)
    /// Nil for that of the settings.
    case proxy(FeedProxy?)
  }

  /// Nil for an addition.
  package let before: SubscriptionList.Feed?
  /// Nil for a removal.
  package let after: SubscriptionList.Feed?

  package init(from before: SubscriptionList.Feed?, to after: SubscriptionList.Feed?) {
    self.before = before
    self.after = after
  }

  package var isAddition: Bool { before == nil }
  package var isRemoval: Bool { after == nil }
  package var url: String { after?.url ?? before?.url ?? "" }
  package var displayTitle: String { (before ?? after)?.displayTitle ?? "" }

  /// The changed properties; for an addition, its properties.
  package var parts: [Part] {
    guard let after else { return [] }
    let before = before ?? SubscriptionList.Feed(owner: after.owner, url: after.url)
    var parts: [Part] = []
    if after.owner != before.owner { parts.append(.account(after.owner)) }
    if after.title != before.title {
      // A server's name for a feed is no title of the user's here.
      let isThere = after.owner != nil && after.title != nil && after.title == before.name
      if !isThere { parts.append(.title(after.title)) }
    }
    if after.folders != before.folders { parts.append(.folders(after.folders)) }
    for setting in FeedSetting.allCases where after.settings[setting] != before.settings[setting] {
      parts.append(.setting(setting, after.settings[setting]))
    }
    if after.proxy != before.proxy { parts.append(.proxy(after.proxy)) }
    return parts
  }
}

extension SubscriptionList {
  /// Changes from this list to another: additions and changes in its order, then removals. Feeds
  /// are the same by account and address, or by a former address.
  ///
  /// - Parameter removesOthers: whether feeds that the other list does not name are removed.
  package func changes(
    to wanted: SubscriptionList, removesOthers: Bool
  ) -> [SubscriptionListChange] {
    struct Name: Hashable {
      let owner: Owner?
      let key: String

      init(_ feed: Feed, _ url: String) {
        owner = feed.owner
        key = SubscriptionList.key(url)
      }
    }
    var own: [Name: Int] = [:]
    var others: [Name: Int] = [:]
    for (index, feed) in feeds.enumerated() {
      own[Name(feed, feed.url)] = own[Name(feed, feed.url)] ?? index
      for url in feed.otherURLs { others[Name(feed, url)] = others[Name(feed, url)] ?? index }
    }
    let exact = wanted.feeds.map { own[Name($0, $0.url)] }
    var found = Set(exact.compactMap(\.self))
    var changes: [SubscriptionListChange] = []
    for (feed, index) in zip(wanted.feeds, exact) {
      var place = index
      if place == nil, let other = others[Name(feed, feed.url)] {
        // Listed by both of its addresses: the present one counts.
        guard found.insert(other).inserted else { continue }
        place = other
      }
      let change = SubscriptionListChange(from: place.map { feeds[$0] }, to: feed)
      if change.isAddition || !change.parts.isEmpty { changes.append(change) }
    }
    guard removesOthers else { return changes }
    for (index, feed) in feeds.enumerated() where !found.contains(index) {
      // Added in one account and removed from another, it has moved.
      let place = changes.firstIndex { change in
        change.isAddition && Self.key(change.url) == Self.key(feed.url)
      }
      if let place {
        changes[place] = SubscriptionListChange(from: feed, to: changes[place].after)
      } else {
        changes.append(SubscriptionListChange(from: feed, to: nil))
      }
    }
    return changes
  }
}
