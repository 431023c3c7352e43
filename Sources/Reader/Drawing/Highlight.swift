internal import Foundation
package import News
package import Screen

/// A style for what a pattern matches: titles of articles, names of feeds, or words in articles.
package struct Highlight: Hashable, Sendable {
  package enum Field: String, Hashable, Sendable, CaseIterable {
    case title
    /// The title of each article of the feed.
    case feed
    case text
    /// The title of each article that matches a query.
    case query
  }

  package let field: Field
  package let pattern: String
  package let style: Style
  /// Nil for a pattern.
  package let query: ArticleQuery?
  private let expression: NSRegularExpression?

  /// - Parameter pattern: a regular expression of ICU, whose case does not count; for `query` a query.
  /// - Throws: where it is none.
  package init(_ field: Field, _ pattern: String, _ style: Style) throws {
    self.field = field
    self.pattern = pattern
    self.style = style
    query = field == .query ? try ArticleQuery(pattern) : nil
    expression =
      field == .query
      ? nil : try NSRegularExpression(pattern: pattern, options: .caseInsensitive)
  }

  private init(_ other: Highlight, _ style: Style) {
    field = other.field
    pattern = other.pattern
    query = other.query
    expression = other.expression
    self.style = style
  }

  func with(_ style: Style) -> Highlight { Highlight(self, style) }

  func matches(_ text: String) -> Bool {
    expression?.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
  }

  /// The matches, in characters from 0.
  func places(in text: String) -> [Range<Int>] {
    guard let expression else { return [] }
    return expression.matches(in: text, range: NSRange(text.startIndex..., in: text)).compactMap {
      guard let range = Range($0.range, in: text), !range.isEmpty else { return nil }
      let start = text.distance(from: text.startIndex, to: range.lowerBound)
      return start..<start + text[range].count
    }
  }

  package static func == (a: Highlight, b: Highlight) -> Bool {
    a.field == b.field && a.pattern == b.pattern && a.style == b.style
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(field)
    hasher.combine(pattern)
    hasher.combine(style)
  }
}

extension ReaderState {
  /// The highlights of some fields, as the theme can show them.
  func highlights(of fields: Set<Highlight.Field>) -> [Highlight] {
    let all = settings.highlights.filter { fields.contains($0.field) }
    return theme == .none ? all.map { $0.with($0.style.withoutColors) } : all
  }
}

/// A part of a line that has a style of its own.
struct LineMark: Hashable {
  /// From 0.
  var characters: Range<Int>
  var style: Style
  /// Whether the style is put over that of the text, and not into its place.
  var isOver = false
}

extension LineMark {
  func style(over below: Style) -> Style { isOver ? style.over(below) : style }
}
