internal import News
internal import Reader
internal import TelexKit

/// Loads articles as cards.
struct DeckPerformer: EffectPerformer {
  nonisolated let context: EffectContext
  nonisolated let look: ArticleLook

  func perform(_ effect: Effect.Deck) {
    start(effect.id) {
      switch effect {
      case .collect(let timeline, let order, let most):
        let rows = try await articles.firstUnread(of: timeline, in: order, limit: most)
        return .deck(.collected(rows))
      case .deal(let wish):
        guard let article = try await articles.find(wish.article) else {
          return .deck(.gone(wish.article))
        }
        return .deck(.dealt(wish, await look.card(of: article, for: wish)))
      case .findHidden(let ids):
        return .deck(.hiddenFound(try await Rules(composition).hiddenByNewest(ids)))
      }
    }
  }
}
