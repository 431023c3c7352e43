internal import Foundation

extension WireReply {
  /// Adds a strong `ETag` over the body and a `Last-Modified` (RFC 9110 §8.8).
  mutating func addValidators(lastModified: Date?) {
    self[header: "ETag"] = "\"" + String(fnv1a(body), radix: 16) + "\""
    if let lastModified { self[header: "Last-Modified"] = lastModified.httpDate }
  }

  /// A 304 without a body if the client has this already; otherwise the reply itself.
  func conditional(on request: WireRequest) -> WireReply {
    guard status == 200, request.method == "GET" || request.method == "HEAD",
      isUnchanged(
        for: request, etag: self[header: "ETag"], lastModified: self[header: "Last-Modified"])
    else { return self }
    var reply = self
    reply.status = 304
    reply.body = []
    // RFC 9110 §15.4.5: only what a cache needs to update what it holds.
    reply[header: "Content-Type"] = nil
    return reply
  }
}

/// Whether the validators that a request carries match (RFC 9110 §13.2.2: `If-None-Match` first,
/// and `If-Modified-Since` only without it). A date matches only as the very text that was sent.
func isUnchanged(for request: WireRequest, etag: String?, lastModified: String?) -> Bool {
  if let wanted = request.header("If-None-Match") {
    return wanted == "*"
      || wanted.split(separator: ",").contains { candidate in
        let tag = candidate.drop { $0 == " " }
        return etag.map { tag == $0 || tag == "W/" + $0 } ?? false
      }
  }
  guard let since = request.header("If-Modified-Since") else { return false }
  return since == lastModified
}

/// FNV-1a, 64 bits: the same on every run and machine, unlike `Hasher`.
func fnv1a(_ bytes: some Sequence<UInt8>) -> UInt64 {
  var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
  return hash
}
