/// Subscriptions as lines of text (manual, "Subscriptions as text"):
///
///     # A comment
///     https://example.org/feed.xml
///         title = Example
///
///     [News/World]
///     https://example.org/world.xml  # a comment
///         folder = Europe
///
///     account https://reader.example/api ada
///     https://example.org/other.xml
///
/// Settings of a feed are indented below its address. A heading is the first folder of the feeds
/// below it; `account` begins the feeds of an account at a sync server.
package enum SubscriptionText {
  static let account = "account"

  package struct Mistake: Hashable, Sendable {
    package var line: Int
    /// From 1, in characters.
    package var column: Int
    /// A phrase without the secrets of an address.
    package var message: String
  }

  static let title = "title"
  static let folder = "folder"
  static let proxy = "proxy"
  static let recipe = "recipe"
  /// Any recipe: a GraphQL query, selectors of a page, a program.
  static let own = "own"
}
