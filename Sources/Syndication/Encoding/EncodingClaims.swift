struct EncodingClaims {
  /// The encoding is nil for an unknown label.
  struct Claim {
    enum Source: String { case server, document }
    var source: Source
    var label: String
    var encoding: TextEncoding?
  }

  /// With precedence: the server's, or else the document's (RFC 7303 §3).
  var first: Claim?
  var second: Claim?
  /// UTF-16 or UTF-32 by a byte order mark or by zeros in the first bytes.
  var shown: TextEncoding?
  var hasMark = false
  /// In lower case and without its region.
  var language: String?
}
