/// What is claimed about a document's encoding, and by whom.
struct EncodingClaims {
  /// A label and what it stands for; nil for a label that nobody knows.
  struct Claim {
    enum Source: String { case server, document }
    var source: Source
    var label: String
    var encoding: TextEncoding?
  }

  /// The one that counts first, if any: the server's, then the declaration's (RFC 7303 §3).
  var first: Claim?
  /// The other one.
  var second: Claim?
  /// What the first bytes show beyond doubt: UTF-16 or UTF-32, by a mark or by their zeros.
  var shown: TextEncoding?
  /// Whether `shown` comes from a byte order mark.
  var hasMark = false
  /// The language the document says it is in, in lower case and without its region.
  var language: String?
}
