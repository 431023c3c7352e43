internal import Foundation
internal import News
internal import Reader
internal import TelexKit

/// Fetches and sends comments.
struct ConversationPerformer: EffectPerformer {
  nonisolated let context: EffectContext

  func perform(_ effect: Effect.Conversation) {
    let id = effect.id
    let conversations = Conversations(composition)
    switch effect {
    case .follow(let article):
      start(id) {
        try await conversations.follow(article) { inbox.send(.conversation(.arrived($0))) }
        return nil
      }
    case .fetch(let article):
      start(id, { .conversation(.fetched(article, $0)) }) {
        try await conversations.fetch(article)
        return .conversation(.fetched(article, nil))
      }
    case .noteVisit(let article, let arrival):
      scheduler.start(id) { try? await conversations.noteVisit(of: article, upTo: arrival) }
    case .write(let draft): write(draft)
    }
  }

  /// Opens the editor and sends the comment. The draft is deleted once the outbox has it.
  private func write(_ draft: CommentDraft) {
    let file = DraftFile(draft, store: place.folder)
    let failure: @Sendable (SourceError) -> Action = {
      .conversation(.written(draft, .failed($0)))
    }
    let text: String?
    do { text = try context.program.lendTerminal { try file.edit(stop: $0) } } catch {
      return inbox.send(failure(SourceError(describing: error)))
    }
    guard let text, text != draft.changed?.text else {
      file.discard()
      return inbox.send(.conversation(.written(draft, .empty)))
    }
    scheduler.startKeeping { noteKept in
      let noteKept = { @Sendable in
        file.discard()
        noteKept()
      }
      await inbox.report({ error in
        var error = error
        if access(file.path, F_OK) == 0 { error.next = file.kept }
        return failure(error)
      }) {
        let waiting = try await send(text, for: draft, noteKept)
        return .conversation(.written(draft, waiting.map { .waits($0.error) } ?? .sent))
      }
    }
  }

  private nonisolated func send(
    _ text: String, for draft: CommentDraft, _ noteKept: @escaping @Sendable () -> Void
  ) async throws -> WaitingComment? {
    let comments = Comments(composition)
    return if let number = draft.waiting?.id {
      try await comments.rewrite(number, to: text, noteKept: noteKept)
    } else if let comment = draft.changed {
      try await comments.edit(
        comment.id, on: draft.article, to: text, from: comment.version, noteKept: noteKept)
    } else {
      try await comments.send(text, answering: draft.parent, on: draft.article, noteKept: noteKept)
    }
  }
}
