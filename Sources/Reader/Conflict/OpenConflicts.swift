internal import News

/// Comments that were changed here and at their servers, without a decision yet.
struct OpenConflicts: Hashable, Sendable {
  /// The oldest first.
  private(set) var changes: [WaitingChange] = []
  /// The conflicts that the user was asked about: each is asked about once.
  private var asked: [WaitingChange.ID: CommentConflict] = [:]

  mutating func update(_ changes: [WaitingChange]) {
    self.changes = changes
    let ids = Set(changes.map(\.id))
    asked = asked.filter { ids.contains($0.key) }
  }

  /// The first one that the user has not been asked about.
  var next: WaitingChange? { changes.first { asked[$0.id] != $0.conflict } }

  mutating func noteAsked(_ change: WaitingChange) { asked[change.id] = change.conflict }
}
