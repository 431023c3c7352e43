internal import News
internal import Text

enum OutboxStrings {
  static let empty = "No changes are waiting to be sent."
  static let purpose = "Marks, subscriptions and comments wait here to be sent to their servers."
  static let severalServers = "several servers"
  static let sendAll = "send all"
  static let sending = "Sending the outbox …"
  static func sent(waiting count: Int) -> String {
    count == 0 ? "All changes are sent." : "Still waiting to be sent: \(quantity(count, "change"))."
  }
  static func removed(_ removed: Int, of count: Int) -> String {
    guard removed > 0 else {
      return count == 1
        ? "This change had already been sent." : "These changes had already been sent."
    }
    let changes = count == 1 ? "the change" : quantity(removed, "change")
    let sent = removed == count ? "" : "; \(count - removed) had already been sent"
    return "Removed \(changes) from the outbox without sending\(sent)."
  }
  static func remove(_ changes: [WaitingChange]) -> String {
    guard let change = changes.first, changes.count == 1 else {
      return "Remove \(changes.count) changes without sending"
    }
    return "Remove without sending: \(name(of: change)), \(subject(of: change))"
  }
  static let oneVersion = "This change has no conflict to decide."
  static func name(of change: WaitingChange) -> String {
    switch change.kind {
    case .mark(let mark) where mark.kind == .starred: mark.isSet ? "star" : "unstar"
    case .mark(let mark): mark.isSet ? "read" : "unread"
    case .batch(let isRead, _): isRead ? "read" : "unread"
    case .comment: "comment"
    case .edit: "edit"
    case .tag(_, let isSet): isSet ? "tag" : "untag"
    case .later: "later"
    case .subscription(let change):
      switch change.kind {
      case .add: "subscribe"
      case .remove: "unsubscribe"
      case .rename: "rename"
      case .file: "move"
      }
    }
  }
  static func subject(of change: WaitingChange) -> String {
    switch change.kind {
    case .batch(_, let count): count.map { quantity($0, "article") } ?? "many articles"
    case .subscription(let subscription): subject(of: subscription, called: change.feedTitle)
    case .mark, .comment, .edit, .tag, .later: change.title ?? "deleted article"
    }
  }
  private static func subject(of change: SubscriptionChange, called title: String?) -> String {
    let feed = title ?? change.url
    return switch change.kind {
    case .add, .remove: feed
    case .rename(let title): "\(title) (\(WebAddress.host(of: change.url) ?? change.url))"
    case .file(let folders): folders.isEmpty ? feed : "\(feed) → \(folders.joined(separator: ", "))"
    }
  }
  static func notSent(attempts: Int) -> String { attempts == 0 ? "Not sent yet." : "Not sent." }
  static func failed(_ attempts: Int) -> String {
    attempts == 1 ? "once, without success" : "\(attempts) times, without success"
  }
  static func words(of change: WaitingChange) -> String {
    switch change.kind {
    case .mark(let mark) where mark.kind == .starred: mark.isSet ? "starred" : "unstarred"
    case .mark(let mark): mark.isSet ? "marked as read" : "marked as unread"
    case .batch(let isRead, _): isRead ? "all marked as read" : "all marked as unread"
    case .comment: "new comment"
    case .edit: "edited comment"
    case .tag(let name, let isSet): isSet ? "tagged \(name)" : "tag \(name) removed"
    case .later: "added to the reading list of the server"
    case .subscription(let change):
      switch change.kind {
      case .add: "subscribed"
      case .remove: "unsubscribed"
      case .rename(let title): "renamed to \(title)"
      case .file(let folders):
        folders.isEmpty ? "moved out of all folders" : "moved to \(folders.joined(separator: ", "))"
      }
    }
  }
}

extension WaitingChange {
  /// The next attempt, as far as that is known.
  func next(in state: ReaderState) -> String {
    let clock = state.clock
    let key = state.key
    if isGone { return "Never: the article was deleted. \(key(.remove)) removes this change." }
    if conflict != nil { return "After you decide which text to keep. \(key(.open)) shows both." }
    if isRefused {
      return
        "Only when you ask. \(key(.refresh)) sends all changes again, \(key(.remove)) removes this one."
    }
    let next = error?.nextAttempt.flatMap { $0.seconds > clock.now ? clock.wait($0) : nil }
    return (next.map { "At the first refresh in \($0) or later." } ?? "At the next refresh.")
      + " \(key(.refresh)) sends all changes now."
  }
}
