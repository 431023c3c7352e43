/// Sign-in of one feed, without its password.
package struct FeedSignIn: Hashable, Sendable, Codable {
  /// Scheme, host and port: the scope of the password.
  package var origin: String
  package var user: String
  /// The unique part of the name under which the password is kept.
  package var key: String
  /// The header that carries the secret, in the place of Basic credentials; in `Authorization` as a bearer
  /// token (RFC 6750 §2.1).
  package var header: String?

  package init(origin: String, user: String, key: String, header: String? = nil) {
    self.origin = origin
    self.user = user
    self.key = key
    self.header = header
  }
}
