/// Name of a value that several devices share: a mark of an article, or a property of a feed.
package struct LogRegister: Hashable, Sendable, Codable {
  /// `LogRegister.read` and so on. Those of later versions are kept and not applied.
  package var kind: String
  /// The address that was subscribed to, which a redirect does not change.
  package var feed: String
  /// The id of the entry; empty for a property of the feed.
  package var article: String
  /// The name of a tag; empty for other kinds.
  package var detail: String

  package init(_ kind: String, feed: String, article: String = "", detail: String = "") {
    self.kind = kind
    self.feed = feed
    self.article = article
    self.detail = detail
  }

  // The kinds are written to files and never change their meaning. The values of the first five are
  // "1" and "0".

  package static let read = "read"
  package static let star = "star"
  package static let tag = "tag"
  package static let feed = "feed"
  /// Whether the user has typed the feed's address, which may then lead to a private host.
  package static let typed = "typed"
  /// Empty for the feed's own.
  package static let title = "title"
  /// One path a line.
  package static let folders = "folders"
}

/// Value that one device has given to a register.
package struct LogRecord: Hashable, Sendable, Codable {
  package var register: LogRegister
  package var value: String
  /// Microseconds since 1970 by that device's clock, or later (`LogClock`).
  package var stamp: Int64
  /// The id of the device.
  package var machine: String

  package init(_ register: LogRegister, _ value: String, stamp: Int64, machine: String) {
    self.register = register
    self.value = value
    self.stamp = stamp
    self.machine = machine
  }

  /// Whether it replaces another record of its register: by the later stamp, then the greater id,
  /// then the greater value. A total order, so that all devices agree whatever order records come
  /// in.
  package func wins(over other: LogRecord) -> Bool {
    (stamp, machine, value) > (other.stamp, other.machine, other.value)
  }
}

/// Hybrid logical clock for each register.
///
/// A record's stamp is the time of day, but later than that of the record it replaces, so that a
/// change wins over one it knew of, however wrong the clocks are. A clock that is years ahead
/// affects only the registers written meanwhile.
package enum LogClock {
  /// Records beyond it are damage.
  package static let limit = Int64(1) << 62

  /// - Parameters:
  ///   - time: the time of day in microseconds since 1970.
  ///   - former: the stamp of the replaced record; nil for none.
  package static func stamp(at time: Int64, after former: Int64?) -> Int64 {
    min(max(time, 0, former.map { $0 + 1 } ?? 0), limit)
  }
}
