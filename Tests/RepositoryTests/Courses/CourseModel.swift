/// One mark of one article.
struct CourseMark: Hashable, Sendable, CustomStringConvertible {
  var id: String
  var isStar: Bool
  var description: String { id + (isStar ? " starred" : " read") }
}

/// The words of each actor on each mark: a model that knows nothing of how a sync is done.
struct CourseModel: Sendable {
  static let server = "server"

  private var lastWords: [CourseMark: [String: Bool]] = [:]
  /// The words of each reader that the server may still have to hear. An earlier word may be on its way when a later one
  /// is said.
  private var unsent: [String: [CourseMark: Set<Bool>]] = [:]

  mutating func say(_ mark: CourseMark, _ value: Bool, by actor: String) {
    lastWords[mark, default: [:]][actor] = value
    unsent[actor, default: [:]][mark, default: []].insert(value)
  }

  /// Nothing of a reader waits any more: the server has heard all.
  mutating func noteSent(by actor: String) { unsent[actor] = nil }

  /// Whether a reader has said this of a mark since the server has heard it last. Whatever else a reader changes
  /// there it has sent before, and may be another actor's newer word.
  func mayBeSent(_ value: Bool, of mark: CourseMark, by actors: [String]) -> Bool {
    actors.contains { unsent[$0]?[mark]?.contains(value) == true }
  }

  /// Whether a mark may have this value in the end: somebody's last word, or none was said. All marks begin
  /// unset.
  func allows(_ value: Bool, of mark: CourseMark) -> Bool {
    guard let words = lastWords[mark] else { return !value }
    return words.values.contains(value)
  }
}
