internal import Foundation
internal import Text

/// Addresses as feeds write them.
enum AddressText {
  /// An address that is broken over several lines, in one piece; nil for one that is not. An empty line
  /// ends it, and so does another address.
  static func joined(_ text: ByteBuffer) -> String? {
    let range = text.trimmed(0..<text.count)
    guard
      text.firstIndex(of: 0x0A, in: range) != nil || text.firstIndex(of: 0x0D, in: range) != nil
    else { return nil }
    var address = ""
    // Of a line end of two characters the second makes no empty line.
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

  /// An address without what software does to it on its way into a feed: ampersands escaped twice,
  /// a scheme left out before `www.` or written twice.
  static func mended(_ text: String) -> String {
    let hasAmpersand = text.contains(byte: 0x26)
    // All but a few begin with a scheme, and what follows it is no second one.
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
    // A field that asks for the address behind `http://` gets one with its scheme.
    if start.hasPrefix("http://http://") || start.hasPrefix("http://https:/") {
      return String(text.dropFirst(7))
    }
    return text
  }

  /// The address that a reference stands for; nil where that is not on the web.
  static func resolved(_ reference: String, against base: String?) -> String? {
    guard !WebAddress.isBlank(reference) else { return nil }
    return WebAddress.resolve(mended(reference), against: base).flatMap(web)
  }

  /// The address; nil where it is not on the web.
  static func web(_ address: String) -> String? { WebAddress.isWeb(address) ? address : nil }

  /// Whether a text that is said to be an address is a path of the site: `/post/7`, and no name or
  /// number, as `tag:7` and `a/b c` are.
  static func isPath(_ text: String) -> Bool {
    text.contains("/") && !text.contains(where: { $0 == " " || $0 == ":" })
  }
}

/// Titles that should be plain text and may be HTML all the same.
enum PlainTitle {
  /// The text with its references decoded; without its tags where one of them is closed, as in
  /// `<i>Drosophila</i>`. A lone `List<String>` or `<div>` is what the title speaks of.
  static func text(_ text: String) -> String {
    text.contains("</") ? PlainText.title(html: text) : CharacterReference.decoded(text)
  }

  /// The description of the first image in a text; nil where there is none.
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

/// Keywords for search engines.
enum Keywords {
  /// Words that are taken.
  private static let most = 256

  /// - Parameter text: words parted by commas.
  static func list(_ text: String?) -> [String] {
    (text ?? "").split(separator: ",").prefix(most).map { PlainText.sanitized(String($0)) }
  }
}
