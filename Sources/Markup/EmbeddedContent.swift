internal import Text

// What pages show by scripts, plug-ins and elements of their own, as what a reader without them can follow.

extension HTMLNormalizer {
  /// Bytes of a `<noscript>` whose text is read.
  private static let longestReadNoscript = 64 << 10

  /// Whether a `<noscript>` holds a text that is not about scripts: the link to a poll, a copy of code.
  mutating func holdsText(noscript start: Int) -> Bool {
    guard !isBetweenCells,
      let end = find("</noscript", from: start), end - start <= Self.longestReadNoscript
    else { return false }
    let text = input.string(start..<end).lowercased()
    let asksForScripts = text.contains("enable") && text.contains("script")
    return !asksForScripts && !text.contains("javascript") && !text.contains("<iframe")
      && !text.contains("<link")
      && !text.contains("<style") && !PlainText.stripped(html: text).isEmpty
  }

  /// Whether what an `<object>` shows has an address that a player takes.
  func isShown(object token: MarkupTokenizer.Tag) -> Bool {
    var (hasData, isPicture) = (false, false)
    for attribute in MarkupAttributes(input, of: token) {
      let value = input.string(attribute.value)
      if input.isWord("data", in: attribute.name) {
        hasData = !value.isEmpty
        isPicture = isPicture || value.lowercased().hasSuffix(".svg")
      } else if input.isWord("type", in: attribute.name) {
        isPicture = isPicture || value.lowercased().hasPrefix("image/")
      }
    }
    return hasData && !isPicture
  }

  /// Reads an element that HTML does not know: a player that a page loads when it is clicked, or the address of one.
  mutating func readUnknown(_ token: MarkupTokenizer.Tag) {
    if input.isWord("param", in: token.name) { return readParameter(token) }
    let name = input.string(token.name).lowercased()
    guard
      ["lite-youtube", "youtube-video", "amp-youtube", "lite-vimeo", "amp-vimeo"].contains(name)
    else { return }
    for attribute in MarkupAttributes(input, of: token)
    where ["videoid", "data-videoid", "video-id"].contains(
      input.string(attribute.name).lowercased())
    {
      let id = input.string(attribute.value)
      guard !id.isEmpty, id.utf8.count < 64,
        id.utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || $0 == 0x2D || $0 == 0x5F })
      else { return }
      let isVimeo = name.hasSuffix("vimeo")
      return writeVoid(
        "<iframe src=\"\(isVimeo ? "https://player.vimeo.com/video/" : "https://www.youtube.com/embed/")\(id)\"></iframe>"
      )
    }
  }

  /// The film of an old player, unless an `<embed>` beside it names it too.
  private mutating func readParameter(_ token: MarkupTokenizer.Tag) {
    var (isFilm, address) = (false, "")
    for attribute in MarkupAttributes(input, of: token) {
      if input.isWord("name", in: attribute.name) {
        isFilm = ["movie", "src", "url"].contains(input.string(attribute.value).lowercased())
      } else if input.isWord("value", in: attribute.name) {
        address = input.string(attribute.value)
      }
    }
    guard isFilm, !address.isEmpty, address.utf8.count < 2_048,
      let end = find("</object", from: position),
      find("<embed", from: position).map({ $0 > end }) ?? true
    else { return }
    writeVoid("<embed src=\"\(address.replacing("\"", with: "&quot;"))\">")
  }

  /// Writes a link to what a script would put into the page: code of GitHub, a poll.
  mutating func writeEmbedded(byScript token: MarkupTokenizer.Tag) {
    let source =
      MarkupAttributes(input, of: token).first { input.isWord("src", in: $0.name) }
      .map { input.string($0.value) } ?? ""
    var address = source.hasPrefix("//") ? "https:" + source : source
    address = String(address.prefix { $0 != "?" && $0 != "#" })
    guard address.hasPrefix("https://"), address.hasSuffix(".js"), !address.contains("\""),
      let host = WebAddress.host(of: address)?.lowercased()
    else { return }
    switch host {
    case "gist.github.com", "asciinema.org": address.removeLast(3)
    case "static.polldaddy.com", "secure.polldaddy.com":
      let name = address.split(separator: "/").last?.dropLast(3) ?? ""
      guard address.contains("/p/"), !name.isEmpty else { return }
      address = "https://poll.fm/\(name)"
    default: return
    }
    // What follows for readers without scripts says more.
    var next = find("</script", from: position) ?? position
    next = input.firstIndex(of: UInt8(ascii: ">"), from: next).map { $0 + 1 } ?? next
    while next < input.count, input[next].isASCIISpace { next += 1 }
    if input.hasWord("<noscript", at: next) { return }
    writeVoid("<p><a href=\"\(address)\">\(address.dropFirst(8))</a></p>")
  }

  /// Writes what a drawing shows, by its own word. A small one is an icon.
  mutating func writeLabel(ofDrawing token: MarkupTokenizer.Tag) {
    var label = ""
    for attribute in MarkupAttributes(input, of: token) {
      let value = input.string(attribute.value)
      switch input.string(attribute.name).lowercased() {
      case "aria-label": label = value
      case "aria-hidden" where value.lowercased() == "true": return
      case "width", "height":
        if let size = Double(value.prefix { $0.isNumber || $0 == "." }), size <= 48 { return }
      default: break
      }
    }
    if label.isEmpty, let end = find("</svg", from: position),
      let title = find("<title", from: position), title < end,
      let start = input.firstIndex(of: UInt8(ascii: ">"), in: title..<end),
      let close = find("</title", from: start), close < end, close - start < 1_024
    {
      label = input.string(start + 1..<close)
    }
    guard label.contains(" "), label.utf8.count < 1_024, !open.contains(.a) else { return }
    writeVoid("<img alt=\"\(label.replacing("\"", with: "&quot;").replacing("<", with: "&lt;"))\">")
  }

  /// Writes elements that are complete.
  private mutating func writeVoid(_ html: String) {
    guard !isBetweenCells, elements + 2 < HTMLNormalizer.mostElements,
      open.count < HTMLNormalizer.deepest, openElements < HTMLNormalizer.mostOpenElements
    else { return }
    elements += 2
    output.append(contentsOf: html.utf8)
  }
}
