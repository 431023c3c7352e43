internal import Foundation
internal import Text

/// What libxml2 says of a document, in words for whoever reads feeds.
enum XMLComplaint {
  /// A sentence with its full stop; nil for a message that says nothing.
  static func sentence(for message: String) -> String? {
    let text = PlainText.sanitized(message)
    let words = text.split(separator: " ").map(String.init)
    if text.hasPrefix("Namespace prefix "), words.count > 2 {
      return "The prefix “\(words[2])” is not declared."
    }
    if text.hasPrefix("Attribute "), text.hasSuffix(" redefined"), words.count > 2 {
      return "A tag has the attribute “\(words[1])” twice."
    }
    if text.hasPrefix("PEReference: %"), let end = text.firstIndex(of: ";") {
      let start = text.index(text.startIndex, offsetBy: 13)
      return "The entity “\(text[start...end])” is not read."
    }
    if text.hasPrefix("Failed to parse QName"), let quote = text.firstIndex(of: "'") {
      let name = text[text.index(after: quote)...].prefix { $0 != "'" }
      return "A name has too many colons: “\(name)”."
    }
    if text.isEmpty { return nil }
    return "XML: " + (text.hasSuffix(".") ? text : text + ".")
  }
}
