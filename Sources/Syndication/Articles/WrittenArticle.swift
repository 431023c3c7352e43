package import News
internal import Text

package import struct Foundation.Date

/// Articles as one document, in pieces: a document is as long as its list, and is never held as a whole.
///
/// The pieces in their order: `beginning`; where it `hasContents`, `contents` of each article and `endOfContents`;
/// each article; `end`. All text is escaped. Pure.
package protocol ArticleWriter: Sendable {
  /// Whether a list of the articles comes before the first of them.
  var hasContents: Bool { get }
  func beginning(of list: WrittenList) -> String
  func contents(of article: WrittenArticle) -> String
  var endOfContents: String { get }
  func text(of article: WrittenArticle) -> String
  var end: String { get }
}

/// A document without a list of its articles.
extension ArticleWriter {
  package var hasContents: Bool { false }
  package func contents(of article: WrittenArticle) -> String { "" }
  package var endOfContents: String { "" }
  package var end: String { "" }
}

/// Metadata of a document with articles.
package struct WrittenList: Sendable {
  package var title: String
  /// When the newest of them was changed.
  package var updated: Date

  package init(title: String, updated: Date) {
    self.title = title
    self.updated = updated
  }
}

/// An article as a writer takes it.
package struct WrittenArticle: Sendable {
  package var listed: ListedArticle
  /// Its body as HTML that any page can hold; its headings begin at the third level.
  package var html: String
  /// Its body as Markdown; its headings begin at the third level.
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
  /// The page of the article; nil where it has none that may be opened.
  var page: String? { entry.url.flatMap(AddressText.web) }
  var published: Date { entry.published ?? entry.updated ?? listed.arrived }
  var updated: Date { entry.updated ?? published }
  var authors: String { entry.authors.map(\.name).joined(separator: ", ") }
  var files: [Enclosure] { entry.enclosures.filter { WebAddress.isWeb($0.url) } }
  /// Its name within a page.
  var anchor: String { "a\(listed.id.rawValue)" }

  /// The feed, the authors, the time (`2026-11-23 10:00 UTC`) and the tags, in one line.
  func about(_ escaped: (String) -> String) -> String {
    let time = Timestamp.text(of: published)
    return [
      listed.row.feedTitle, authors, "\(time.prefix(10)) \(time.dropFirst(11).prefix(5)) UTC",
      listed.tags.joined(separator: ", "),
    ].filter { !$0.isEmpty }.map(escaped).joined(separator: " · ")
  }

  /// The files as a list in HTML; empty without any.
  func list(ofFiles link: (Enclosure) -> String) -> String {
    guard !files.isEmpty else { return "" }
    let items = files.map { file in
      "<li>\(link(file))\(file.type.map { " (\(XMLText.line($0)))" } ?? "")</li>\n"
    }
    return "<ul class=\"about\">\n\(items.joined())</ul>\n"
  }

  /// Identity of the article in every document: 16 bytes in hexadecimal digits.
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

/// Text for documents of markup.
enum XMLText {
  /// One line of text, for an element or an attribute.
  static func line(_ text: String) -> String { escaped(PlainText.sanitized(text)) }

  /// Text with its line ends.
  static func block(_ text: String) -> String { escaped(PlainText.sanitizedBlock(text)) }

  /// An attribute behind the name of its element; empty for nil.
  static func attribute(_ name: String, _ value: String?) -> String {
    value.map { " \(name)=\"\(line($0))\"" } ?? ""
  }

  /// - Parameter text: escaped.
  static func link(_ text: String, to url: String?) -> String {
    url.map { "<a\(attribute("href", $0))>\(text)</a>" } ?? text
  }

  /// XML 1.0 §2.2 has no U+FFFE and U+FFFF; other characters that it does not have are removed from all text.
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

  /// An address as RFC 3986 has it, which programs for books insist on.
  static func address(_ url: String) -> String {
    url.withBytes { WebAddress.encoded($0, 0..<$0.count) }
  }

  /// A language tag; nil for what is none (RFC 5646 §2.1).
  static func language(_ tag: String?) -> String? {
    guard let tag, !tag.isEmpty, tag.utf8.count <= 35,
      tag.utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || $0 == 0x2D })
    else { return nil }
    return tag
  }
}
