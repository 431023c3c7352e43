internal import Foundation
internal import Text

/// Values of other readers' articles as an `Entry` has them.
enum ForeignText {
  /// Plain text as HTML, a paragraph for each line.
  static func paragraphs(of text: String) -> String {
    text.split(whereSeparator: \.isNewline).map { line in
      "<p>\(line.replacing("&", with: "&amp;").replacing("<", with: "&lt;"))</p>"
    }.joined()
  }

  /// HTML as an entry has it; nil where nothing is left.
  ///
  /// - Parameter base: what its relative addresses are resolved against.
  static func body(_ html: String, base: String) -> String? {
    let whole = MarkupLinks.absolutized(PlainText.sanitizedMarkup(html), base: base)
    return whole.isEmpty ? nil : whole
  }

  /// A line of plain text; nil where it is empty.
  static func line(_ text: String?) -> String? {
    text.map(PlainText.sanitized).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// A time in seconds since 1970; nil before then, and after the year 9999.
  static func date(_ seconds: Int64) -> Date? {
    guard seconds > 0, seconds < 253_402_300_799 else { return nil }
    return Date(timeIntervalSince1970: TimeInterval(seconds))
  }

  /// The date of a mail's header (RFC 5322 §3.3), such as `Sun, 1 Nov 2026 12:00:00 +0100`.
  static func date(ofMail text: String) -> Date? {
    let form =
      #/(?:[A-Za-z]+,\s*)?(\d{1,2})\s+([A-Za-z]{3})[a-z]*\s+(\d{4})\s+(\d{1,2}):(\d\d)(?::(\d\d))?\s*([+-]\d{4}|[A-Za-z]*).*/#
    guard let parts = text.wholeMatch(of: form)?.output,
      let month = months.firstIndex(of: parts.2.lowercased())
    else { return nil }
    var components = DateComponents()
    components.timeZone = TimeZone(secondsFromGMT: 0)
    (components.year, components.month, components.day) = (Int(parts.3), month + 1, Int(parts.1))
    (components.hour, components.minute) = (Int(parts.4), Int(parts.5))
    components.second = parts.6.flatMap { Int($0) } ?? 0
    guard let date = Calendar(identifier: .gregorian).date(from: components) else { return nil }
    // Zones that are written as letters are UTC in all that a program has written.
    guard let zone = Int(parts.7) else { return date }
    let minutes = abs(zone) / 100 * 60 + abs(zone) % 100
    return date.addingTimeInterval(TimeInterval(zone < 0 ? minutes * 60 : -minutes * 60))
  }

  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]
}

extension StringProtocol {
  /// Without white space at both ends.
  var trimmed: String {
    var text = Substring(self).drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
