/// Server that keeps labels of articles, each the set of ids of the articles that have it.
///
/// Throws as `PageSource` does.
package protocol LabelSource: Sendable {
  /// The largest number of ids in the next call of `set`.
  var limit: Int { get }

  /// How many labels one sync asks for; the others have their turn in later ones.
  var labelsPerSync: Int { get }

  /// All labels that there are; what is not among them is on no article.
  func labels() async throws -> LabelList

  /// A walk through the ids of the articles with a label.
  func walk(_ label: String) -> any ItemWalk

  /// Sets a label of articles, or takes it away. Idempotent. A label that does not exist is made.
  func set(_ label: String, _ isSet: Bool, on ids: [String]) async throws
}

/// The labels of a server by their names.
package struct LabelList: Hashable, Sendable {
  package var names: Set<String>
  /// Names of which the server cannot tell which articles have them: nothing is concluded of these.
  package var unclear: Set<String>

  package init(names: Set<String>, unclear: Set<String> = []) {
    self.names = names
    self.unclear = unclear
  }
}
