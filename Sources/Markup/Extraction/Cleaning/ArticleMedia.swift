internal import Text

/// Writes the pictures, formulas, frames and media of an article.
struct ArticleMedia {
  let page: MeasuredPage
  /// Makes an address of the page absolute; nil for one that is not followed.
  let address: (String) -> String?

  // MARK: Pictures

  func writePicture(_ node: HTMLPage.Node, to writer: inout ArticleTagWriter) {
    guard let source = PagePicture.address(of: node), let address = address(source) else { return }
    let kept = ["alt", "title", "width", "height"].compactMap { name in
      node[name].map { (name, $0) }
    }
    writer.write(void: "img", [("src", address)] + kept)
  }

  /// Writes a `<picture>` whose `<img>` has no address of its own with that of the first `<source>`.
  ///
  /// - Returns: whether what is in it is written.
  func writePictureSet(_ index: Int, to writer: inout ArticleTagWriter) -> Bool {
    let inner = page.nodes[page.range(of: index)].dropFirst()
    let images = inner.filter { $0.name == "img" }
    guard !images.contains(where: { PagePicture.address(of: $0) != nil }) else { return true }
    let sources = inner.lazy.filter { $0.name == "source" }.compactMap { source in
      source.attributes.lazy.filter { $0.name.hasSuffix("srcset") }
        .compactMap { PagePicture.best(of: $0.value) }.first.flatMap(address)
    }
    if let source = sources.first {
      let alt = images.first?["alt"].map { [("alt", $0)] } ?? []
      writer.write(void: "img", [("src", source)] + alt)
    }
    return false
  }

  /// Whether the element before a copy for browsers without scripts shows a picture already.
  func standsBesidePicture(_ index: Int) -> Bool {
    let before = page.nodes[index].previous
    guard before >= 0 else { return false }
    return page.nodes[page.range(of: before)].prefix(64).contains {
      $0.name == "img" && PagePicture.address(of: $0) != nil
    }
  }

  // MARK: Formulas

  /// The elements of MathML. What else is in a formula leaves its text, as a browser shows it, or nothing.
  private static let formulaNames: Set = [
    "math", "mrow", "mfrac", "msqrt", "mroot", "mstyle", "merror", "mpadded", "mphantom", "mfenced",
    "menclose", "msub", "msup", "msubsup", "munder", "mover", "munderover", "mmultiscripts",
    "mprescripts", "none", "mtable", "mtr", "mlabeledtr", "mtd", "maction", "mi", "mn", "mo",
    "mtext", "mspace", "ms", "mglyph", "maligngroup", "malignmark", "semantics", "annotation",
    "annotation-xml",
  ]
  private static let formulaAttributes: Set = [
    "display", "alttext", "encoding", "mathvariant", "stretchy", "open", "close",
  ]

  func writeFormula(_ index: Int, to writer: inout ArticleTagWriter) {
    var ends: [Int] = []
    var inner = index
    while inner < page.nodes[index].end {
      while let end = ends.last, end <= inner {
        writer.end()
        ends.removeLast()
      }
      let node = page.nodes[inner]
      if PageHints.dropped.contains(node.name) {
        inner = node.end
        continue
      }
      if node.name.isEmpty {
        writer.write(text: node.text)
      } else if Self.formulaNames.contains(node.name) {
        writer.begin(
          node.name,
          node.attributes.filter { Self.formulaAttributes.contains($0.name) }.map { ($0, $1) })
        ends.append(node.end)
      }
      inner += 1
    }
    for _ in ends { writer.end() }
  }

  // MARK: Frames and media

  func writeMedium(_ index: Int, to writer: inout ArticleTagWriter) {
    let sources = page.nodes[page.range(of: index)].lazy.flatMap(\.attributes)
      .filter { $0.name == "src" || $0.name == "data-src" }
    guard let address = sources.first.flatMap({ address($0.value) }) else { return }
    write(page.nodes[index].name, address, to: &writer)
  }

  /// Writes the frame of a player; of others nothing.
  func writeFrame(_ node: HTMLPage.Node, to writer: inout ArticleTagWriter) {
    let sources = (["src"] + PagePicture.lazyAttributes).lazy.compactMap { node[$0] }
    guard let address = sources.compactMap(address).first, Self.isPlayer(address) else { return }
    write("iframe", address, to: &writer)
  }

  private func write(_ name: String, _ address: String, to writer: inout ArticleTagWriter) {
    writer.begin(name, [("src", address)])
    writer.write(text: WebAddress.host(of: address) ?? address)
    writer.end()
  }

  private static let players = [
    "youtube.com", "youtube-nocookie.com", "player.vimeo.com", "dailymotion.com", "soundcloud.com",
    "open.spotify.com", "player.twitch.tv", "player.bilibili.com", "codepen.io", "archive.org",
    "bandcamp.com", "ted.com", "arte.tv",
  ]

  private static func isPlayer(_ address: String) -> Bool {
    guard let host = WebAddress.host(of: address) else { return false }
    let hosts = players + EmbeddedPage.codeHosts + EmbeddedPage.pollHosts
    return EmbeddedPage.isHost(host, of: hosts) || address.contains("/videos/embed/")
  }
}
