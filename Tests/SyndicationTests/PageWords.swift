import Foundation
import Markup
import TestSupport

/// Words of a text with how often each occurs: letters and digits apart, in lower case, and each character of a script
/// that writes no spaces by itself. Signs count for nothing.
struct WordCounts: Equatable {
  private(set) var counts: [String: Int] = [:]
  private(set) var total = 0

  init(_ text: String) {
    enum Kind { case letter, digit, none }
    var word = String.UnicodeScalarView()
    var kind = Kind.none
    func end() {
      guard !word.isEmpty else { return }
      counts[String(word), default: 0] += 1
      total += 1
      word = String.UnicodeScalarView()
    }
    let plain = text.precomposedStringWithCompatibilityMapping.lowercased()
    for scalar in plain.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .decimalNumber:
        if kind != .digit { end() }
        kind = .digit
      case .otherLetter where (0x2E80...0xD7AF).contains(scalar.value):
        end()
        kind = .none
        word.append(scalar)
        end()
        continue
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
        .nonspacingMark, .spacingMark:
        if kind != .letter { end() }
        kind = .letter
      default:
        end()
        kind = .none
        continue
      }
      word.append(scalar)
    }
    end()
  }

  /// Words in both, each as often as it is in both.
  func common(with other: WordCounts) -> Int {
    counts.reduce(0) { $0 + min($1.value, other.counts[$1.key] ?? 0) }
  }

  /// Words that are here more often than there, the most frequent first.
  func surplus(over other: WordCounts) -> [String] {
    counts.map { ($0, $1 - (other.counts[$0] ?? 0)) }.filter { $0.1 > 0 }
      .sorted { ($1.1, $0.0) < ($0.1, $1.0) }.map(\.0)
  }
}

/// How well the words of an article were found.
struct WordScore {
  let found: WordCounts
  let expected: WordCounts

  /// The part of what was found that belongs to the article.
  var precision: Double { ratio(by: found.total) }
  /// The part of the article that was found.
  var recall: Double { ratio(by: expected.total) }
  /// The harmonic mean of both.
  var f1: Double {
    let total = found.total + expected.total
    return total == 0 ? 1 : 2 * Double(found.common(with: expected)) / Double(total)
  }

  /// - Parameter html: of the article that was found.
  init(html: String, expected: String) {
    let page = HTMLPage(Array(html.utf8))
    found = WordCounts(page.lines(of: page.root).joined(separator: "\n"))
    self.expected = WordCounts(expected)
  }

  private func ratio(by total: Int) -> Double {
    total == 0 ? 1 : Double(found.common(with: expected)) / Double(total)
  }
}
