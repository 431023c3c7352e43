internal import Text

/// A text read as a line, a title, a plain text or a number.
extension PendingText {
  func line() -> String? {
    let line = bytes.withUnsafeBufferPointer { PlainText.sanitized(bytes: $0) }
    return line.isEmpty ? nil : line
  }

  /// A text of one line, without what could speak to a terminal; nil where nothing is left.
  private static func line(_ value: String) -> String? {
    let line = PlainText.sanitized(value)
    return line.isEmpty ? nil : line
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
    return open.isUntyped ? line().map(PlainTitle.text).flatMap(Self.line) : line()
  }

  func number() -> Int? {
    guard let number = line().flatMap({ Int($0) }), number >= 0 else { return nil }
    return number
  }
}
