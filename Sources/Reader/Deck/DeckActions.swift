package import News

extension Action {
  package enum Deck: Hashable, Sendable {
    case collected([ArticleRow])
    case dealt(CardWish, ArticleCard)
    /// The article of a card is no longer in the store.
    case gone(ArticleID)
    /// The articles that `Effect.Deck.findHidden` was about and the newest rule would hide.
    case hiddenFound([ArticleID])
  }
}

extension Effect {
  package enum Deck: Hashable, Sendable {
    /// Report the first unread articles of a list, to be gone through as cards.
    case collect(Timeline, ListOrder, most: Int)
    case deal(CardWish)
    /// Report which of these articles the newest rule would hide if they came now.
    case findHidden([ArticleID])

    package enum ID: Hashable, Sendable {
      case cards
      case card(CardWish)
    }

    package var id: EffectID? {
      switch self {
      case .collect: .deck(.cards)
      case .deal(let wish): .deck(.card(wish))
      case .findHidden: nil
      }
    }
  }
}
