internal import GRDB

/// Typed words of a search as an expression of FTS5.
///
/// All words must occur; words in quotes are a phrase; the last word may be a beginning. Other
/// characters are plain text: no operator can be reached, and no input is an error.
struct SearchExpression: Hashable {
  private(set) var text: String
  /// With the last word as a whole word.
  private let whole: String
  /// The last word as it stands.
  private let lastWord: String
  /// Whether it has one or two letters of ASCII.
  private let isShort: Bool
  private(set) var isFrequent = false

  /// Whether it is nothing but the beginning of a word.
  var isBeginning: Bool { whole == lastWord && text != whole }

  /// Nil where there is nothing to search for.
  init?(_ typed: String) {
    var terms: [(words: String, isPrefix: Bool)] = []
    var term = ""
    var isQuoted = false
    func endTerm(isPrefix: Bool = false) {
      if term.contains(where: { $0.isLetter || $0.isNumber }) { terms.append((term, isPrefix)) }
      term = ""
    }
    for character in typed {
      if character == "\"" {
        endTerm()
        isQuoted.toggle()
      } else if character.isWhitespace && !isQuoted {
        endTerm()
      } else if character != "\0" {
        term.append(character)
      }
    }
    endTerm(isPrefix: true)
    guard let last = terms.popLast() else { return nil }
    let first = terms.map { SearchText.phrase($0.words, isPrefix: false) }
    lastWord = SearchText.phrase(last.words, isPrefix: false)
    text =
      (first + [SearchText.phrase(last.words, isPrefix: last.isPrefix)])
      .joined(separator: " AND ")
    whole = (first + [lastWord]).joined(separator: " AND ")
    isShort = last.words.utf8.count <= 2
  }

  /// The expression for typed words, whose last one is taken as whole where that finds a lot, or is
  /// short and finds anything: articles with longer words would be lost among the others and slow
  /// to collect. Returns nil for no words.
  static func of(_ typed: String, in view: StoreView) throws -> SearchExpression? {
    guard var expression = SearchExpression(typed) else { return nil }
    let many = ArticleSelection.fewRows
    let found = try view.queries.count(
      "SELECT 1 FROM search WHERE search MATCH ?", [expression.lastWord], upTo: many)
    if found >= (expression.isShort ? 1 : many) { expression.text = expression.whole }
    expression.isFrequent = expression.text == expression.lastWord && found >= many
    return expression
  }
}
