internal import Text

/// Places of entries: not in an unclosed entry, but in an element that quotes entries.
struct EntryPlaces {
  /// Index of the open element that quotes entries.
  var quoting: Int?
  /// Remaining searches that may fail, as a bound for documents of many unclosed elements.
  private var lookaheadsLeft = 16
  private var read = 0

  /// Whether an entry within an entry or foreign element is quoted; nil if that needs more bytes.
  mutating func isQuoted(
    _ name: Int32, _ tag: XMLTag, _ bytes: ByteBuffer, in elements: OpenElements, isLast: Bool
  ) -> Bool? {
    guard lookaheadsLeft > 0, read < Self.readLimit,
      let holder = Self.holder(of: name, elements, upTo: elements.count)
    else {
      return false
    }
    let end = min(bytes.count, tag.end + Self.entryReach)
    let rest = ByteBuffer(rebasing: bytes[tag.end..<end])
    let isClosed = elements.names.bytes(of: name).withUnsafeBufferPointer { entry in
      elements.name(at: holder).withUnsafeBufferPointer { holder in
        QuotedEntry(entry: entry, holder: holder)
          .isClosed(in: rest, isEntryOpen: !tag.closesItself, read: &read)
      }
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

  /// The element within the outer entry that contains the new one, or else the innermost with a
  /// prefix.
  ///
  /// - Parameter count: number of elements to search, from the root.
  static func holder(of name: Int32, _ elements: OpenElements, upTo count: Int) -> Int? {
    guard count > 1 else { return nil }
    if let outer = outerEntry(of: name, elements, upTo: count) {
      return outer + 1 < count ? outer + 1 : nil
    }
    guard elements.withColon > 0 else { return nil }
    for place in (1..<count).reversed() {
      if elements.kind(at: place).contains(.list) { return nil }
      if elements.kind(at: place).contains(.colon) { return place }
    }
    return nil
  }

  /// The open entry of this name. Prefixes count, as an entry may contain items of another module.
  static func outerEntry(of name: Int32, _ elements: OpenElements, upTo count: Int) -> Int? {
    guard elements.contains(name) else { return nil }
    return (1..<count).last { elements.names.isAlike(elements.number(at: $0), name) }
  }

  /// Bytes after a quoted entry that are searched for the end of the quoting element.
  private static let entryReach = 256 << 10
  /// Bytes of all searches, several times the largest document: entries that only seem to be quoted
  /// must not be read again and again.
  private static let readLimit = 128 << 20
}
