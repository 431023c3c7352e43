/// The rows of a list that are selected, so that the next command is about all of them.
///
/// A row may stand for several subjects, as a folder does for its feeds.
struct MultipleSelection<ID: Hashable & Sendable, Row: Hashable & Sendable>: Hashable, Sendable {
  /// In the order in which they were selected.
  private(set) var ids: [ID] = []
  private var known: Set<ID> = []
  /// The row that was selected last, from which a range extends.
  private(set) var last: Row?

  var isEmpty: Bool { ids.isEmpty }

  func contains(_ id: ID) -> Bool { known.contains(id) }

  /// Whether all of some subjects are selected; false for none.
  func contains(all subjects: [ID]) -> Bool {
    !subjects.isEmpty && subjects.allSatisfy(known.contains)
  }

  /// Selects the subjects of a row, or deselects them where all of them are selected.
  mutating func toggle(_ subjects: [ID], of row: Row) {
    guard contains(all: subjects) else { return add(subjects, of: row) }
    keep { !subjects.contains($0) }
    if last == row { last = nil }
  }

  mutating func add(_ subjects: [ID], of row: Row) {
    for id in subjects where known.insert(id).inserted { ids.append(id) }
    last = row
  }

  /// Keeps those that are still there.
  mutating func keep(_ isKept: (ID) -> Bool) {
    guard !isEmpty else { return }
    ids = ids.filter(isKept)
    known = Set(ids)
    if ids.isEmpty { last = nil }
  }

  /// The indices from the row that was selected last to `index`, in this direction; without one, `index` alone.
  ///
  /// - Parameter find: the index of a row; nil where it is out of reach.
  /// - Returns: nil where the row that was selected last is out of reach.
  func range(to index: Int, find: (Row) -> Int?) -> [Int]? {
    guard let last else { return [index] }
    guard let from = find(last) else { return nil }
    return from > index ? Array((index...from).reversed()) : Array(from...index)
  }
}
