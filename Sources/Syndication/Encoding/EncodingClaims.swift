/// Declarations of the encoding of a document, and their sources.
struct EncodingClaims {
  /// Label with its encoding; the encoding is nil for an unknown label.
  struct Claim {
    enum Source: String { case server, document }
    var source: Source
    var label: String
    var encoding: TextEncoding?
  }

  /// Declaration with precedence: that of the server, or else that of the document (RFC 7303 §3).
  var first: Claim?
  /// Declaration without precedence.
  var second: Claim?
  /// UTF-16 or UTF-32, if the first bytes prove it by a byte order mark or by their zeros.
  var shown: TextEncoding?
  /// Whether `shown` comes from a byte order mark.
  var hasMark = false
  /// Language that the document declares, in lower case and without its region.
  var language: String?
}
