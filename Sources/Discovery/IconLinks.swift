internal import Text

/// Icons of a page (HTML, link type `icon`).
package enum IconLinks {
  private static let most = 200

  /// Addresses of icons, those for a small square first, without SVG.
  ///
  /// - Parameters:
  ///   - html: the page or its beginning, in UTF-8.
  ///   - base: its address; `<base href>` is respected.
  package static func find(in html: [UInt8], base: String) -> [String] {
    html.withUnsafeBufferPointer { bytes in
      var tokenizer = MarkupTokenizer(bytes)
      var base = base
      var links: [(url: String, rank: Int)] = []
      while links.count < Self.most, let tag = tokenizer.nextTag() {
        guard tag.kind == .open else { continue }
        if bytes.isWord("body", in: tag.name) { break }
        let isBase = bytes.isWord("base", in: tag.name)
        guard isBase || bytes.isWord("link", in: tag.name) else { continue }
        let attributes = tag.values(in: bytes)
        guard let href = attributes["href"], let url = WebAddress.resolve(href, against: base)
        else { continue }
        if isBase {
          base = url
        } else if let rank = rank(attributes, url) {
          links.append((url, rank))
        }
      }
      return links.enumerated().sorted {
        ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset)
      }
      .map(\.element.url)
    }
  }

  /// Distance from the wanted size; nil for another link or format.
  private static func rank(_ attributes: [String: String], _ url: String) -> Int? {
    let relations = attributes["rel"]?.lowercasedWords ?? []
    let isTouch = relations.contains { $0.hasPrefix("apple-touch-icon") }
    guard relations.contains("icon") || isTouch, WebAddress.isWeb(url) else { return nil }
    let path = WebAddress.path(of: url).lowercased()
    guard attributes["type"]?.lowercased().hasPrefix("image/svg") != true,
      !path.hasSuffix(".svg")
    else { return nil }
    let sides = (attributes["sizes"]?.lowercasedWords ?? []).compactMap {
      $0.split(separator: "x").first.flatMap { Int($0) }
    }
    // Icons of phones have 180 pixels a side.
    guard let side = sides.filter({ $0 >= 32 }).min() ?? sides.max() else {
      return isTouch ? 180 : 48
    }
    return side >= 32 ? side : 1_000 - side
  }
}
