internal import Foundation
internal import News

/// Fetches the comments on articles ahead, so that they can be read without a network.
struct CommentPacking {
  private let conversations: Conversations
  /// Feeds whose comments could not be had: the rest of them is left to the next time.
  private var failed: Set<FeedID> = []

  /// Seconds for which comments that were fetched are not fetched again.
  private static let freshness: TimeInterval = 6 * 3_600

  init(_ composition: Composition) { conversations = Conversations(composition) }

  /// Fetches the comments on an article of which its feed says that it has some, or does not say how many.
  ///
  /// - Returns: the bytes of their texts; nil where nothing was fetched, or nobody has said anything.
  /// - Throws: `CancellationError`.
  mutating func pack(_ article: Article) async throws -> Int64? {
    guard article.entry.comments?.count != 0, !failed.contains(article.feedID),
      let known = try? await conversations.find(article.id), known.source != .none,
      known.record.fetched.map({ $0.timeIntervalSinceNow < -Self.freshness }) ?? true
    else { return nil }
    do {
      try await conversations.fetch(article.id)
      let rows = try await conversations.find(article.id)?.thread.rows ?? []
      guard !rows.isEmpty else { return nil }
      return rows.reduce(0) { $0 + Int64(($1.comment.html ?? $1.comment.text).utf8.count) }
    } catch let error as CancellationError {
      throw error
    } catch {
      failed.insert(article.feedID)
      return nil
    }
  }
}
