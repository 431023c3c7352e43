internal import News

extension SidebarSnapshot {
  /// An account that is being fetched for the first time and whose articles a list shows; nil where there is none.
  func firstSync(in timeline: Timeline) -> AccountSummary? {
    accounts.first { account in
      guard account.firstSync != nil else { return false }
      switch timeline.unlimited {
      case .all, .unread: return true
      case .folder(let folder): return folder.account == account.id
      case .feed(let id):
        return feeds.contains { $0.id == id && $0.account.id == account.id }
      case .starred, .search, .matching: return false
      }
    }
  }

  // MARK: Accounts of servers

  /// Accounts whose servers keep subscriptions, in the order of their names.
  var accountsOfServers: [Account] {
    var known: Set<AccountID> = []
    return (accounts.map(\.account) + feeds.map(\.account)).lazy
      .filter { $0.capabilities.contains(.subscriptions) && known.insert($0.id).inserted }
      .sorted { ($0.displayName, $0.id) < ($1.displayName, $1.id) }
  }

  func accountOfServer(of feed: Feed) -> Account? {
    accountsOfServers.first { $0.id == feed.account.id }
  }

  /// The account of the selected feed or folder, where its server keeps subscriptions.
  func accountOfServer(of timeline: Timeline) -> Account? {
    switch timeline {
    case .feed(let id): feeds.first { $0.id == id }.flatMap { accountOfServer(of: $0) }
    case .folder(let folder): accountsOfServers.first { $0.id == folder.account }
    default: nil
    }
  }

  /// The account after another one to subscribe in; nil is the feeds that are fetched from here.
  func account(after account: Account?) -> Account? {
    let accounts = accountsOfServers
    guard let account else { return accounts.first }
    let next = accounts.firstIndex { $0.id == account.id }.map { $0 + 1 } ?? 0
    return next < accounts.count ? accounts[next] : nil
  }
}

extension AccountSummary.FirstSync {
  /// How many articles have come, and of how many; nil before the first.
  var words: String? {
    guard articles > 0 || total != nil else { return nil }
    return total.map { "\(articles) of \(quantity($0, "article"))" }
      ?? quantity(articles, "article")
  }

  /// Its short form, for a few columns.
  var short: String { total.map { "\(articles)/\($0)" } ?? (articles > 0 ? "\(articles)" : "…") }
}
