/// Sign-in of one feed, without its password.
package struct FeedSignIn: Hashable, Sendable, Codable {
  /// Scheme, host and port: the scope of the password.
  package var origin: String
  package var user: String
  /// The unique part of the name under which the password is kept.
  package var key: String

  package init(origin: String, user: String, key: String) {
    self.origin = origin
    self.user = user
    self.key = key
  }
}
