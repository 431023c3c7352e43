/// Name of one value that several machines share: a mark of an article, or a property of a feed.
///
/// Two machines mean the same register where all four parts are the same text.
package struct LogRegister: Hashable, Sendable, Codable {
  /// What the value is about (`LogRegister.read` and so on). Machines of a later version may write others,
  /// which are kept and not applied.
  package var kind: String
  /// The address of the feed as it was subscribed to, which a redirect does not change.
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

  // The kinds are written to files, and never change their meaning. The values of the first five are "1" and
  // "0".

  /// Whether an article is read.
  package static let read = "read"
  /// Whether an article is starred.
  package static let star = "star"
  /// Whether an article has the tag of that name.
  package static let tag = "tag"
  /// Whether there is a subscription to the feed.
  package static let feed = "feed"
  /// Whether the user has typed the feed's address, which may then lead to a private host.
  package static let typed = "typed"
  /// The user's own name for the feed; empty for none.
  package static let title = "title"
  /// The paths of the folders that the feed lies in, one a line.
  package static let folders = "folders"
}

/// Value that one machine has given to a register.
package struct LogRecord: Hashable, Sendable, Codable {
  package var register: LogRegister
  package var value: String
  /// When it was given, in microseconds since 1970 by that machine's clock, or later (`LogClock`).
  package var stamp: Int64
  /// The id of the machine.
  package var machine: String

  package init(_ register: LogRegister, _ value: String, stamp: Int64, machine: String) {
    self.register = register
    self.value = value
    self.stamp = stamp
    self.machine = machine
  }

  /// Whether it takes the place of another record of the same register: the later stamp counts, between
  /// equal ones the greater id of the machine, then the greater value. A total order, so that all machines
  /// come to the same value in whatever order, and however often, records reach them.
  package func wins(over other: LogRecord) -> Bool {
    (stamp, machine, value) > (other.stamp, other.machine, other.value)
  }
}

/// Clock of the stamps of records: a hybrid logical clock for each register.
///
/// A new record is stamped with the time of day, but always later than the record that it replaces. So a
/// change that was made knowing another one wins over it, however wrong the clocks are. A clock that is
/// years ahead costs the registers that were written meanwhile the physical meaning of their stamps, and
/// nothing else: it moves no other register.
package enum LogClock {
  /// The largest stamp. Records beyond it are damage.
  package static let limit = Int64(1) << 62

  /// - Parameters:
  ///   - time: the time of day in microseconds since 1970.
  ///   - former: the stamp of the record that is replaced; nil where there is none.
  package static func stamp(at time: Int64, after former: Int64?) -> Int64 {
    min(max(time, 0, former.map { $0 + 1 } ?? 0), limit)
  }
}
