/// The comments on an article in the order of a conversation: each answer below what it answers.
package struct CommentThread: Hashable, Sendable {
  package struct Row: Hashable, Sendable {
    package var comment: Comment
    /// How many comments stand above it on the way to one that answers none.
    package var depth: Int
  }

  package private(set) var rows: [Row] = []

  /// - Parameter comments: in the order in which their server lists them, which siblings keep. Of two with
  ///   the same id the first counts. An answer to a comment that is not among them begins a thread of its
  ///   own, and so does the first comment of a ring of comments that answer each other.
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
    // What is left after the roots is in a ring, or answers one.
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
