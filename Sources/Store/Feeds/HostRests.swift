package import Foundation
internal import GRDB
internal import Text

/// Rests of hosts that are asked too often: until then their feeds are fetched by name only.
///
/// Stored as moments under a digest of the host, so that no name stays when its feeds are removed.
package struct HostRests: Hashable, Sendable {
  fileprivate struct Rest: Hashable, Sendable {
    var since: Date
    var until: Date

    /// Whether the rest is not over. One beyond the longest was noted before the clock was set
    /// back.
    func isOn(at now: Date) -> Bool {
      since < until && until > now && until <= now.addingTimeInterval(HostRests.longest)
    }
  }

  /// The first rest where the host names no time, and the longest, in seconds.
  fileprivate static let (shortest, longest) = (900.0, 86_400.0)

  // Not `[:]`: that makes the runtime search all conformances of the program at each start.
  fileprivate var rests = [Int64: Rest]()

  /// The end of the rest of a feed's hosts; nil for none.
  ///
  /// - Parameter redirectedTo: the last target of redirects.
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
  /// Lets a host rest.
  ///
  /// - Parameters:
  ///   - named: the time that the host names; nil for 15 minutes, or twice the last rest if no good
  ///     answer came since, a day at most.
  ///   - isRefusal: whether the request was refused; false where it was answered and no other is
  ///     allowed.
  ///   - known: the rests before the request. A rest that has begun since, or is not over, does not
  ///     get longer by this answer.
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
      // A rest after a good answer is not doubled by the next one.
      if !isRefusal { rest.since = rest.until }
    }
    try forgetRest(key)
    try db.run(
      "INSERT INTO moment (name, time) VALUES (?, ?)",
      ["rest:\(key):\(seconds(rest.since) ?? 0)", seconds(rest.until)])
  }

  /// Ends the rests of hosts that have given a good answer, as far as they were known before the
  /// request.
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
