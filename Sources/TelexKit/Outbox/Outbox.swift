package import News
internal import Repository
internal import Store

/// Changes waiting to be sent to servers: marks and comments, for a front end to list, send and drop.
package struct Outbox: Sendable {
  private let composition: Composition

  package init(_ composition: Composition) { self.composition = composition }

  /// All that waits, the oldest first.
  package func waiting() throws -> [WaitingChange] {
    try composition.store.viewNow { try $0.outbox.snapshot(limit: .max).changes }
  }

  /// Drops changes that still wait: a mark stays here, a comment is deleted.
  ///
  /// - Returns: how many were still waiting.
  package func dropWaiting(_ numbers: [WaitingChange.ID]) async throws -> Int {
    try await composition.store.edit { try $0.outbox.drop(numbers) }
  }

  /// Drops waiting changes.
  ///
  /// - Throws: `SourceError` of stage `.arguments` at the first unknown number.
  package func drop(_ numbers: [WaitingChange.ID]) async throws {
    for number in numbers where try await dropWaiting([number]) == 0 {
      throw SourceError.argument("\(number)", "no change with this number is waiting")
    }
  }

  /// Resolves a conflict of a comment.
  ///
  /// - Parameter conflict: the one that the user has seen.
  /// - Returns: false where there is another one by now, or none; nothing is changed.
  package func resolve(
    _ number: WaitingChange.ID, _ answer: ConflictAnswer, seeing conflict: CommentConflict
  ) async throws -> Bool {
    try await composition.store.edit {
      try $0.outbox.resolve(number, answer, seeing: conflict)
    }
  }

  /// Resolves conflicts of comments.
  ///
  /// - Throws: `SourceError` of stage `.arguments` at the first number without a conflict.
  package func resolve(_ numbers: [WaitingChange.ID], _ answer: ConflictAnswer) async throws {
    for number in numbers {
      let change = try waiting().first { $0.id == number }
      guard let conflict = change?.conflict, try await resolve(number, answer, seeing: conflict)
      else {
        throw SourceError.argument(
          "\(number)", "this change has no conflict to decide",
          next: "telex outbox lists the waiting changes")
      }
    }
    if !numbers.isEmpty { try await composition.repository.deliverOutbox() }
  }

  /// Sends all waiting changes now, refused ones included.
  ///
  /// - Returns: the number of changes that still wait.
  @discardableResult
  package func send() async throws -> Int { try await composition.repository.sendWaiting() }
}
