internal import Foundation
internal import Screen

/// Words that are looked for in an article, and where they are on its lines.
///
/// Case and marks above letters do not count. Words that stand next to each other, and parts of one, are found across the
/// end of a line, but not across the end of a paragraph.
struct ArticleFind: Hashable, Sendable {
  let words: String
  /// Any of these counts.
  private let phrases: [String]
  /// Whether nothing that belongs to a word stands before or after.
  let isWhole: Bool
  private(set) var hits: [Hit] = []
  /// The index of the hit that the user is at.
  private(set) var current: Int?

  /// One place of the words: a part for each line that they are on.
  struct Hit: Hashable, Sendable {
    var parts: [Part]

    var line: Int { parts[0].line }
  }

  /// Characters of a line, counted from 0.
  struct Part: Hashable, Sendable {
    var line: Int
    var characters: Range<Int>
  }

  /// - Parameter phrases: any of these; nil for the words as they are.
  init(_ words: String, anyOf phrases: [String]? = nil, isWhole: Bool = false, in text: FoldedText)
  {
    self.words = words
    self.phrases = phrases ?? [words]
    self.isWhole = isWhole
    let needles = self.phrases.map { FoldedText($0).letters }.filter { !$0.isEmpty }
    hits = needles.flatMap { text.places(of: $0, isWhole: isWhole) }
    guard needles.count > 1 else { return }
    hits.sort {
      ($0.line, $0.parts[0].characters.lowerBound) < ($1.line, $1.parts[0].characters.lowerBound)
    }
    var last: Hit?
    hits.removeAll { hit in
      let isOver = last.map { $0.overlaps(hit) } ?? false
      if !isOver { last = hit }
      return isOver
    }
  }

  /// The search on the lines of another layout, without a current hit.
  func again(in text: FoldedText) -> ArticleFind {
    ArticleFind(words, anyOf: phrases, isWhole: isWhole, in: text)
  }

  /// Goes to the first hit on a line or below it, or else to the first of all.
  mutating func goToFirst(from line: Int) {
    current = hits.firstIndex { $0.parts.contains { $0.line >= line } } ?? hits.indices.first
  }

  /// Goes to the next hit, or the one before; from the last one to the first.
  ///
  /// - Returns: whether it went on at the other end.
  mutating func advance(by step: Int) -> Bool {
    guard let current, !hits.isEmpty else { return false }
    let next = current + step
    self.current = (next + hits.count) % hits.count
    return !hits.indices.contains(next)
  }

  /// The hits of a line, and whether each is the one that the user is at.
  func marks(onLine line: Int) -> [(characters: Range<Int>, isCurrent: Bool)] {
    // The hits ascend; those of a line are next to each other.
    var low = 0
    var high = hits.count
    while low < high {
      let middle = (low + high) / 2
      if hits[middle].parts.last.map({ $0.line < line }) == true {
        low = middle + 1
      } else {
        high = middle
      }
    }
    var marks: [(Range<Int>, Bool)] = []
    for index in low..<hits.count {
      guard hits[index].line <= line else { break }
      for part in hits[index].parts where part.line == line {
        marks.append((part.characters, index == current))
      }
    }
    return marks
  }
}

extension ArticleFind.Hit {
  fileprivate func overlaps(_ other: ArticleFind.Hit) -> Bool {
    parts.contains { part in
      other.parts.contains { $0.line == part.line && $0.characters.overlaps(part.characters) }
    }
  }
}

/// A text as it is compared: one number for each character, without case and marks, with one space for each gap.
struct FoldedText: Hashable, Sendable {
  private(set) var letters: [UInt32] = []
  /// The line and the character of each letter.
  private var lines: [Int32] = []
  private var characters: [Int32] = []

  private static let space: UInt32 = 0x20
  /// Between the lines of a paragraph: a space, or nothing where a line ends within a word. No typed text has it.
  private static let lineEnd: UInt32 = 0x0B
  /// Between paragraphs.
  private static let end: UInt32 = 0x0A

  init(_ text: String) {
    for letter in Self.fold(text) { add(letter, line: 0, character: 0) }
    if letters.last == Self.space { letters.removeLast() }
  }

  init(_ lines: [StyledLine]) {
    for (index, line) in lines.enumerated() {
      var character = 0
      var isEmpty = true
      for span in line.spans {
        let folded = Self.fold(span.text)
        // Added by Telex, so no text of the article.
        if span.role != .quoteBar, span.role != .linkNumber {
          for (offset, letter) in folded.enumerated() {
            if letter != Self.space { isEmpty = false }
            add(letter, line: index, character: character + offset)
          }
        }
        character += folded.count
      }
      add(isEmpty ? Self.end : Self.lineEnd, line: index, character: character)
    }
  }

  private mutating func add(_ letter: UInt32, line: Int, character: Int) {
    guard !Self.showsNothing(letter) else { return }
    if Self.isGap(letter) {
      guard let last = letters.last else { return }
      if Self.isGap(last) {
        // The stronger one counts.
        if letter == Self.end || (letter == Self.lineEnd && last == Self.space) {
          letters[letters.count - 1] = letter
        }
        return
      }
    }
    letters.append(letter)
    lines.append(Int32(line))
    characters.append(Int32(character))
  }

  /// Whether it is a sign that orders letters or parts words, which nobody types: of directions (UAX #9 §2), and where a
  /// line may end or may not.
  private static func showsNothing(_ letter: UInt32) -> Bool {
    switch letter {
    case 0xAD, 0x61C, 0x200B...0x200F, 0x202A...0x202E, 0x2060, 0x2066...0x2069, 0xFEFF: true
    default: false
    }
  }

  private static func isGap(_ letter: UInt32) -> Bool {
    letter == space || letter == lineEnd || letter == end
  }

  /// The first scalar of each character, without its marks.
  private static func fold(_ text: String) -> [UInt32] {
    if text.utf8.allSatisfy({ $0 < 0x80 && $0 != 0x0D }) {
      return text.utf8.map { (0x41...0x5A).contains($0) ? UInt32($0) + 0x20 : UInt32($0) }
    }
    return text.map { character in
      let scalar = character.unicodeScalars.first ?? " "
      switch scalar.value {
      case ..<0x80:
        if scalar.properties.isWhitespace { return space }
        return (0x41...0x5A).contains(scalar.value) ? scalar.value + 0x20 : scalar.value
      // Latin, Greek and Cyrillic. In other scripts what decomposes is another letter: が is no か.
      case 0xC0...0x052F, 0x1E00...0x1FFF:
        let base = String(character).decomposedStringWithCanonicalMapping.unicodeScalars.first
        return lowercase(base ?? scalar)
      default:
        return scalar.properties.isWhitespace ? space : lowercase(scalar)
      }
    }
  }

  private static func lowercase(_ scalar: Unicode.Scalar) -> UInt32 {
    guard scalar.properties.isUppercase else { return scalar.value }
    return scalar.properties.lowercaseMapping.unicodeScalars.first?.value ?? scalar.value
  }

  func places(of needle: [UInt32], isWhole: Bool) -> [ArticleFind.Hit] {
    var hits: [ArticleFind.Hit] = []
    guard let first = needle.first else { return [] }
    var start = 0
    while start < letters.count {
      guard letters[start] == first, let end = match(needle, at: start),
        !isWhole
          || !(isLetter(start - 1) && isLetter(start)) && !(isLetter(end) && isLetter(end - 1))
      else {
        start += 1
        continue
      }
      hits.append(hit(start..<end))
      start = end
    }
    return hits
  }

  /// Where a text ends that begins at a letter; nil where it is not there.
  private func match(_ needle: [UInt32], at start: Int) -> Int? {
    var place = start
    for letter in needle {
      guard place < letters.count else { return nil }
      if letters[place] == Self.lineEnd, letter != Self.space { place += 1 }
      guard place < letters.count,
        letters[place] == letter || (letter == Self.space && letters[place] == Self.lineEnd)
      else { return nil }
      place += 1
    }
    return place
  }

  private func isLetter(_ index: Int) -> Bool {
    guard letters.indices.contains(index), let scalar = Unicode.Scalar(letters[index]) else {
      return false
    }
    return scalar.properties.isAlphabetic || scalar.properties.numericType != nil
  }

  private func hit(_ range: Range<Int>) -> ArticleFind.Hit {
    var parts: [ArticleFind.Part] = []
    for index in range where letters[index] != Self.lineEnd {
      let (line, character) = (Int(lines[index]), Int(characters[index]))
      if let last = parts.last, last.line == line {
        parts[parts.count - 1].characters = last.characters.lowerBound..<character + 1
      } else {
        parts.append(ArticleFind.Part(line: line, characters: character..<character + 1))
      }
    }
    return ArticleFind.Hit(parts: parts)
  }
}

extension StyledLine {
  /// The characters of a range.
  func text(_ characters: Range<Int>) -> Substring {
    text.dropFirst(characters.lowerBound).prefix(characters.count)
  }
}
