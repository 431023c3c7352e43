package import Foundation
internal import GRDB
package import News
internal import Text

// Comments in the outbox, and changes of sent comments. A text of the user leaves it only when the
// server has it, or the user drops it or chooses the server's text.

extension OutboxEdit {
  /// Queues a comment, with one key for all attempts.
  ///
  /// - Parameter parent: the id of the answered comment; nil for the article.
  package func queueComment(
    _ text: String, answering parent: String? = nil, on article: ArticleID, now: Date
  ) throws {
    try db.run(
      """
      INSERT INTO outbox (key, kind, value, articleID, createdAt, text, account, parent)
      VALUES (?1, 'comment', 1, ?2, ?3, ?4, (
        SELECT feed.account FROM article JOIN feed ON feed.id = article.feedID
        WHERE article.id = ?2), ?5)
      """, [UUID().uuidString.lowercased(), article, seconds(now), text, parent])
  }

  /// Queues a new text for a sent comment. A queued change of the same comment gets the text, and
  /// keeps its version.
  package func queueEdit(_ edit: CommentEdit, on article: ArticleID, now: Date) throws {
    for item in try view.outbox.waitingComments() {
      guard case .edit(article, var waiting) = item.change, waiting.comment == edit.comment else {
        continue
      }
      waiting.text = edit.text
      return try store(waiting, in: item.id, error: waiting.conflict == nil ? nil : item.error)
    }
    try queueComment("", on: article, now: now)
    try store(edit, in: db.lastInsertedRowID, error: nil)
  }

  /// Replaces the text of a queued comment, or of a queued change. A refused one is sent again; a
  /// conflict stays. Returns false where it is not queued any more.
  package func rewrite(_ number: Int64, _ text: String) throws -> Bool {
    guard let item = try waitingText(number) else { return false }
    switch item.change {
    case .edit(_, var edit):
      edit.text = text
      try store(edit, in: number, error: edit.conflict == nil ? nil : item.error)
    default:
      // With its key: where an answer was lost, the server reports the earlier text.
      try db.run("UPDATE outbox SET text = ?, error = NULL WHERE id = ?", [text, number])
    }
    return true
  }

  /// Notes that the server has a text. A text that was written meanwhile becomes a change of the
  /// sent comment.
  ///
  /// - Parameter comment: as the server has it; nil where unknown.
  package func finishSending(_ item: OutboxItem, as comment: Comment?) throws {
    guard let now = try waitingText(item.id), let text = now.change.text else { return }
    guard text != item.change.text else { return try remove([item]) }
    switch (now.change, comment) {
    case (.edit(_, var edit), let comment?):
      edit.version = comment.version
      try store(edit, in: item.id, error: nil)
    case (.comment, let comment?) where comment.version != nil:
      try store(
        CommentEdit(comment: comment.id, version: comment.version, text: text), in: item.id,
        error: nil)
    case (.comment, _?): try makeComment(of: text, in: item.id)
    // Sent with the former key and version, the server reports its text.
    case (_, nil), (_, _): break
    }
  }

  /// Notes that the server has another text than the one that was sent or changed. The change waits
  /// for the user's decision.
  package func recordConflict(
    _ item: OutboxItem, _ conflict: CommentConflict, _ error: SourceError
  ) throws {
    guard let now = try waitingText(item.id), let text = now.change.text else { return }
    // The texts agree: there is nothing to decide.
    guard conflict.comment?.text != text else { return try remove([item]) }
    var edit = CommentEdit(comment: conflict.comment?.id ?? "", version: nil, text: text)
    if case .edit(_, let known) = now.change { edit = known }
    edit.conflict = conflict
    try store(edit, in: item.id, error: error)
    try db.run("UPDATE outbox SET attempts = attempts + 1 WHERE id = ?", [item.id])
  }

  /// Compares queued changes with the comments of the server: a change of an old version is in
  /// conflict.
  ///
  /// - Parameter error: the reason that is shown.
  package func noteVersions(
    of comments: [Comment], on article: ArticleID, _ error: SourceError
  ) throws {
    let byID = Dictionary(comments.map { ($0.id, $0) }) { first, _ in first }
    for item in try view.outbox.waitingComments() {
      guard case .edit(article, let edit) = item.change, let comment = byID[edit.comment],
        let version = comment.version, version != edit.conflict?.comment?.version ?? edit.version
      else { continue }
      try recordConflict(item, .changed(comment), error)
    }
  }

  /// Applies the user's decision about a conflict. Returns false, and changes nothing, where it is
  /// not the same conflict any more.
  package func resolve(
    _ number: Int64, _ answer: ConflictAnswer, seeing conflict: CommentConflict
  ) throws -> Bool {
    guard let item = try waitingText(number), case .edit(_, var edit) = item.change,
      edit.conflict == conflict
    else { return false }
    switch (answer, conflict) {
    case (.theirs, _): try remove([item])
    case (.mine, .changed(let comment)) where comment.version != nil:
      edit.comment = comment.id
      edit.version = comment.version
      edit.conflict = nil
      try store(edit, in: number, error: nil)
    case (.mine, _), (.both, _): try makeComment(of: edit.text, in: number)
    }
    return true
  }

  private func waitingText(_ number: Int64) throws -> OutboxItem? {
    try view.outbox.items(where: "id = ? AND kind IN (\(OutboxKind.ofTexts))", [number], limit: 1)
      .first
  }

  private func store(_ edit: CommentEdit, in number: Int64, error: SourceError?) throws {
    try db.run(
      "UPDATE outbox SET kind = ?, text = ?, error = ? WHERE id = ?",
      [
        OutboxKind.editComment.rawValue, try StoredEdit.encode(edit),
        error.flatMap(StoredError.encode), number,
      ])
  }

  /// Turns a change into a new comment with a key of its own.
  private func makeComment(of text: String, in number: Int64) throws {
    try db.run(
      """
      UPDATE outbox SET kind = ?, text = ?, key = ?, error = NULL, attempts = 0 WHERE id = ?
      """, [OutboxKind.comment.rawValue, text, UUID().uuidString.lowercased(), number])
  }
}

extension OutboxItem.Change {
  /// The user's comment; nil for other changes.
  package var text: String? {
    switch self {
    case .comment(_, let text): text
    case .edit(_, let edit): edit.text
    case .mark, .readBatch, .tag, .later, .subscription: nil
    }
  }

  /// Whether it waits for the user's decision.
  package var isUndecided: Bool {
    if case .edit(_, let edit) = self { edit.conflict != nil } else { false }
  }
}

/// A change of a comment, as JSON.
enum StoredEdit {
  static func encode(_ edit: CommentEdit) throws -> String {
    String(decoding: try JSONEncoder().encode(edit), as: UTF8.self)
  }

  /// With sanitised text of the server.
  static func decode(_ text: String?) -> CommentEdit? {
    guard var edit: CommentEdit = StoredJSON.decode(text) else { return nil }
    if case .changed(var comment)? = edit.conflict {
      comment.text = PlainText.sanitizedBlock(comment.text)
      comment.author = StoredText.line(comment.author)
      comment.attachments = comment.attachments?.map(\.sanitized)
      edit.conflict = .changed(comment)
    }
    return edit
  }
}
