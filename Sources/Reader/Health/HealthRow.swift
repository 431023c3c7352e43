internal import Foundation
internal import News
internal import Text

/// The condition of a feed, the most urgent first.
enum FeedCondition: Int, Hashable, CaseIterable {
  case untrusted
  case failing
  /// Not fetched before a certain time.
  case waiting
  /// Answers from another address for the time being.
  case redirected
  /// Answers, and says that it has moved.
  case moved
  /// Answers, and its server tells of a problem beside the articles.
  case remarked
  case gone
  case neverFetched
  case well

  init(_ feed: Feed, wait: RetryWait?, now: Int64) {
    let state = feed.state
    self =
      if state.isGone {
        .gone
      } else if feed.awaitsNetwork {
        .waiting
      } else if state.nextAttempt.map({ $0.seconds > now }) == true
        || wait != nil && state.error == nil
      {
        // One that fails does not leave its place because it is being tried.
        .waiting
      } else if state.error?.kind == .tls {
        .untrusted
      } else if state.error != nil {
        .failing
      } else if state.exchange?.redirectedTo != nil {
        .redirected
      } else if feed.movedTo != nil {
        .moved
      } else if state.remark != nil {
        .remarked
      } else if state.lastAttempt == nil {
        .neverFetched
      } else {
        .well
      }
  }

  var mark: String {
    switch self {
    case .untrusted: "⊘"
    case .failing, .remarked: "!"
    case .waiting: "↻"
    case .redirected, .moved: "→"
    case .gone: "×"
    case .neverFetched: "·"
    case .well: "✓"
    }
  }
}

struct HealthRow: Hashable {
  var feed: Feed
  var condition: FeedCondition
  var wait: RetryWait?
  /// Nil where it is fetched only when asked for.
  var next: NextFetch?
  /// The other subscription that has its new address.
  var twin: Feed?

  var id: FeedID { feed.id }
  var error: SourceError? { feed.state.error }
  /// The address that it can be moved to: that of the redirect, else the one that the feed names.
  var newAddress: String? { feed.state.exchange?.redirectedTo ?? feed.movedTo }

  /// All feeds, the longest failing first, and last the well ones, the stalest of them first.
  ///
  /// - Parameter interval: of feeds that have none of their own.
  static func rows(
    of snapshot: SidebarSnapshot, now: Int64, interval: FetchInterval
  ) -> [HealthRow] {
    let time = Date(timeIntervalSince1970: Double(now))
    var rows = snapshot.feeds.map { feed in
      let wait = snapshot.waits[feed.id]
      return HealthRow(
        feed: feed, condition: FeedCondition(feed, wait: wait, now: now), wait: wait,
        next: feed.nextFetch(at: time, interval: interval))
    }
    for index in rows.indices {
      guard let address = rows[index].newAddress else { continue }
      let (feed, url) = (rows[index].feed, WebAddress.withoutUser(address))
      rows[index].twin = snapshot.feeds.first {
        $0.url == url && $0.id != feed.id && $0.account.id == feed.account.id
      }
    }
    // The order of the titles stands where nothing else tells two apart.
    let keys = rows.enumerated().map { ($1.condition.rawValue, $1.rank, $0) }
    return keys.sorted(by: <).map { rows[$0.2] }
  }

  private var rank: Int64 {
    let state = feed.state
    return switch condition {
    case .untrusted, .failing: (state.failing?.since ?? state.lastAttempt)?.seconds ?? .max
    case .waiting: (wait?.until ?? state.nextAttempt)?.seconds ?? .max
    case .well: state.lastSuccess?.seconds ?? .min
    case .redirected, .moved, .remarked, .gone, .neverFetched: 0
    }
  }
}

extension HealthRow: SelectableRow {
  var selectionID: FeedID { id }
}
