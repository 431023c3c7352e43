internal import Foundation

/// Values of other readers' articles as an `Entry` has them.
enum ForeignText {
  /// Plain text as HTML, a paragraph for each line.
  static func paragraphs(of text: String) -> String {
    text.split(whereSeparator: \.isNewline).map { line in
      "<p>\(line.replacing("&", with: "&amp;").replacing("<", with: "&lt;"))</p>"
    }.joined()
  }

  /// A time in seconds since 1970; nil before then, and after the year 9999.
  static func date(_ seconds: Int64) -> Date? {
    guard seconds > 0, seconds < 253_402_300_799 else { return nil }
    return Date(timeIntervalSince1970: TimeInterval(seconds))
  }
}
