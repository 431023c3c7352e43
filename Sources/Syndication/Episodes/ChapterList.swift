internal import Text

/// Chapters of an episode (JSON of `podcast:chapters`).
package struct ChapterList: Hashable, Sendable {
  package struct Chapter: Hashable, Sendable {
    /// In seconds.
    package var start: Double
    package var title: String
    /// Address of a related page.
    package var url: String?
  }

  /// Sorted by start, without silent chapters (`toc`).
  package var chapters: [Chapter]

  /// Nil if the bytes are no list of chapters. Chapters without a time are dropped.
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
  /// A time in seconds, which may be written as text.
  var seconds: Double? {
    let number: Double? =
      switch self {
      case .number(let text), .string(let text): Double(text)
      default: nil
      }
    return number.flatMap { $0.isFinite && (0..<1e7).contains($0) ? $0 : nil }
  }

  var oneLine: String? { string.map(PlainText.sanitized) }
}
