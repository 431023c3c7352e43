internal import Text

/// Search of a document for texts. No stretch of it is searched twice for the same one.
struct TextSearch {
  private let input: ByteBuffer
  /// Where the texts that were searched for come next; `Int.max` for nowhere.
  private var occurrences: [String: Int] = [:]

  init(_ input: ByteBuffer) { self.input = input }

  /// Where a text begins, whatever the case of its letters; nil for nowhere.
  ///
  /// - Parameters:
  ///   - text: in lower case.
  ///   - start: no less than in the calls before with the same text, for the search to be of use.
  mutating func find(_ text: String, from start: Int) -> Int? {
    if let known = occurrences[text], known >= start { return known == .max ? nil : known }
    let wanted = Array(text.utf8)
    var index = start
    while let next = input.firstIndex(of: wanted[0], from: index),
      next + wanted.count <= input.count
    {
      if zip(input[next...], wanted).allSatisfy({ $0.asciiLowercased == $1 }) {
        occurrences[text] = next
        return next
      }
      index = next + 1
    }
    occurrences[text] = .max
    return nil
  }
}
