package import News
internal import Text

package import struct Foundation.Date

/// Writer of a document of articles in pieces, so that the document is never in memory as a whole.
///
/// Order: `beginning`; if `hasContents`, `contents` of each article and `endOfContents`; the
/// articles; `end`. All text is escaped.
package protocol ArticleWriter: Sendable {
  /// Whether a list of contents precedes the articles.
  var hasContents: Bool { get }
  func beginning(of list: WrittenList) -> String
  func contents(of article: WrittenArticle) -> String
  var endOfContents: String { get }
  func text(of article: WrittenArticle) -> String
  var end: String { get }
}

extension ArticleWriter {
  package var hasContents: Bool { false }
  package func contents(of article: WrittenArticle) -> String { "" }
  package var endOfContents: String { "" }
  package var end: String { "" }
}

package struct WrittenList: Sendable {
  package var title: String
  package var updated: Date

  package init(title: String, updated: Date) {
    self.title = title
    self.updated = updated
  }
}

package struct WrittenArticle: Sendable {
  package var listed: ListedArticle
  /// Body as HTML. Its headings begin at the third level.
  package var html: String
  /// Body as Markdown. Its headings begin at the third level.
  package var markdown: String

  package init(_ listed: ListedArticle, html: String = "", markdown: String = "") {
    self.listed = listed
    self.html = html
    self.markdown = markdown
  }
}

extension WrittenArticle {
  var entry: Entry { listed.entry }
  var title: String { listed.row.title }
  var page: String? { entry.url.flatMap(AddressText.web) }
  var published: Date { entry.published ?? entry.updated ?? listed.arrived }
  var updated: Date { entry.updated ?? published }
  var authors: String { entry.authors.map(\.name).joined(separator: ", ") }
  var files: [Enclosure] { entry.enclosures.filter { WebAddress.isWeb($0.url) } }
  var anchor: String { "a\(listed.id.rawValue)" }

  /// Feed, authors, time (`2026-11-23 10:00 UTC`) and tags in one line.
  func about(_ escaped: (String) -> String) -> String {
    let time = Timestamp.text(of: published)
    return [
      listed.row.feedTitle, authors, "\(time.prefix(10)) \(time.dropFirst(11).prefix(5)) UTC",
      listed.tags.joined(separator: ", "),
    ].filter { !$0.isEmpty }.map(escaped).joined(separator: " · ")
  }

  /// List of the files in HTML; empty without files.
  func list(ofFiles link: (Enclosure) -> String) -> String {
    guard !files.isEmpty else { return "" }
    let items = files.map { file in
      "<li>\(link(file))\(file.type.map { " (\(XMLText.line($0)))" } ?? "")</li>\n"
    }
    return "<ul class=\"about\">\n\(items.joined())</ul>\n"
  }

  /// Identity of the article in all documents: 16 bytes in hexadecimal digits.
  var key: String { Self.key(of: [listed.feedURL, entry.id]) }

  static func key(of parts: [String]) -> String {
    (0..<2).map { salt in
      var digest = StableDigest()
      digest.add(Int64(salt))
      for part in parts { digest.add(part) }
      let digits = String(digest.value, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}

/// Escaping for XML and HTML.
enum XMLText {
  /// One line, for an element or an attribute.
  static func line(_ text: String) -> String { escaped(PlainText.sanitized(text)) }

  static func block(_ text: String) -> String { escaped(PlainText.sanitizedBlock(text)) }

  /// An attribute with the space before it; empty for nil.
  static func attribute(_ name: String, _ value: String?) -> String {
    value.map { " \(name)=\"\(line($0))\"" } ?? ""
  }

  /// - Parameter text: escaped.
  static func link(_ text: String, to url: String?) -> String {
    url.map { "<a\(attribute("href", $0))>\(text)</a>" } ?? text
  }

  /// Drops U+FFFE and U+FFFF too (XML 1.0 §2.2), unlike `PlainText`.
  private static func escaped(_ text: String) -> String {
    var output: [UInt8] = []
    output.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      if byte == UInt8(ascii: "\"") {
        output += "&quot;".utf8
      } else {
        BodyText.appendEscaped(byte, to: &output)
      }
    }
    let clean = String(decoding: output, as: UTF8.self)
    guard clean.utf8.contains(0xEF), clean.unicodeScalars.contains(where: isUnknown) else {
      return clean
    }
    return String(String.UnicodeScalarView(clean.unicodeScalars.filter { !isUnknown($0) }))
  }

  private static func isUnknown(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value == 0xFFFE || scalar.value == 0xFFFF
  }

  /// Percent-encodes what RFC 3986 demands: readers of books are strict.
  static func address(_ url: String) -> String {
    url.withBytes { WebAddress.encoded($0, 0..<$0.count) }
  }

  /// A language tag; nil if it is malformed (RFC 5646 §2.1).
  static func language(_ tag: String?) -> String? {
    guard let tag, !tag.isEmpty, tag.utf8.count <= 35,
      tag.utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || $0 == 0x2D })
    else { return nil }
    return tag
  }
}
