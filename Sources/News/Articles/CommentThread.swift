/// Comments on an article, each answer below the comment it answers.
package struct CommentThread: Hashable, Sendable {
  package struct Row: Hashable, Sendable {
    package var comment: Comment
    /// The number of its ancestors.
    package var depth: Int
  }

  package private(set) var rows: [Row] = []

  /// - Parameter comments: in the order of their server, which siblings keep. Of equal ids the
  ///   first counts. An answer to an absent comment begins a thread, and so does the first of a
  ///   ring of comments that answer each other.
  package init(_ comments: [Comment]) {
    var positions: [String: Int] = [:]
    var unique: [Comment] = []
    for comment in comments where positions[comment.id] == nil {
      positions[comment.id] = unique.count
      unique.append(comment)
    }
    var answers: [[Int]] = Array(repeating: [], count: unique.count)
    var roots: [Int] = []
    for (index, comment) in unique.enumerated() {
      if let parent = comment.parent.flatMap({ positions[$0] }) {
        answers[parent].append(index)
      } else {
        roots.append(index)
      }
    }
    rows.reserveCapacity(unique.count)
    var placed = Array(repeating: false, count: unique.count)
    // The rest after the roots is in a ring, or answers one.
    for root in roots + Array(unique.indices) {
      // A stack instead of recursion: a server decides how deep a thread is.
      var open = [(index: root, depth: 0)]
      while let (index, depth) = open.popLast() {
        guard !placed[index] else { continue }
        placed[index] = true
        rows.append(Row(comment: unique[index], depth: depth))
        open += answers[index].reversed().map { ($0, depth + 1) }
      }
    }
  }
}
