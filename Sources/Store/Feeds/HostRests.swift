package import Foundation
internal import GRDB
internal import Text

/// The rests of hosts that have said that they are asked too often: their feeds are fetched by name only until then.
///
/// Each is stored as a moment, under a digest of the host: the name of none stays when its feeds are removed.
package struct HostRests: Hashable, Sendable {
  fileprivate struct Rest: Hashable, Sendable {
    var since: Date
    var until: Date

    /// Whether it has not ended. One beyond the longest was noted before the clock was set back.
    func isOn(at now: Date) -> Bool {
      since < until && until > now && until <= now.addingTimeInterval(HostRests.longest)
    }
  }

  /// The first rest where the host names no time, and the longest, in seconds.
  fileprivate static let (shortest, longest) = (900.0, 86_400.0)

  // Not `[:]`: that makes the runtime search all conformances of the program at each start.
  fileprivate var rests = [Int64: Rest]()

  /// The end of the rest of the hosts that a feed comes from; nil for none.
  ///
  /// - Parameter redirectedTo: the address that the feed's own led to the last time.
  func end(of url: String, redirectedTo: String?) -> Date? {
    guard !rests.isEmpty else { return nil }
    return [url, redirectedTo].compactMap { $0.flatMap(Self.key).flatMap { rests[$0]?.until } }
      .max()
  }

  /// Whether two addresses are at one host.
  package static func isOneHost(_ address: String, _ other: String) -> Bool {
    key(address) == key(other)
  }

  /// Nil for what has no host.
  fileprivate static func key(_ address: String) -> Int64? {
    guard let host = WebAddress.hostAndPort(of: WebAddress.withASCIIHost(address)) else {
      return nil
    }
    var digest = StableDigest()
    digest.add(host.lowercased())
    return digest.stored
  }
}

extension FetchesView {
  package func hostRests() throws -> HostRests {
    var found = HostRests()
    let rows = try db.cursor(
      "SELECT name, time FROM moment WHERE name > 'rest:' AND name < 'rest;'")
    while let row = try rows.next() {
      let parts = (row[0] as String).split(separator: ":").map { Int64($0) }
      guard parts.count == 3, let key = parts[1], let since = date(parts[2]),
        let until = date(row[1])
      else { continue }
      found.rests[key] = HostRests.Rest(since: since, until: until)
    }
    return found
  }
}

extension FetchesEdit {
  /// Lets the host at an address rest.
  ///
  /// - Parameters:
  ///   - named: the time that it names; nil for a quarter of an hour, or twice as long as its last rest where no good
  ///     answer came since, a day at most.
  ///   - isRefusal: whether it has refused the request; false where it has answered, and takes no other.
  ///   - known: the rests before the request. Where one has begun since, the answer is about that one, as it is about
  ///     one that has not ended: a feed that is named is asked during a rest, and that makes none longer.
  package func rest(
    hostOf address: String, until named: Date?, isRefusal: Bool, knowing known: HostRests, now: Date
  ) throws {
    guard let key = HostRests.key(address) else { return }
    let named = named.map { Date(timeIntervalSince1970: $0.timeIntervalSince1970.rounded(.up)) }
    let last = try view.fetches.hostRests().rests[key]
    var rest: HostRests.Rest
    if let last, last != known.rests[key] || last.isOn(at: now) {
      rest = last
      rest.until = max(last.until, named ?? last.until)
    } else {
      let doubled = last.map { 2 * $0.until.timeIntervalSince($0.since) } ?? 0
      let length = min(max(doubled, HostRests.shortest), HostRests.longest)
      rest = HostRests.Rest(since: now, until: named ?? now.addingTimeInterval(length))
      // A rest after a good answer is none that the next one could double.
      if !isRefusal { rest.since = rest.until }
    }
    try forgetRest(key)
    try db.run(
      "INSERT INTO moment (name, time) VALUES (?, ?)",
      ["rest:\(key):\(seconds(rest.since) ?? 0)", seconds(rest.until)])
  }

  /// Ends the rests of the hosts at these addresses that were known before a request to which they gave a good answer.
  package func endRests(ofHostsOf addresses: [String?], knowing known: HostRests) throws {
    let keys = Set(addresses.compactMap { $0.flatMap(HostRests.key) })
    guard !known.rests.isEmpty, !keys.isEmpty else { return }
    let current = try view.fetches.hostRests()
    for key in keys where current.rests[key] == known.rests[key] { try forgetRest(key) }
  }

  private func forgetRest(_ key: Int64) throws {
    try db.run("DELETE FROM moment WHERE name > ? AND name < ?", ["rest:\(key):", "rest:\(key);"])
  }
}
