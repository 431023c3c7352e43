/// Freshness of a response by its `Cache-Control` (RFC 9111 §5.2.2).
package struct CacheControl: Sendable, Hashable {
  /// In seconds; nil where the server gives none.
  package var maxAge: Int?
  package var isNoStore = false
  package var isNoCache = false

  /// Ignores unknown directives and malformed values. The shorter of two times counts.
  package init(_ headers: HTTPHeaders) {
    for value in headers.values(of: "Cache-Control") {
      for directive in value.split(separator: ",") {
        let parts = directive.split(separator: "=", maxSplits: 1)
          .map { $0.filter { !" \t\"".contains($0) } }
        switch (parts.first?.lowercased(), parts.dropFirst().first) {
        case ("no-store", _): isNoStore = true
        case ("no-cache", _): isNoCache = true
        case ("max-age", let text?):
          // A number too large to hold means "for ever" (RFC 9111 §1.2.2).
          guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { break }
          let seconds = min(Int(text) ?? .max, 1 << 31)
          maxAge = min(maxAge ?? seconds, seconds)
        default: break
        }
      }
    }
  }
}
