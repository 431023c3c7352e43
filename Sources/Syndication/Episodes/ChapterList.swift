internal import Text

/// The chapters of an episode, from a JSON file of chapters (the tag `podcast:chapters`).
package struct ChapterList: Hashable, Sendable {
  package struct Chapter: Hashable, Sendable {
    /// Seconds since the beginning.
    package var start: Double
    package var title: String
    /// The address of what the chapter is about.
    package var url: String?
  }

  /// In the order of their beginnings. Those that are to be silent (`toc`) are left out.
  package var chapters: [Chapter]

  /// Nil where the bytes are no list of chapters. Chapters without a time are left out, and so is what follows a
  /// mistake of the syntax.
  package init?(_ bytes: [UInt8]) {
    guard let list = JSONValue.parse(bytes).value.object?["chapters"]?.array else { return nil }
    chapters = list.compactMap(\.object).compactMap { members in
      guard let start = members["startTime"]?.seconds, members["toc"] != .bool(false) else {
        return nil
      }
      return Chapter(
        start: start, title: members["title"]?.oneLine ?? "",
        url: PlainText.line(members["url"]?.string).map(WebAddress.withoutUser))
    }.sorted { $0.start < $1.start }
  }
}

extension JSONValue {
  /// A time in seconds, also where it is written as a text.
  var seconds: Double? {
    let number: Double? =
      switch self {
      case .number(let text), .string(let text): Double(text)
      default: nil
      }
    return number.flatMap { $0.isFinite && (0..<1e7).contains($0) ? $0 : nil }
  }

  /// The text of one line.
  var oneLine: String? { string.map(PlainText.sanitized) }
}
