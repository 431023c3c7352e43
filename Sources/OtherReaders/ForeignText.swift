internal import Foundation
internal import Text

/// Values of other readers in the form of `Entry`.
enum ForeignText {
  static func paragraphs(of text: String) -> String {
    text.split(whereSeparator: \.isNewline).map { line in
      "<p>\(line.replacing("&", with: "&amp;").replacing("<", with: "&lt;"))</p>"
    }.joined()
  }

  /// - Parameter base: base of relative addresses.
  static func body(_ html: String, base: String) -> String? {
    let whole = MarkupLinks.absolutized(PlainText.sanitizedMarkup(html), base: base)
    return whole.isEmpty ? nil : whole
  }

  static func line(_ text: String?) -> String? {
    text.map(PlainText.sanitized).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Seconds since 1970 as a date; nil outside 1970–9999.
  static func date(_ seconds: Int64) -> Date? {
    guard seconds > 0, seconds < 253_402_300_799 else { return nil }
    return Date(timeIntervalSince1970: TimeInterval(seconds))
  }
}
