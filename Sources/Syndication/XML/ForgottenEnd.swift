internal import Text

/// Probable end of a CDATA section without `]]>`: before its element's end tag and either another
/// field or the end of the outer element. Searched for only at the end of the document, because
/// sections may contain such tags.
struct ForgottenEnd {
  /// Names of the element with the section, and of the one around it.
  var element: [UInt8]
  var parent: [UInt8]

  func place(in bytes: ByteBuffer) -> Int? {
    var from = 0
    while let start = bytes.firstIndex(of: 0x3C, from: from) {
      from = start + 1
      guard let end = endOfEndTag(element, in: bytes, at: start) else { continue }
      let next = bytes.firstNonSpace(from: end)
      guard next < bytes.count, bytes[next] == 0x3C else { continue }
      if endOfEndTag(parent, in: bytes, at: next) != nil || startsField(bytes, at: next) {
        return start
      }
    }
    return nil
  }

  private func endOfEndTag(_ name: [UInt8], in bytes: ByteBuffer, at start: Int) -> Int? {
    var index = start + 2 + name.count
    guard index < bytes.count, bytes[start + 1] == 0x2F,
      bytes[start + 2..<index].elementsEqual(name)
    else { return nil }
    index = bytes.firstNonSpace(from: index)
    return index < bytes.count && bytes[index] == 0x3E ? index + 1 : nil
  }

  /// Whether an element of another module or a common field of feeds begins.
  private func startsField(_ bytes: ByteBuffer, at start: Int) -> Bool {
    var end = start + 1
    while end < bytes.count, XMLNames.contains(bytes[end]) { end += 1 }
    let name = start + 1..<end
    guard name.count <= 64, let first = name.first, XMLNames.starts(bytes[first]) else {
      return false
    }
    return bytes[name].contains(0x3A) || Self.fields.contains(bytes.string(name).lowercased())
  }

  private static let fields: Set<String> = [
    "author", "category", "comments", "content", "description", "enclosure", "guid", "id", "item",
    "entry", "link", "pubdate", "published", "source", "summary", "title", "updated",
  ]
}
