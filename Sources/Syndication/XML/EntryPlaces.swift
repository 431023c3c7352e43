internal import Text

/// Where entries may begin: not in another entry that was not closed, but in an element that quotes them.
struct EntryPlaces {
  /// The element that quotes entries, where one is open: nothing in it ends what is around it.
  var quoting: Int?
  /// How many more elements may turn out not to quote the entry in them. A document of many that were
  /// not closed would be read many times.
  private var lookaheadsLeft = 16

  /// Whether an entry that begins inside another, or inside an element of another namespace, is quoted
  /// there; nil where more bytes are needed to tell.
  mutating func isQuoted(
    _ name: Range<Int>, _ tag: XMLTag, _ bytes: ByteBuffer, in elements: OpenElements, isLast: Bool
  ) -> Bool? {
    guard lookaheadsLeft > 0, let holder = Self.holder(of: name, in: bytes, elements) else {
      return false
    }
    let end = min(bytes.count, tag.end + Self.entryReach)
    let rest = ByteBuffer(rebasing: bytes[tag.end..<end])
    let entry = ByteBuffer(rebasing: bytes[name])
    let isClosed = elements.name(at: holder).withUnsafeBufferPointer { holder in
      QuotedEntry(entry: entry, holder: holder)
        .isClosed(in: rest, isEntryOpen: !tag.closesItself)
    }
    if isClosed {
      quoting = holder
    } else if end < tag.end + Self.entryReach, !isLast {
      return nil
    } else {
      lookaheadsLeft -= 1
    }
    return isClosed
  }

  /// The element that may quote an entry: the one in the outer entry that the new one lies in, or the
  /// innermost with a prefix where there is no outer one.
  static func holder(
    of name: Range<Int>, in bytes: ByteBuffer, _ elements: OpenElements
  ) -> Int? {
    guard elements.count > 1 else { return nil }
    if let outer = outerEntry(of: name, in: bytes, elements) {
      return outer + 1 < elements.count ? outer + 1 : nil
    }
    for place in (1..<elements.count).reversed() {
      if listNames.contains(where: { elements.isLocalName($0, at: place) }) { return nil }
      if elements.name(at: place).contains(0x3A) { return place }
    }
    return nil
  }

  /// The open entry that an entry of that name stands in. Another module may have items of its own,
  /// which lie in an entry.
  static func outerEntry(
    of name: Range<Int>, in bytes: ByteBuffer, _ elements: OpenElements
  ) -> Int? {
    (1..<elements.count).last { elements.isNamed(name, in: bytes, at: $0) }
  }

  /// What lists of entries stand in, whatever its prefix.
  private static let listNames: [StaticString] = ["rss", "channel", "feed", "rdf", "seq", "li"]
  /// So far the end of an element is looked for that may hold an entry.
  private static let entryReach = 256 << 10

  private static let entryNames: [StaticString] = ["item", "entry"]
  /// Void elements of HTML (`HTMLElements.void`) that no format of feeds has an element of that name for,
  /// as Atom has `link` and `source`.
  static let voidNames: [StaticString] = ["br", "hr", "img", "wbr"]

  static func isEntry(_ bytes: ByteBuffer, _ name: Range<Int>) -> Bool {
    entryNames.contains { XMLNames.isLocalName($0, bytes, name) }
  }
}
