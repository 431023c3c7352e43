package import News
internal import Repository
internal import Store

package import struct Foundation.Date

/// A comment that waits to be sent.
package struct WaitingComment: Sendable {
  package let id: Int64
  package let article: ArticleID
  package let text: String
  package let created: Date
  /// How often it has been sent in vain.
  package let attempts: Int
  /// Why the last time.
  package let error: SourceError?
  /// Whether the server will not take it, however often it is sent.
  package let isRefused: Bool

  /// nil for any other change.
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
