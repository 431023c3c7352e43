internal import Text

/// A text read as a line, a title, a plain text or a number.
extension PendingText {
  func line() -> String? {
    let line = bytes.withUnsafeBufferPointer { PlainText.sanitized(bytes: $0) }
    return line.isEmpty ? nil : line
  }

  /// A plain text of one line. Without a declared type it may be HTML all the same.
  func plainLine(_ open: Capture) -> String? {
    open.isUntyped ? line().map(PlainTitle.text).flatMap(PlainText.line) : line()
  }

  /// - Parameter isDeclared: whether its type says that it is HTML.
  func titleText(isDeclared: Bool = false) -> String? {
    trimmedTitle(
      bytes.withUnsafeBufferPointer { PlainText.title(bytes: $0, isDeclared: isDeclared) })
  }

  /// The words that a text lists (`rdf:Bag` and `rdf:Seq`); most are one.
  func titleTexts() -> [String] {
    guard bytes.contains(Self.listMark) else {
      return titleText().map { [$0] } ?? []
    }
    return bytes.split(separator: Self.listMark).compactMap { part in
      trimmedTitle(part.withUnsafeBufferPointer { PlainText.title(bytes: $0) })
    }
  }

  /// A no-break space says as little as a space, and nobody indents a title of ours with an
  /// ideographic one.
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

  /// A title as its type says; where Atom gives none, feeds escape twice. Of one that is nothing but
  /// an image it is what the image shows.
  mutating func title(_ open: Capture) -> String? {
    typedText(open)
      ?? bytes.withUnsafeBufferPointer(PlainTitle.textOfImage).flatMap(trimmedTitle)
  }

  /// A text of one line as its type says.
  mutating func typedText(_ open: Capture) -> String? {
    if open.isBase64 { decodeBase64() }
    if open.mayBeFile, bytes.withUnsafeBufferPointer(BodyText.isBase64) { return nil }
    // Text of the type HTML has scripts, and does not only mention them.
    if open.style != .plain { dropScripts() }
    switch open.style {
    // A tag is a tag: in XHTML text has no brackets.
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

  /// Moves a text that is not blank to a body, if its element takes precedence over that of the earlier one.
  /// The buffers are swapped, so that nothing is copied.
  mutating func move(
    _ open: Capture, to body: inout EntryDraft.Body, _ rank: UInt8, base: String?
  ) -> Bool {
    guard rank < body.rank else { return false }
    if open.isBase64 { decodeBase64() }
    if open.mayBeFile, bytes.withUnsafeBufferPointer(BodyText.isBase64) { return false }
    let isPlainText = open.isPlainText && !(open.isUntyped && isMarkup(open.tag))
    if !isPlainText { unescapeTwice() }
    guard !bytes.withUnsafeBufferPointer(BodyText.isBlank) else { return false }
    // It counts where nothing else says more.
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

  /// Whether a text without a declared type is HTML.
  private func isMarkup(_ tag: FeedTag) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      tag == .mediaDescription || tag == .pictureDescription
        ? BodyText.closesTag(bytes) : EscapedMarkup.isMarkup(bytes)
    }
  }
}

extension PendingText.Capture {
  /// Reads the type of a text of Atom's (RFC 4287 §3.1 and §4.1.3.3). Atom 0.3 names media types and says in
  /// `mode` how they are written.
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
      // Atom 0.3 escapes HTML without a type at times.
      isPlainText = mode != "escaped"
      isUntyped = type == nil
    case let type where type.contains("xhtml"): style = mode == "escaped" ? .html : .xhtml
    case let type where type.contains("html"): style = mode == "xml" ? .xhtml : .html
    case let type where type.hasPrefix("text/"): isPlainText = true
    case let type where tag == .atomContent:
      // A file in base64 (RFC 4287 §4.1.3.3), or a type that nobody knows: its text is looked at.
      let isFile =
        ["image/", "audio/", "video/"].contains(where: type.hasPrefix) || fileTypes.contains(type)
      if isFile { return false }
      (isPlainText, isUntyped, endsAtElement) = (true, true, true)
      mayBeFile = type.contains("/")
    case let type where type.contains("/") && !type.hasSuffix("xml"):
      // RFC 4287 §4.1.3.3: content that is neither text nor XML is written in base64.
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
