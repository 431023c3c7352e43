/// A sign-in that belongs to one feed, without its password.
package struct FeedSignIn: Hashable, Sendable, Codable {
  /// Scheme, host and port: the password goes nowhere else.
  package var origin: String
  package var user: String
  /// Tells the password from those of other feeds where it is kept.
  package var key: String

  package init(origin: String, user: String, key: String) {
    self.origin = origin
    self.user = user
    self.key = key
  }
}
