internal import Foundation
internal import News

struct JumpPlace: Hashable, Sendable, SelectableRow {
  var timeline: Timeline
  var title: String
  /// The folder around it, or what its server is called; empty for none.
  var around: String
  var unread: Int

  var selectionID: Timeline { timeline }
}

extension JumpPlace {
  /// The places that a text may mean: by the beginning of their titles, then by that of a word in them, then by any
  /// part, then by letters that are there in this order; folders count for less than titles. All for an empty text.
  static func matches(_ text: String, among places: [JumpPlace]) -> [JumpPlace] {
    let typed = folded(text).split(separator: " ").joined(separator: " ")
    guard !typed.isEmpty else { return places }
    let ranked = places.enumerated().compactMap { index, place in
      place.rank(typed).map { (rank: $0, index: index) }
    }
    return ranked.sorted { ($0.rank, $0.index) < ($1.rank, $1.index) }.map { places[$0.index] }
  }

  private func rank(_ typed: String) -> Int? {
    let title = Self.folded(title)
    if title == typed { return 0 }
    if title.hasPrefix(typed) { return 1 }
    if title.contains(" " + typed) { return 2 }
    if title.contains(typed) { return 3 }
    let whole = Self.folded(around) + " " + title
    let words = typed.split(separator: " ")
    if words.allSatisfy({ whole.contains($0) }) { return 4 }
    if Self.has(typed, inOrderIn: title) { return 5 }
    return Self.has(typed, inOrderIn: whole) ? 6 : nil
  }

  private static func folded(_ text: String) -> String {
    text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
  }

  /// Whether the letters of a text come in another one in this order.
  private static func has(_ letters: String, inOrderIn text: String) -> Bool {
    var rest = text.unicodeScalars[...]
    for letter in letters.unicodeScalars where letter != " " {
      guard let place = rest.firstIndex(of: letter) else { return false }
      rest = rest[rest.index(after: place)...]
    }
    return true
  }
}
