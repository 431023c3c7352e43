package import News
package import Screen

extension Action {
  package enum Pictures: Hashable, Sendable {
    case arrived(PictureWish, CellPicture)
    case failed(PictureWish, reason: String)
    /// The icon of a feed; nil where it has none.
    case iconArrived(FeedID, CellPicture?)
    /// Icons look different from now on, as when the cells have another size; or the terminal shows none.
    case iconsOutdated(canShow: Bool)
  }
}

extension Effect {
  package enum Pictures: Hashable, Sendable {
    /// Load a picture of an article, from the disk or its server, in so many cells.
    case load(PictureWish)
    /// Load the icon of a feed, from the disk, or from its server where that may be asked.
    case loadIcon(FeedID, mayFetch: Bool)
    /// Fetch those pictures of a feed that are not on the disk, so that its article is whole without a network.
    case keep(FeedID, [String])

    package enum ID: Hashable, Sendable {
      case picture(PictureWish)
      case icon(FeedID)
      case kept
    }

    package var id: EffectID? {
      switch self {
      case .load(let wish): .pictures(.picture(wish))
      case .loadIcon(let feed, _): .pictures(.icon(feed))
      case .keep: .pictures(.kept)
      }
    }
  }
}

extension Action.Pictures {
  func reduce(_ state: inout ReaderState) -> [Effect] {
    switch self {
    case .arrived(let wish, let picture):
      return state.offer(.pictures(self))
        ?? ArticlePictures.receive(.shown(picture), of: wish, in: &state)
    case .failed(let wish, let reason):
      return state.offer(.pictures(self))
        ?? ArticlePictures.receive(.failed(reason), of: wish, in: &state)
    case .iconArrived(let feed, let picture): state.icons.receive(picture, of: feed)
    case .iconsOutdated(let canShow): state.icons = FeedIconBoard(canShow: canShow)
    }
    return []
  }
}
