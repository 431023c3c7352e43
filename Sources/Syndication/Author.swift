internal import Foundation
internal import News

/// How RSS names people: RFC 822 addresses, which have the name in brackets or before the address.
enum Author {
  static func name(_ text: String) -> String {
    guard text.contains("@") else { return text }
    if let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")"), open < close {
      let name = PlainText.sanitized(String(text[text.index(after: open)..<close]))
      if !name.isEmpty { return name }
    }
    if let open = text.firstIndex(of: "<") {
      let name = PlainText.sanitized(String(text[..<open]))
        .trimmingCharacters(in: ["\"", " "])
      if !name.isEmpty { return name }
    }
    return text
  }
}
