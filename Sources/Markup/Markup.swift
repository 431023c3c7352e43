// The front door of the module: `Markup.document(html:)` turns the body of an article into a
// `Document`. Pure; never fails, whatever the bytes.

internal import Text

package enum Markup {
  /// The longest text in bytes; a longer one is cut, and a note says so.
  package static let mostBytes = 8 << 20

  /// Reads HTML as a browser would (WHATWG HTML), and keeps what can be shown as text.
  ///
  /// Time and memory are linear in the input: nesting beyond 512 elements is flattened, the text
  /// in it kept, and a warning says so. Scripts, styles, form controls and tracking pixels are left
  /// out; frames and media become links. A link is an address of http, https or mailto; the text of any other stays as
  /// text.
  ///
  /// - Parameters:
  ///   - lengths: How long the files at these addresses play, in seconds, where that is known from elsewhere.
  ///   - resolve: Makes a relative address absolute; nil where it cannot. Without it,
  ///     relative addresses are no links.
  package static func document(
    html: String, lengths: [String: Double] = [:], resolve: ((String) -> String?)? = nil
  ) -> Document {
    MarkupReading(html: html, lengths: lengths, resolve: resolve).document
  }

  /// Reads plain text: an empty line separates paragraphs, and web addresses in it become links.
  package static func document(plainText: String) -> Document {
    let (text, isCut) = capped(plainText)
    var builder = DocumentBuilder(addresses: AddressFilter(resolve: nil))
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.utf8.allSatisfy(\.isASCIISpace) {
        builder.endBlock()
      } else {
        builder.appendPlainLine(line)
      }
    }
    return builder.finish(warnings: isCut ? [cutNote] : [])
  }

  static let nestingNote =
    "Parts of this article were nested too deep and are shown as plain text."
  static let elementsNote =
    "This article has too many elements; the later ones are shown as plain text."
  static let cutNote = "The rest was cut: the text is longer than 8 MiB."

  static func capped(_ text: String) -> (String, isCut: Bool) {
    guard text.utf8.count > mostBytes else { return (text, false) }
    var end = text.utf8.index(text.startIndex, offsetBy: mostBytes)
    // Back to the beginning of a scalar.
    while text.utf8[end] & 0xC0 == 0x80 { text.utf8.formIndex(before: &end) }
    return (String(text[..<end]), true)
  }
}
