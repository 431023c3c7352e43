package import News
internal import Text

/// Schedule of the feeds to fetch: limits how many are fetched at once, in total and per host.
/// Pure.
package struct RefreshQueue: Sendable {
  private let concurrent: Int
  private let perHost: Int
  private var order = FetchQueue<FeedID>()
  private var waiting: [FeedID: Feed] = [:]
  private var inFlight: [String: Int] = [:]
  private var running = 0

  package init(concurrent: Int, perHost: Int) {
    self.concurrent = max(1, concurrent)
    self.perHost = max(1, perHost)
  }

  package var isEmpty: Bool { waiting.isEmpty && running == 0 }

  /// Adds feeds that wait to be fetched: those the user asked for come before all others.
  package mutating func add(_ feeds: [Feed], in lane: FetchQueue<FeedID>.Lane) {
    for feed in feeds {
      waiting[feed.id] = feed
      order.add(feed.id, in: lane)
    }
  }

  /// Moves a feed from the background to the user's lane.
  package mutating func promote(_ feed: Feed) {
    if waiting[feed.id] != nil { order.add(feed.id, in: .asked) }
  }

  /// The next feed to fetch; nil while every waiting feed would exceed a limit.
  package mutating func next() -> Feed? {
    guard running < concurrent else { return nil }
    // Taken out of `self`, whose other properties the closure reads.
    var order = FetchQueue<FeedID>()
    swap(&order, &self.order)
    let id = order.next { id in
      waiting[id].map { inFlight[Self.host(of: $0), default: 0] < perHost } ?? false
    }
    swap(&order, &self.order)
    guard let id, let feed = waiting.removeValue(forKey: id) else { return nil }
    inFlight[Self.host(of: feed), default: 0] += 1
    running += 1
    return feed
  }

  /// Releases the place of a feed that was returned by `next`.
  package mutating func finished(_ feed: Feed) {
    let host = Self.host(of: feed)
    running -= 1
    inFlight[host, default: 1] -= 1
    if inFlight[host] == 0 { inFlight[host] = nil }
  }

  private static func host(of feed: Feed) -> String {
    // With the port; all files have an empty host.
    let host = WebAddress.authority(of: feed.url)?.lowercased() ?? ""
    // Its hosts have one rate limit: more of them would only wait, until their time is up.
    return host.hasSuffix(".reddit.com") ? "reddit.com" : host
  }
}
