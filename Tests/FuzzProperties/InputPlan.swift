/// What the first bytes of an input say about how the rest is to be read.
package struct InputPlan {
  package static let headerSize = 4

  /// Chooses among variants: a content type, a base, a width.
  var choice: Int
  var document: [UInt8]
  /// Where the document is cut, ascending.
  fileprivate var cuts: [Int]

  /// Missing header bytes count as 0.
  init(_ input: [UInt8]) {
    let header = input.prefix(Self.headerSize).map(Int.init) + [0, 0, 0, 0]
    choice = header[0]
    document = Array(input.dropFirst(Self.headerSize))
    let count = document.count
    cuts = header[1..<Self.headerSize].map { count * $0 / 256 }.sorted()
  }

  /// Puts `padding` at the first cut: what keeps its input until there is enough of it is then
  /// brought to read between the other cuts.
  mutating func pad(with padding: [UInt8]) {
    document.insert(contentsOf: padding, at: cuts[0])
    for index in cuts.indices.dropFirst() { cuts[index] += padding.count }
  }

  /// The document cut up. None of the pieces needs to hold anything.
  var pieces: [ArraySlice<UInt8>] {
    zip([0] + cuts, cuts + [document.count]).map { document[$0..<$1] }
  }
}

extension InputPlan {
  /// For a document that got `count` bytes in front.
  mutating func shiftCuts(by count: Int) { cuts = cuts.map { $0 + count } }
}
