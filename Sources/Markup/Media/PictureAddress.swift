internal import Text

/// The addresses of a picture in the body of an article.
struct PictureAddress {
  /// Where a script finds the picture that it puts in the place of another.
  private(set) var lazy: [String] = []
  private(set) var own: [String] = []
  /// The picture that is shown until the real one is there, by its name.
  private(set) var placeholder: String?

  /// - Parameter element: an `<img>`.
  init(_ element: DocumentBuilder.Element) {
    for name in PagePicture.lazyAttributes {
      if let value = element[name], PagePicture.isAddress(value) { lazy.append(value) }
    }
    lazy += PagePicture.lazySets.compactMap { element[$0].flatMap(PagePicture.best) }
    if let source = element["src"] {
      if PagePicture.isPlaceholder(source) { placeholder = source } else { own.append(source) }
    }
    if let best = element["srcset"].flatMap(PagePicture.best) { own.append(best) }
  }

  /// Of a `<source>` in a `<picture>`, whose `<img>` may have none.
  static func ofSource(_ element: DocumentBuilder.Element) -> [String] {
    (PagePicture.lazySets + ["srcset"]).compactMap { element[$0].flatMap(PagePicture.best) }
  }
}
