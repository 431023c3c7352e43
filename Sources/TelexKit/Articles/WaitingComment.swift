package import News
internal import Repository
internal import Store

package import struct Foundation.Date

/// Comment in the outbox.
package struct WaitingComment: Sendable {
  /// The number of the change in the outbox.
  package let id: Int64
  package let article: ArticleID
  package let text: String
  /// When the user wrote it.
  package let created: Date
  /// The number of failed attempts.
  package let attempts: Int
  /// Why the last attempt failed.
  package let error: SourceError?
  /// Whether the server refused it, so that it is not sent again automatically.
  package let isRefused: Bool

  /// Nil for any other change.
  init?(_ item: OutboxItem) {
    guard case .comment(let article, let text) = item.change else { return nil }
    id = item.id
    self.article = article
    self.text = text
    created = item.created
    attempts = item.attempts
    error = item.error
    isRefused = item.isRefused
  }
}
