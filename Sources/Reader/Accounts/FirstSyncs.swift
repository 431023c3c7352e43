internal import News

extension ReaderState {
  /// An account that is being fetched for the first time and whose articles a list shows; nil where there is none.
  func firstSync(in timeline: Timeline) -> AccountSummary? {
    subscriptions.accounts.first { account in
      guard account.firstSync != nil else { return false }
      switch timeline.unlimited {
      case .all, .unread: return true
      case .folder(let folder): return folder.account == account.id
      case .feed(let id):
        return subscriptions.feeds.contains { $0.id == id && $0.account.id == account.id }
      case .starred, .search, .matching: return false
      }
    }
  }
}

extension AccountSummary.FirstSync {
  /// How many articles have come, and of how many; nil before the first.
  var words: String? {
    guard articles > 0 || total != nil else { return nil }
    let of = total.map { " of \($0)" } ?? ""
    return "\(articles)\(of) article\((total ?? articles) == 1 ? "" : "s")"
  }

  /// The same in a few columns.
  var short: String { total.map { "\(articles)/\($0)" } ?? (articles > 0 ? "\(articles)" : "…") }
}
