internal import News

internal import struct Foundation.Date

struct SidebarItem: Hashable, Sendable {
  enum Kind: Hashable {
    case smart
    /// The heading of the tags.
    case tags(isOpen: Bool)
    case tag
    case folder(isOpen: Bool)
    case account(isOpen: Bool)
    case feed
  }

  var kind: Kind
  var timeline: Timeline
  var title: String
  /// The number of unread articles; of all for Starred, Later and Due.
  var count: Int
  var isEmpty = false
  var isCounting = false
  var depth: Int
  /// Whether the last fetch failed: its own, or that of a feed inside a closed folder.
  var hasError: Bool
  /// Whether a failure lasts until the user does something, here or inside a closed folder.
  var needsUser = false
  var isGone = false
  /// Whether it failed because the connection cannot be trusted.
  var isUntrusted = false
  var wait: SidebarWait?
}

extension SidebarItem: SelectableRow {
  var selectionID: Timeline { timeline }
}

enum SidebarWait: Hashable, Sendable {
  /// Another attempt of a fetch that is under way.
  case retry(RetryWait)
  /// The next fetch, until then left alone.
  case next(Date)
  /// A network, so that its feed can be looked for.
  case network
  /// So many changes of an account to be sent.
  case unsent(Int)
  /// The end of the first sync of an account.
  case firstSync(AccountSummary.FirstSync)
}
