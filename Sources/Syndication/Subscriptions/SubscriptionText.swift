/// Subscriptions as lines of text, in the form of the manual ("Subscriptions as text"):
///
///     # A comment
///     https://example.org/feed.xml
///         title = Example
///
///     [News/World]
///     https://example.org/world.xml  # a comment
///         folder = Europe
///         interval = 2h
///
///     account https://reader.example/api ada
///     https://example.org/other.xml
///
/// A feed is a line with its address, and indented lines below it. A heading in brackets is the first folder of the
/// feeds below it, up to the next heading; `account` begins the feeds of an account at a sync server.
package enum SubscriptionText {
  /// The keyword before the feeds of an account.
  static let account = "account"

  /// A line that cannot be read.
  package struct Mistake: Hashable, Sendable {
    /// From 1.
    package var line: Int
    /// From 1, in characters.
    package var column: Int
    /// A plain phrase, without the secrets of an address.
    package var message: String
  }

  // MARK: Names of what is indented

  static let title = "title"
  static let folder = "folder"
  static let proxy = "proxy"
  static let recipe = "recipe"
  /// Stands for a recipe: how a GraphQL server is asked, what a page is read by, a program.
  static let own = "own"
}
