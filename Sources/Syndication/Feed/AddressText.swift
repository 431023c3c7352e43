internal import Foundation
internal import Text

enum AddressText {
  /// Joins a broken address up to an empty line or another one; nil for a single line.
  static func joined(_ text: ByteBuffer) -> String? {
    let range = text.trimmed(0..<text.count)
    guard
      text.firstIndex(of: 0x0A, in: range) != nil || text.firstIndex(of: 0x0D, in: range) != nil
    else { return nil }
    var address = ""
    // A CR LF is one line break, not an empty line.
    let whole = text.string(range).replacingOccurrences(of: "\r\n", with: "\n")
    for line in whole.unicodeScalars.split(
      omittingEmptySubsequences: false, whereSeparator: { $0 == "\n" || $0 == "\r" })
    {
      let part = PlainText.sanitized(String(line))
      let isNext = part.isEmpty || part.lowercased().hasPrefix("http")
      if isNext, !address.isEmpty { break }
      address += part
    }
    return address
  }

  /// Repairs common mistakes: ampersands escaped twice, a scheme missing before `www.` or repeated.
  static func mended(_ text: String) -> String {
    let hasAmpersand = text.contains(byte: 0x26)
    // Most addresses begin with one scheme and need no repair.
    let (mayLackScheme, mayRepeatScheme) = text.withBytes { bytes -> (Bool, Bool) in
      (bytes.count > 0 && bytes[0] | 0x20 == 0x77, bytes.count > 7 && bytes[7] | 0x20 == 0x68)
    }
    guard hasAmpersand || mayLackScheme || mayRepeatScheme else { return text }
    var text = text
    if hasAmpersand {
      for reference in ["&amp;", "&#38;", "&#038;", "&#x26;"] {
        text = text.replacingOccurrences(of: reference, with: "&")
      }
    }
    let start = text.prefix(14).lowercased()
    if start.hasPrefix("www.") { return "http://" + text }
    // Forms with a prefilled `http://` produce these.
    if start.hasPrefix("http://http://") || start.hasPrefix("http://https:/") {
      return String(text.dropFirst(7))
    }
    return text
  }

  /// The absolute address of a reference; nil unless it is on the web.
  static func resolved(_ reference: String, against base: String?) -> String? {
    guard !WebAddress.isBlank(reference) else { return nil }
    return WebAddress.resolve(mended(reference), against: base).flatMap(web)
  }

  static func web(_ address: String) -> String? { WebAddress.isWeb(address) ? address : nil }

  /// Whether the text is a path such as `/post/7`, not a name such as `tag:7`.
  static func isPath(_ text: String) -> Bool {
    text.contains("/") && !text.contains(where: { $0 == " " || $0 == ":" })
  }
}

/// Titles that should be plain text and may be HTML.
enum PlainTitle {
  /// Decodes references, and strips tags if one is closed, as in `<i>Drosophila</i>`. A lone
  /// `List<String>` or `<div>` is part of the title.
  static func text(_ text: String) -> String {
    text.contains("</") ? PlainText.title(html: text) : CharacterReference.decoded(text)
  }

  static func textOfImage(_ bytes: ByteBuffer) -> String? {
    var tokenizer = MarkupTokenizer(bytes)
    while let tag = tokenizer.nextTag() {
      guard tag.kind == .open, bytes.isWord("img", in: tag.name) else { continue }
      let alt = MarkupAttributes(bytes, of: tag).first { bytes.isWord("alt", in: $0.name) }
      guard let alt, !alt.value.isEmpty else { continue }
      return PlainText.sanitized(CharacterReference.decoded(bytes.string(alt.value)))
    }
    return nil
  }
}

enum Keywords {
  private static let most = 256

  /// - Parameter text: separated by commas.
  static func list(_ text: String?) -> [String] {
    (text ?? "").split(separator: ",").prefix(most).map { PlainText.sanitized(String($0)) }
  }
}
