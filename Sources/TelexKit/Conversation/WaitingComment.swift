package import News
internal import Repository
internal import Store

/// Comment in the outbox, or a new text for one that its server has.
package struct WaitingComment: Sendable {
  /// The number of the change in the outbox.
  package let id: Int64
  package let article: ArticleID
  package let text: String
  /// Why the last attempt failed.
  package let error: SourceError?
  /// Whether the server refused it, so that it is not sent again automatically.
  package let isRefused: Bool

  /// Nil for any other change.
  init?(_ item: OutboxItem) {
    switch item.change {
    case .comment(let article, let text): (self.article, self.text) = (article, text)
    case .edit(let article, let edit): (self.article, text) = (article, edit.text)
    case .mark, .readBatch, .tag, .later, .subscription: return nil
    }
    id = item.id
    error = item.error
    isRefused = item.isRefused
  }
}
