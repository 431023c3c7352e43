internal import Text

/// Values of a text: lines, titles, bodies and numbers.
extension PendingText {
  func line() -> String? {
    let line = bytes.withUnsafeBufferPointer { PlainText.sanitized(bytes: $0) }
    return line.isEmpty ? nil : line
  }

  /// Plain text in one line. Without a declared type it may be HTML.
  func plainLine(_ open: Capture) -> String? {
    open.isUntyped ? line().map(PlainTitle.text).flatMap(PlainText.line) : line()
  }

  /// - Parameter isDeclared: whether the type is HTML.
  func titleText(isDeclared: Bool = false) -> String? {
    trimmedTitle(
      bytes.withUnsafeBufferPointer { PlainText.title(bytes: $0, isDeclared: isDeclared) })
  }

  /// The words of a list (`rdf:Bag`, `rdf:Seq`), usually one.
  func titleTexts() -> [String] {
    guard bytes.contains(Self.listMark) else { return titleText().map { [$0] } ?? [] }
    return bytes.split(separator: Self.listMark).compactMap { part in
      trimmedTitle(part.withUnsafeBufferPointer { PlainText.title(bytes: $0) })
    }
  }

  /// Also trims no-break and ideographic spaces.
  private func trimmedTitle(_ title: String) -> String? {
    let isTrimmed = title.withBytes { bytes in
      guard let first = bytes.first, let last = bytes.last else { return false }
      return first > 0x20 && first < 0x7F && last > 0x20 && last < 0x7F
    }
    if isTrimmed { return title }
    var scalars = title.unicodeScalars[...]
    while let first = scalars.first, first.properties.isWhitespace { scalars.removeFirst() }
    while let last = scalars.last, last.properties.isWhitespace { scalars.removeLast() }
    return scalars.isEmpty ? nil : String(scalars)
  }

  func stripped() -> String? {
    let text = bytes.withUnsafeBufferPointer { PlainText.stripped(bytes: $0) }
    return text.isEmpty ? nil : text
  }

  /// A title by its type, or the description of a lone image.
  mutating func title(_ open: Capture) -> String? {
    typedText(open)
      ?? bytes.withUnsafeBufferPointer(PlainTitle.textOfImage).flatMap(trimmedTitle)
  }

  /// One line by its type.
  mutating func typedText(_ open: Capture) -> String? {
    if open.isBase64 { decodeBase64() }
    if open.mayBeFile, bytes.withUnsafeBufferPointer(BodyText.isBase64) { return nil }
    // Declared HTML contains scripts rather than mentioning them.
    if open.style != .plain { dropScripts() }
    switch open.style {
    // Brackets in XHTML are tags.
    case .xhtml: return trimmedTitle(stripped() ?? "")
    case .html: return titleText(isDeclared: true)
    case .plain: if !open.isPlainText { return titleText() }
    }
    return plainLine(open)
  }

  func number() -> Int? {
    guard let number = line().flatMap({ Int($0) }), number >= 0 else { return nil }
    return number
  }

  /// Swaps a text with a body if it is not blank and its element takes precedence.
  mutating func move(
    _ open: Capture, to body: inout EntryDraft.Body, _ rank: UInt8, base: String?
  ) -> Bool {
    guard rank < body.rank else { return false }
    if open.isBase64 { decodeBase64() }
    if open.mayBeFile, bytes.withUnsafeBufferPointer(BodyText.isBase64) { return false }
    let isPlainText = open.isPlainText && !(open.isUntyped && isMarkup(open.tag))
    if !isPlainText { unescapeTwice() }
    guard !bytes.withUnsafeBufferPointer(BodyText.isBlank) else { return false }
    // Used only if nothing else has content.
    let showsNothing = !isPlainText && bytes.withUnsafeBufferPointer(BodyText.showsNothing)
    let rank = showsNothing ? Precedence.weakest : rank
    guard rank < body.rank else { return false }
    swap(&body.bytes, &bytes)
    body.kind = isPlainText ? .text : .html
    body.showsNothing = showsNothing
    body.base = base
    body.hasOwnBase = open.base != nil
    body.rank = rank
    return true
  }

  private func isMarkup(_ tag: FeedTag) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      tag == .mediaDescription || tag == .pictureDescription
        ? BodyText.closesTag(bytes) : EscapedMarkup.isMarkup(bytes)
    }
  }
}

extension PendingText.Capture {
  /// Reads the type of Atom's text (RFC 4287 §3.1, §4.1.3.3), or Atom 0.3's media type and `mode`.
  ///
  /// - Returns: false for a file.
  mutating func readType(of element: XMLElement) -> Bool {
    let type = element.attribute("type").map { type in
      PlainText.sanitized(type.lowercased().prefix { $0 != ";" }.description)
    }
    let mode = element.line("mode")?.lowercased()
    isBase64 = mode == "base64"
    switch type ?? "text" {
    case "text", "text/plain", "":
      // Atom 0.3 may escape HTML without a type.
      isPlainText = mode != "escaped"
      isUntyped = type == nil
    case let type where type.contains("xhtml"): style = mode == "escaped" ? .html : .xhtml
    case let type where type.contains("html"): style = mode == "xml" ? .xhtml : .html
    case let type where type.hasPrefix("text/"): isPlainText = true
    case let type where tag == .atomContent:
      // A file in base64 (RFC 4287 §4.1.3.3), or an unknown type, whose text decides.
      let isFile =
        ["image/", "audio/", "video/"].contains(where: type.hasPrefix) || fileTypes.contains(type)
      if isFile { return false }
      (isPlainText, isUntyped, endsAtElement) = (true, true, true)
      mayBeFile = type.contains("/")
    case let type where type.contains("/") && !type.hasSuffix("xml"):
      // Content that is neither text nor XML is in base64 (RFC 4287 §4.1.3.3).
      (isPlainText, isUntyped, mayBeFile, isBase64) = (true, true, true, true)
    default: break
    }
    return true
  }
}

/// Media types of files whose base64 is no text.
private let fileTypes: Set<String> = [
  "application/octet-stream", "application/pdf", "application/zip", "application/gzip",
  "application/epub+zip", "application/x-shockwave-flash",
]
