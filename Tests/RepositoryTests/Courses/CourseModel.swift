/// One mark of one article.
struct CourseMark: Hashable, Sendable, CustomStringConvertible {
  var id: String
  var isStar: Bool
  var description: String { id + (isStar ? " starred" : " read") }
}

/// What each actor said last of a mark: a model that knows nothing of how a sync is done.
struct CourseModel: Sendable {
  static let server = "server"

  private var lastWords: [CourseMark: [String: Bool]] = [:]

  mutating func say(_ mark: CourseMark, _ value: Bool, by actor: String) {
    lastWords[mark, default: [:]][actor] = value
  }

  /// Whether a mark may have this value in the end: somebody's last word, or none was said. All marks begin
  /// unset.
  func allows(_ value: Bool, of mark: CourseMark) -> Bool {
    guard let words = lastWords[mark] else { return !value }
    return words.values.contains(value)
  }
}
