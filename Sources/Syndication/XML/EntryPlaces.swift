internal import Text

/// Where entries may begin: not in another entry that was not closed, but in an element that quotes them.
struct EntryPlaces {
  /// The index of the open element that quotes entries; nil without one. An entry in it ends no element
  /// around it.
  var quoting: Int?
  /// The number of elements that may still be searched for a quoted entry in vain. Without a limit a
  /// document of many unclosed elements would be read many times.
  private var lookaheadsLeft = 16
  /// The number of bytes that were looked at for quoted entries.
  private var read = 0

  /// Whether an entry that begins inside another, or inside an element of another namespace, is quoted
  /// there; nil where more bytes are needed to tell.
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

  /// The element that may quote an entry: the one in the outer entry that the new one lies in, or the
  /// innermost with a prefix where there is no outer one.
  ///
  /// - Parameter count: the number of elements from the root in that are looked at.
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

  /// The index of the open entry with this name around the present place. The whole name counts: an
  /// entry may contain items of another module.
  static func outerEntry(of name: Int32, _ elements: OpenElements, upTo count: Int) -> Int? {
    guard elements.contains(name) else { return nil }
    return (1..<count).last { elements.names.isAlike(elements.number(at: $0), name) }
  }

  /// The number of bytes in which the end of an element with an entry in it is searched for.
  private static let entryReach = 256 << 10
  /// The number of bytes that are looked at for quoted entries in all: some times those of the largest document. Entries
  /// that seem to be quoted, and are not closed as they seem, would be looked at again and again otherwise.
  private static let readLimit = 128 << 20
}
