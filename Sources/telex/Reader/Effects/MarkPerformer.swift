internal import News
internal import Reader
internal import TelexKit

/// Stores and undoes marks.
struct MarkPerformer: EffectPerformer {
  nonisolated let context: EffectContext

  func perform(_ intent: Intent) {
    change({ .marks(.notKept(intent, $0)) }) {
      let outcome = try await articles.applyByKey(intent)
      switch intent {
      case .markAllRead: return .marks(.markedAllRead(outcome.count))
      case .delete(let articles): return .marks(.deleted(articles, gone: outcome.count))
      case .undo, .undoAsking, .undoLast, .redo:
        guard case .turned(let entry) = outcome else { return nil }
        let isUndone = intent != .redo
        inbox.send(.marks(.turned(entry, isUndone: isUndone)))
        if let entry, entry.refusal == nil, !entry.kind.isOfArticles,
          !entry.endsSubscriptions(isUndone: isUndone)
        {
          await deliver()
        }
        return nil
      case .mark(let articles, _, _): return .marks(.ended(articles))
      case .setTag(let articles, _, _), .changeTags(let articles, _, _):
        return .marks(.tagged(articles))
      case .setLater:
        guard case .later(let change) = outcome else { return nil }
        if change.isAdded { await complete(change.articles) }
        return .marks(.changedLater(change))
      }
    }
  }

  /// Fetches in the background what articles lack for reading without a network.
  private func complete(_ articles: [ArticleID]) {
    scheduler.startErrand { [composition] in
      _ = try? await TripPacking(composition).complete(articles)
    }
  }
}
