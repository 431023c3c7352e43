/// A linked list of the rows of several tables of keys, each row once, which keeps the order of each table.
struct MergedBindings {
  private struct Row {
    var binding: KeyBinding
    var previous: Int?
    var next: Int?
  }

  private var rows: [Row] = []
  private var first: Int?
  private var last: Int?
  private var places: [String: [Int]] = [:]

  var bindings: [KeyBinding] {
    var bindings: [KeyBinding] = []
    bindings.reserveCapacity(rows.count)
    var place = first
    while let index = place {
      bindings.append(rows[index].binding)
      place = rows[index].next
    }
    return bindings
  }

  /// Merges a table: each row that is not there yet goes before the one that follows it in the table.
  mutating func merge(_ table: [KeyBinding]) {
    var following: Int?
    for binding in table.reversed() {
      let known = places[binding.command.name]?.filter { binding.isListed(as: rows[$0].binding) }
      if let index = known.flatMap(earliest) {
        // On one screen a key may be another command's.
        if rows[index].binding.keys.count < binding.keys.count {
          rows[index].binding.keys = binding.keys
        }
        following = index
      } else {
        following = insert(binding, before: following)
      }
    }
  }

  /// The first row in the order of the list.
  private func earliest(_ indices: [Int]) -> Int? {
    guard indices.count > 1 else { return indices.first }
    let wanted = Set(indices)
    var place = first
    while let index = place {
      if wanted.contains(index) { return index }
      place = rows[index].next
    }
    return nil
  }

  /// - Parameter following: the row behind it; nil for the end.
  private mutating func insert(_ binding: KeyBinding, before following: Int?) -> Int {
    let index = rows.count
    let previous = following.map { rows[$0].previous } ?? last
    rows.append(Row(binding: binding, previous: previous, next: following))
    if let previous { rows[previous].next = index } else { first = index }
    if let following { rows[following].previous = index } else { last = index }
    places[binding.command.name, default: []].append(index)
    return index
  }
}
