internal import Text

package import struct Foundation.Date

/// Download of an article's file, or upload of a file for a comment on it.
package struct Transfer: Hashable, Sendable, Identifiable {
  package enum State: String, Hashable, Sendable, Codable {
    /// It is next, or a process has to be started for it.
    case waiting
    case running
    case paused
    case done
    case failed

    /// Whether it is unfinished without a stop by the user.
    package var isOpen: Bool { self == .waiting || self == .running }
  }

  /// Change of a download by the user.
  package enum Change: Hashable, Sendable {
    case pause, resume
    /// Drops it with its part; a complete file stays.
    case cancel
    /// Change of its place in the order.
    case up, down, first, last
  }

  package let id: Int64
  package var article: ArticleID
  /// Titles of the article and its feed at the request.
  package var title: String
  package var feedTitle: String
  /// Without user, password and query.
  package var address: String
  package var state: State
  /// The size so far.
  package var bytes: Int64
  /// The whole size; nil where the server has not stated it.
  package var total: Int64?
  /// Smoothed, in bytes a second; nil while it is not running.
  package var rate: Double?
  /// The path of the present or future file; nil before the first byte.
  package var path: String?
  package var error: SourceError?
  package var nextAttempt: Date?
  package var created: Date
  package var ended: Date?
  /// Whether a setting of the feed requested it.
  package var isAutomatic: Bool
  /// Whether the file at `path` is sent to the API at `address`.
  package var isUpload: Bool

  package init(
    id: Int64, article: ArticleID, title: String, feedTitle: String, address: String,
    state: State = .waiting, bytes: Int64 = 0, total: Int64? = nil, rate: Double? = nil,
    path: String? = nil, error: SourceError? = nil, nextAttempt: Date? = nil, created: Date,
    ended: Date? = nil, isAutomatic: Bool = false, isUpload: Bool = false
  ) {
    self.id = id
    self.article = article
    self.title = title
    self.feedTitle = feedTitle
    self.address = address
    self.state = state
    self.bytes = bytes
    self.total = total
    self.rate = rate
    self.path = path
    self.error = error
    self.nextAttempt = nextAttempt
    self.created = created
    self.ended = ended
    self.isAutomatic = isAutomatic
    self.isUpload = isUpload
  }

  /// From 0 to 1; nil for an unknown size.
  package var share: Double? {
    if state == .done { return 1 }
    guard let total, total > 0 else { return nil }
    return min(1, max(0, Double(bytes) / Double(total)))
  }

  /// Rounded down: 100 only for a complete file.
  package var percent: Int? { share.map { Int($0 * 100) } }

  /// Nil where it is unknown.
  package var secondsLeft: Int64? {
    guard state == .running, let total, let rate, rate >= 1, total > bytes else { return nil }
    return Int64(clamping: Int((min(Double(total - bytes) / rate, 1e9)).rounded(.up)))
  }

  /// The name of the file, else the last part of its address.
  package var name: String {
    let place = path ?? address
    let last = place.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    return last.isEmpty ? place : String(last)
  }
}

/// All downloads, in order.
package struct TransferSnapshot: Hashable, Sendable {
  package var transfers: [Transfer]

  package init(_ transfers: [Transfer] = []) { self.transfers = transfers }

  /// The latest unfinished download of an article's files; else the latest finished one.
  package func transfer(of article: ArticleID) -> Transfer? {
    let own = transfers.filter { $0.article == article && !$0.isUpload }
    return own.last { $0.state != .done } ?? own.last
  }
}

package enum TransferWords {
  /// In at most seven columns: `999 B`, `1.2 kB`, `34 MB`.
  package static func bytes(_ count: Int64) -> String {
    let units: [(Int64, String)] = [
      (1_000_000_000_000, "TB"), (1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB"),
    ]
    for (unit, name) in units where count >= unit {
      let whole = count / unit
      return whole >= 100 || unit == 1_000 && whole >= 10
        ? "\(whole) \(name)" : "\(whole).\(count % unit / (unit / 10)) \(name)"
    }
    return "\(max(0, count)) B"
  }

  /// As in `8 s`, `4:07`, `1:02:03`.
  package static func seconds(_ count: Int64) -> String {
    func padded(_ number: Int64) -> String { String(zeroPadded: number) }
    guard count >= 60 else { return "\(max(0, count)) s" }
    let (hours, minutes) = (count / 3_600, count / 60 % 60)
    if hours >= 100 { return "\(hours) h" }
    return hours > 0
      ? "\(hours):\(padded(minutes)):\(padded(count % 60))" : "\(minutes):\(padded(count % 60))"
  }

  /// As in `12.3 of 28.6 MB`, or the bytes alone.
  package static func progress(of transfer: Transfer) -> String {
    guard transfer.state != .done, let total = transfer.total else { return bytes(transfer.bytes) }
    return "\(bytes(min(transfer.bytes, total))) of \(bytes(total))"
  }
}
