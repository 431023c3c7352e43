/// An XML document in the making. Text and attributes are escaped here and nowhere else.
struct XMLText {
  private(set) var text = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"

  /// Markup as it is.
  mutating func raw(_ markup: String) { text += markup }

  /// Nothing at all for nil: an absent value has no element.
  mutating func element(
    _ name: String, _ content: String?, _ attributes: [(String, String)] = []
  ) {
    guard let content else { return }
    text += "<\(name)\(written(attributes))>\(escapedXML(content))</\(name)>\n"
  }

  mutating func empty(_ name: String, _ attributes: [(String, String)]) {
    text += "<\(name)\(written(attributes))/>\n"
  }

  private func written(_ attributes: [(String, String)]) -> String {
    attributes.map { " \($0.0)=\"\(escapedXML($0.1))\"" }.joined()
  }
}

/// Escapes for text and double-quoted attributes, and drops what XML 1.0 §2.2 does not allow.
func escapedXML(_ text: String) -> String {
  var out: [UInt8] = []
  out.reserveCapacity(text.utf8.count + 64)
  for byte in text.utf8 {
    switch byte {
    case UInt8(ascii: "<"): out += "&lt;".utf8
    case UInt8(ascii: ">"): out += "&gt;".utf8
    case UInt8(ascii: "&"): out += "&amp;".utf8
    case UInt8(ascii: "\""): out += "&quot;".utf8
    case 0..<9, 11, 12, 14..<32: break
    default: out.append(byte)
    }
  }
  return String(decoding: out, as: UTF8.self)
}
