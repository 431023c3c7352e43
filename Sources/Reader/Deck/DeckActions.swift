package import News

extension Action {
  /// Events of the articles that are gone through as cards.
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
  /// Reading articles as cards.
  package enum Deck: Hashable, Sendable {
    /// Report the first unread articles of a list, to be gone through as cards.
    case collect(Timeline, ListOrder, most: Int)
    /// Read an article and make a card of it.
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
