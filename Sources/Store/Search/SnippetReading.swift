internal import Foundation
internal import GRDB
package import News

extension SearchView {
  /// Articles for which snippets are read at once: what a screen shows, and what one press of a key scrolls to.
  private static let mostSnippets = 80

  /// Snippets around the words of a list, without articles that have them only in the title.
  ///
  /// - Parameter query: of the slice: articles around its anchor are taken.
  package func snippets(
    of slice: TimelineSlice, for query: TimelineQuery
  ) throws -> [ArticleID: Snippet] {
    let words = query.timeline.soughtWords
    guard !words.isEmpty else { return [:] }
    let finder = SnippetFinder(words)
    let find = try db.cachedStatement(
      sql: """
        SELECT articleBody.content, summary, fullText.content FROM articleBody
          LEFT JOIN fullText ON fullText.articleID = articleBody.articleID
        WHERE articleBody.articleID = ?
        """)
    var snippets: [ArticleID: Snippet] = [:]
    for row in slice.rows[rows(of: slice, around: query.anchor)] {
      guard case .article(let article) = row,
        let body = try Row.fetchOne(find, arguments: [article.id])
      else { continue }
      let text = ArticleText.make(
        content: BodyCodec.decode(body[0]), summary: BodyCodec.decode(body[1]),
        page: BodyCodec.decode(body[2]))
      snippets[article.id] = finder.snippet(of: text)
    }
    return snippets
  }

  private func rows(of slice: TimelineSlice, around anchor: TimelineQuery.Anchor) -> Range<Int> {
    let count = slice.rows.count
    let middle =
      switch anchor {
      case .newest: 0
      case .oldest: count - 1
      case .around(let position): slice.rows.firstIndex { $0.position <= position } ?? 0
      case .article(let id): slice.rows.firstIndex { $0.position.article == id } ?? 0
      }
    let first = max(0, min(middle - Self.mostSnippets / 2, count - Self.mostSnippets))
    return first..<min(count, first + Self.mostSnippets)
  }
}

/// Finds words in texts, without regard to case and accents, as the search index does.
struct SnippetFinder {
  private let words: [SoughtWords]

  /// Characters before the first word, and in all.
  private static let (before, length) = (16, 200)
  /// So many words of a snippet are marked.
  private static let mostHits = 12

  init(_ words: [SoughtWords]) { self.words = words }

  /// - Returns: nil where none of the words is in the text.
  func snippet(of text: String) -> Snippet? {
    guard
      let first = words.compactMap({ hit($0, in: text[...]) }).min(by: {
        $0.lowerBound < $1.lowerBound
      })
    else { return nil }
    let start = wordStart(
      near: text.index(first.lowerBound, offsetBy: -Self.before, limitedBy: text.startIndex)
        ?? text.startIndex, in: text, upTo: first.lowerBound)
    let end = text.index(start, offsetBy: Self.length, limitedBy: text.endIndex) ?? text.endIndex
    let line = StoredText.line(
      text[start..<end].split(whereSeparator: \.isWhitespace).joined(separator: " "))
    var parts: [Snippet.Part] = start > text.startIndex ? [Snippet.Part("… ")] : []
    var rest = line[...]
    for _ in 0..<Self.mostHits {
      let next = words.compactMap { hit($0, in: rest) }.min { $0.lowerBound < $1.lowerBound }
      guard let next else { break }
      if next.lowerBound > rest.startIndex {
        parts.append(Snippet.Part(String(rest[..<next.lowerBound])))
      }
      parts.append(Snippet.Part(String(line[next]), isHit: true))
      rest = line[next.upperBound...]
    }
    if !rest.isEmpty { parts.append(Snippet.Part(String(rest))) }
    return Snippet(parts)
  }

  /// Where a word begins a little after a place.
  private func wordStart(
    near place: String.Index, in text: String, upTo limit: String.Index
  ) -> String.Index {
    guard place > text.startIndex else { return place }
    guard let space = text[place..<limit].firstIndex(where: \.isWhitespace) else { return place }
    return text.index(after: space)
  }

  /// The first place of some words that begin where a word does, and end where one does unless they are a beginning.
  private func hit(_ words: SoughtWords, in text: Substring) -> Range<String.Index>? {
    var rest = text
    while let found = rest.range(
      of: words.phrase, options: [.caseInsensitive, .diacriticInsensitive])
    {
      let isBegun =
        found.lowerBound == text.base.startIndex || !isInWord(text.base[found.lowerBound])
        || !isInWord(text.base[text.base.index(before: found.lowerBound)])
      let isEnded =
        words.isPrefix || found.upperBound == text.base.endIndex
        || !isInWord(text.base[text.base.index(before: found.upperBound)])
        || !isInWord(text.base[found.upperBound])
      if isBegun, isEnded { return found }
      rest = text[text.base.index(after: found.lowerBound)...]
    }
    return nil
  }

  /// Of letters without spaces between words, any part can be found.
  private func isInWord(_ character: Character) -> Bool {
    (character.isLetter || character.isNumber)
      && !character.unicodeScalars.contains(where: SearchText.isUnspaced)
  }
}
