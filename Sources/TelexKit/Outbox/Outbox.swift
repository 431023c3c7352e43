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

  /// Drops a change that waits: no server is told of it. A mark stays here as it is, a comment is gone.
  ///
  /// - Returns: whether it was still waiting.
  package func drop(_ number: WaitingChange.ID) async throws -> Bool {
    try await composition.store.edit { try $0.outbox.drop([number]) } > 0
  }

  /// Drops changes that wait, one after the other.
  ///
  /// - Throws: `SourceError` of stage `.arguments` at the first number that nothing has.
  package func drop(_ numbers: [WaitingChange.ID]) async throws {
    for number in numbers where try await !drop(number) {
      throw SourceError(
        .address, stage: .arguments, subject: "\(number)",
        message: "nothing of this number waits")
    }
  }

  /// Decides about a comment that was changed here and at its server.
  ///
  /// - Parameter conflict: the one that the user has seen.
  /// - Returns: false where it is another one by now, or none: nothing is changed then.
  package func resolve(
    _ number: WaitingChange.ID, _ answer: ConflictAnswer, seeing conflict: CommentConflict
  ) async throws -> Bool {
    try await composition.store.edit {
      try $0.outbox.resolve(number, answer, seeing: conflict)
    }
  }

  /// Decides about comments that were changed here and at their servers, one after the other.
  ///
  /// - Throws: `SourceError` of stage `.arguments` at the first number of which nothing is to be decided.
  package func resolve(_ numbers: [WaitingChange.ID], _ answer: ConflictAnswer) async throws {
    for number in numbers {
      let change = try waiting().first { $0.id == number }
      guard let conflict = change?.conflict, try await resolve(number, answer, seeing: conflict)
      else {
        throw SourceError(
          .address, stage: .arguments, subject: "\(number)",
          message: "there is nothing to decide about this number",
          next: "telex outbox shows what waits")
      }
    }
    if !numbers.isEmpty { try await composition.repository.deliverOutbox() }
  }

  /// Tries now to send all that waits, what was refused included.
  ///
  /// - Returns: how many changes still wait.
  @discardableResult
  package func send() async throws -> Int { try await composition.repository.sendWaiting() }
}
