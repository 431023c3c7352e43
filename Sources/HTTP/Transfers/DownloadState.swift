internal import struct Foundation.Date

/// State of a download, stored beside its part: the version of the file, and its size.
package struct DownloadState: Sendable, Hashable, Codable {
  /// A strong ETag or a Last-Modified date, for `If-Range` (RFC 9110 §13.1.5). Nil where the server gave
  /// none that proves two answers to be of one version: the rest cannot be asked for then.
  package var validator: String?
  /// The size of the whole file in bytes; nil where the server has not said.
  package var total: Int64?

  package init(validator: String? = nil, total: Int64? = nil) {
    self.validator = validator
    self.total = total
  }
}

/// Decision about the bytes of a response, by what was asked for. Pure.
///
/// The part has `offset` bytes. Where the server ignores `Range`, sends another range, or has another
/// version of the file, the file starts over: bytes of two versions never end up in one file.
struct DownloadPlan {
  enum Verdict: Equatable {
    /// Write the body at this offset of the part, which is cut there first. An offset of 0 is a new beginning with
    /// another state.
    case write(at: Int64, DownloadState)
    /// The part is the whole file.
    case complete(DownloadState)
    /// The part is of no use: request the whole file.
    case startOver
    /// The status is no success.
    case refused
  }

  let state: DownloadState
  let offset: Int64

  /// - Parameter part: the size of the part; what cannot be resumed counts as nothing.
  init(state: DownloadState, part: Int64) {
    self.state = state
    let isOver = state.total.map { part > $0 } ?? false
    offset = state.validator == nil || isOver ? 0 : part
  }

  /// Whether nothing has to be asked for.
  var isComplete: Bool { offset > 0 && offset == state.total }

  /// Adds the headers that ask for the rest.
  func ask(_ request: inout HTTPRequest) {
    guard offset > 0, let validator = state.validator else { return }
    request.headers["Range"] = "bytes=\(offset)-"
    request.headers["If-Range"] = validator
  }

  func verdict(on head: HTTPResponseHead) -> Verdict {
    switch head.status {
    case 206 where offset > 0: verdict(onPart: head)
    case 416 where offset > 0: verdict(onRefusedRange: head)
    case 200, 203: .write(at: 0, DownloadState(head))
    default: .refused
    }
  }

  private func verdict(onPart head: HTTPResponseHead) -> Verdict {
    guard let range = ContentRange(head.headers["Content-Range"]), let first = range.first,
      first <= offset, head.headers["Content-Encoding"] == nil, !isOther(head)
    else { return .startOver }
    if let total = range.total, let known = state.total, total != known { return .startOver }
    return .write(
      at: first, DownloadState(validator: state.validator, total: state.total ?? range.total))
  }

  private func verdict(onRefusedRange head: HTTPResponseHead) -> Verdict {
    guard let total = ContentRange(head.headers["Content-Range"])?.total, total == offset,
      state.total ?? total == total, !isOther(head)
    else { return .startOver }
    return .complete(DownloadState(validator: state.validator, total: total))
  }

  /// Whether the response is of another version, although `If-Range` was sent.
  private func isOther(_ head: HTTPResponseHead) -> Bool {
    guard let validator = state.validator else { return true }
    let isTag = validator.hasPrefix("\"")
    guard let said = head.headers[isTag ? "ETag" : "Last-Modified"] else { return false }
    return said != validator
  }
}

extension DownloadState {
  /// The state after a response with the whole file.
  init(_ head: HTTPResponseHead) {
    self.init()
    // A coded body has no ranges of its decoded bytes.
    guard (head.headers["Content-Encoding"] ?? "identity").lowercased() == "identity" else {
      return
    }
    total = head.headers["Content-Length"].flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil }
    if let etag = head.headers["ETag"], etag.hasPrefix("\""), etag.count > 2 {
      validator = etag
    } else if let modified = head.headers["Last-Modified"], Self.isStrong(modified, head) {
      validator = modified
    }
  }

  /// Whether a date proves a version: the file was not changed in the second in which it was sent (RFC
  /// 9110 §8.8.2.2).
  private static func isStrong(_ modified: String, _ head: HTTPResponseHead) -> Bool {
    let now = Date()
    guard let date = HTTPDate.date(from: modified, now: now) else { return false }
    let sent = head.headers["Date"].flatMap { HTTPDate.date(from: $0, now: now) } ?? now
    return sent.timeIntervalSince(date) >= 1
  }
}

/// Value of a `Content-Range` header in bytes (RFC 9110 §14.4): `bytes 5-9/10`, `bytes 5-9/*` or
/// `bytes */10`.
struct ContentRange: Equatable {
  /// The offset of the first byte; nil in the answer to a range that cannot be had.
  var first: Int64?
  /// The offset of the last byte.
  var last: Int64?
  /// The size of the whole; nil where the server does not know.
  var total: Int64?

  init?(_ value: String?) {
    guard let value else { return nil }
    let words = value.split(separator: " ", omittingEmptySubsequences: true)
    guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
    let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    if parts[1] != "*" {
      guard let total = Int64(parts[1]), total >= 0 else { return nil }
      self.total = total
    }
    if parts[0] == "*" { return }
    let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = Int64(ends[0]), let last = Int64(ends[1]),
      first >= 0, last >= first, total.map({ last < $0 }) ?? true
    else { return nil }
    (self.first, self.last) = (first, last)
  }
}
