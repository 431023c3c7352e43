internal import Text

/// Distinguishes an entry that is quoted in an element of another entry from one after an unclosed
/// entry: the quoting element ends after the quoted entry, with all entries in between closed.
struct QuotedEntry {
  /// Name of the entries, as in the inner tag.
  let entry: ByteBuffer
  let holder: ByteBuffer

  /// Whether the holder is closed after the start tag of the inner entry.
  ///
  /// - Parameters:
  ///   - isEntryOpen: false for `<item/>`.
  ///   - read: incremented by the number of bytes read.
  func isClosed(in bytes: ByteBuffer, isEntryOpen: Bool, read: inout Int) -> Bool {
    var entries = isEntryOpen ? 1 : 0
    var holders = 1
    var index = 0
    defer { read += index }
    while let start = bytes.firstIndex(of: 0x3C, from: index) {
      if let end = endOfSection(bytes, at: start) {
        index = end
        continue
      }
      let isEnd = start + 1 < bytes.count && bytes[start + 1] == 0x2F
      let nameStart = start + (isEnd ? 2 : 1)
      var nameEnd = nameStart
      while nameEnd < bytes.count, XMLNames.contains(bytes[nameEnd]) { nameEnd += 1 }
      let name = nameStart..<nameEnd
      let isEntry = isNamed(entry, bytes, name)
      let isHolder = !isEntry && isNamed(holder, bytes, name)
      index = nameEnd
      guard isEntry || isHolder else { continue }
      guard let (end, closesItself) = endOfTag(bytes, from: nameEnd) else { return false }
      index = end
      if closesItself { continue }
      if isEntry {
        entries += isEnd ? -1 : 1
        // The outer entry has ended.
        if entries < 0 { return false }
      } else {
        holders += isEnd ? -1 : 1
        if holders == 0 { return entries == 0 }
      }
    }
    return false
  }

  private func isNamed(_ wanted: ByteBuffer, _ bytes: ByteBuffer, _ name: Range<Int>) -> Bool {
    name.count == wanted.count
      && zip(wanted, bytes[name]).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
  }

  /// The end of a CDATA section or comment; nil if there is none at `start`.
  private func endOfSection(_ bytes: ByteBuffer, at start: Int) -> Int? {
    let isSection = bytes.hasWord("<![cdata[", at: start)
    guard isSection || bytes.hasWord("<!--", at: start) else { return nil }
    let end = bytes.firstIndex(ofWord: isSection ? "]]>" : "-->", from: start + 4)
    return end.map { $0 + 3 } ?? bytes.count
  }

  /// The end of a tag, and whether it closes itself; nil for a truncated one.
  private func endOfTag(_ bytes: ByteBuffer, from start: Int) -> (end: Int, closesItself: Bool)? {
    var quote: UInt8?
    var index = start
    while index < bytes.count {
      let byte = bytes[index]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == 0x22 || byte == 0x27 {
        quote = byte
      } else if byte == 0x3E {
        return (index + 1, bytes[index - 1] == 0x2F)
      }
      index += 1
    }
    return nil
  }
}
