package import News

/// Which feed is fetched next: a pure schedule that keeps the bounds in total and per host.
package struct RefreshQueue: Sendable {
  private let concurrent: Int
  private let perHost: Int
  private var waiting: [Feed]
  private var inFlight: [String: Int] = [:]
  private var running = 0

  package init(_ feeds: [Feed], concurrent: Int, perHost: Int) {
    self.concurrent = max(1, concurrent)
    self.perHost = max(1, perHost)
    // Taken from the end: the first feed is last.
    waiting = feeds.reversed()
  }

  package var isEmpty: Bool { waiting.isEmpty && running == 0 }

  /// Feeds that were asked for while others are being fetched; they go first.
  package mutating func add(_ feeds: [Feed]) { waiting.append(contentsOf: feeds.reversed()) }

  /// A feed that may be fetched now; nil while every waiting one would break a bound.
  package mutating func next() -> Feed? {
    guard running < concurrent else { return nil }
    guard
      let index = waiting.lastIndex(where: { inFlight[host(of: $0), default: 0] < perHost })
    else { return nil }
    let feed = waiting.remove(at: index)
    inFlight[host(of: feed), default: 0] += 1
    running += 1
    return feed
  }

  package mutating func finished(_ feed: Feed) {
    let host = host(of: feed)
    running -= 1
    inFlight[host, default: 1] -= 1
    if inFlight[host] == 0 { inFlight[host] = nil }
  }

  private func host(of feed: Feed) -> String {
    // Between the scheme and the path; files share the empty host.
    guard let start = feed.url.firstRange(of: "://")?.upperBound else { return "" }
    return feed.url[start...].prefix { $0 != "/" && $0 != "?" }.lowercased()
  }
}
