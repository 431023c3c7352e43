import Foundation
import Markup
import News
import Syndication
import TestSupport
import Testing

/// The words of the articles in `Fixtures/pages` against those that a person wants to read there (`NAME.txt`).
///
/// `Fixtures/pages/scores.json` has the word F1 of each page as it was recorded; `TELEX_RECORD=1` records it anew.
@Suite struct PageWordTests {
  private static let folder = fixtures.appending(path: "pages")
  private static let names = fixtureFiles(in: "pages").filter { $0.hasSuffix(".txt") }
    .map { String($0.dropLast(4)) }
  private static let scores = folder.appending(path: "scores.json")

  /// No page may be worse, and the mean of all.
  private static let (leastOfPage, leastMean) = (0.9, 0.97)
  /// A page that falls by more than this below its record has got worse.
  private static let tolerance = 0.004

  private static func score(_ name: String) throws -> WordScore {
    let html = try Array(Data(contentsOf: folder.appending(path: name + ".html")))
    let expected = try ExpectedPage(name)
    let article = try PageArticleReader.read(
      html, contentType: "text/html", url: expected.url ?? ExpectedPage.usualURL)
    return WordScore(
      html: article.html,
      expected: try String(contentsOf: folder.appending(path: name + ".txt"), encoding: .utf8))
  }

  @Test func `The words of each article are found, and hardly others`() throws {
    var recorded: [String: Double] = [:]
    if let data = try? Data(contentsOf: Self.scores) {
      recorded = try JSONDecoder().decode([String: Double].self, from: data)
    }
    var now: [String: Double] = [:]
    print("page                              precision  recall     F1")
    for name in Self.names {
      let score = try Self.score(name)
      now[name] = (score.f1 * 10_000).rounded() / 10_000
      let cells = [score.precision, score.recall, score.f1]
        .map { String(format: "%7.4f", $0) }.joined(separator: "  ")
      print(name.padding(toLength: 34, withPad: " ", startingAt: 0) + "  " + cells)
      let surplus = score.found.surplus(over: score.expected).prefix(12)
      let missing = score.expected.surplus(over: score.found).prefix(12)
      #expect(
        score.f1 >= max(Self.leastOfPage, (recorded[name] ?? 1) - Self.tolerance),
        "\(name) has \(Array(surplus)) too much and lacks \(Array(missing))")
    }
    let mean = now.values.reduce(0, +) / Double(max(1, now.count))
    print("mean of \(now.count) pages: \(String(format: "%.4f", mean))")
    #expect(mean >= Self.leastMean)
    if ProcessInfo.processInfo.environment["TELEX_RECORD"] == nil {
      #expect(Set(now.keys) == Set(recorded.keys))
    } else {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
      try encoder.encode(now).write(to: Self.scores)
    }
  }

  @Test func `Words are counted without signs and case, and a script without spaces by character`()
  {
    let counts = WordCounts("Don't — the WORD² the 夜行 x1, é").counts
    #expect(
      counts == [
        "don": 1, "t": 1, "the": 2, "word": 1, "2": 1, "夜": 1, "行": 1, "x": 1, "1": 1, "é": 1,
      ])
  }
}
