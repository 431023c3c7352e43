internal import Text

/// Where entries may begin: not in another entry that was not closed, but in an element that quotes them.
struct EntryPlaces {
  /// The index of the open element that quotes entries; nil without one. An entry in it ends no element
  /// around it.
  var quoting: Int?
  /// The number of elements that may still be searched for a quoted entry in vain. Without a limit a
  /// document of many unclosed elements would be read many times.
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

  /// The index of the open entry with this name around the present place. The whole name counts: an
  /// entry may contain items of another module.
  static func outerEntry(
    of name: Range<Int>, in bytes: ByteBuffer, _ elements: OpenElements
  ) -> Int? {
    (1..<elements.count).last { elements.isNamed(name, in: bytes, at: $0) }
  }

  /// Local names of the elements that contain the list of entries.
  private static let listNames: [StaticString] = ["rss", "channel", "feed", "rdf", "seq", "li"]
  /// The number of bytes in which the end of an element with an entry in it is searched for.
  private static let entryReach = 256 << 10

  private static let entryNames: [StaticString] = ["item", "entry"]
  /// Void elements of HTML (`HTMLElements.void`) whose names no feed format uses, as Atom uses `link` and
  /// `source`.
  static let voidNames: [StaticString] = ["br", "hr", "img", "wbr"]

  static func isEntry(_ bytes: ByteBuffer, _ name: Range<Int>) -> Bool {
    entryNames.contains { XMLNames.isLocalName($0, bytes, name) }
  }
}
