internal import Foundation
internal import GRDB
internal import News
internal import Synchronization

extension DatabaseFunction {
  /// Functions of every connection.
  static let ofStore = [
    articleText, wholeText, indexedText, holds, isMatched, authorNames, isNamed, isInFolder,
    sortText, sortKey,
  ]

  /// `holds(text, part)`: whether a text has a part, without regard to case and accents. False for null.
  static let holds = DatabaseFunction("holds", argumentCount: 2, pure: true) { values in
    guard let text = String.fromDatabaseValue(values[0]),
      let part = String.fromDatabaseValue(values[1])
    else { return false }
    if let holds = holdsASCII(text, part) { return holds }
    return text.range(of: part, options: [.caseInsensitive, .diacriticInsensitive]) != nil
  }

  /// `isNamed(name, wanted)`: whether names are equal but for case and accents. False for null.
  static let isNamed = DatabaseFunction("isNamed", argumentCount: 2, pure: true) { values in
    guard let name = String.fromDatabaseValue(values[0]),
      let wanted = String.fromDatabaseValue(values[1])
    else { return false }
    return folded(name) == folded(wanted)
  }

  /// `isInFolder(path, wanted)`: whether a folder is another one or inside it, but for case and
  /// accents.
  static let isInFolder = DatabaseFunction("isInFolder", argumentCount: 2, pure: true) { values in
    guard let path = String.fromDatabaseValue(values[0]).map(folded),
      var wanted = String.fromDatabaseValue(values[1]).map(folded)
    else { return false }
    while wanted.hasSuffix("/") { wanted.removeLast() }
    return path == wanted || path.hasPrefix(wanted + "/")
  }

  /// `isMatched(text, pattern)`: whether an ICU expression matches, regardless of case. False for
  /// null.
  static let isMatched = DatabaseFunction("isMatched", argumentCount: 2, pure: true) { values in
    guard let text = String.fromDatabaseValue(values[0]),
      let pattern = String.fromDatabaseValue(values[1])
    else { return false }
    return CompiledPatterns.shared.expression(pattern)?
      .firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
  }

  /// `authorNames(authors)`: the names and mail addresses of a stored list of people, a line each.
  static let authorNames = DatabaseFunction("authorNames", argumentCount: 1, pure: true) { values in
    String.fromDatabaseValue(values[0]).map(AuthorList.names)
  }
}

private func folded(_ text: String) -> String {
  text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
}

/// Fast path of `holds` for ASCII; nil for other characters.
private func holdsASCII(_ text: String, _ part: String) -> Bool? {
  func lowercased(_ byte: UInt8) -> UInt8 { (65...90).contains(byte) ? byte | 0x20 : byte }
  return text.utf8.withContiguousStorageIfAvailable { text -> Bool? in
    part.utf8.withContiguousStorageIfAvailable { part -> Bool? in
      guard text.allSatisfy({ $0 < 0x80 }), part.allSatisfy({ $0 < 0x80 }) else { return nil }
      guard let first = part.first.map(lowercased) else { return true }
      guard text.count >= part.count else { return false }
      for start in 0...text.count - part.count where lowercased(text[start]) == first {
        var length = 1
        while length < part.count, lowercased(text[start + length]) == lowercased(part[length]) {
          length += 1
        }
        if length == part.count { return true }
      }
      return false
    } ?? nil
  } ?? nil
}

/// The expressions that queries have used last. A query asks for the same one for each row.
private final class CompiledPatterns: Sendable {
  static let shared = CompiledPatterns()

  private let known = Mutex<[String: NSRegularExpression]>([:])
  private static let limit = 32

  func expression(_ pattern: String) -> NSRegularExpression? {
    known.withLock { known in
      if let expression = known[pattern] { return expression }
      guard let expression = try? NSRegularExpression(pattern: pattern, options: .caseInsensitive)
      else { return nil }
      if known.count >= Self.limit { known = [:] }
      known[pattern] = expression
      return expression
    }
  }
}
