internal import Screen

/// A line between two panes that the user can move.
package enum Divider: String, CaseIterable, Hashable, Sendable {
  /// On the right of the sidebar.
  case sidebar
  /// Between the list and an article beside it.
  case list
  /// Between the list and an article below it.
  case above
}

/// Where the user has moved the dividers to, as parts of the room that they share, so that they suit any size of the
/// screen.
package struct Dividers: Hashable, Sendable {
  /// In thousandths; what is not there is where the program puts it.
  package private(set) var places: [Divider: Int] = [:]

  package init() {}

  /// - Parameter places: thousandths; those out of bounds are left out.
  package init(_ places: [Divider: Int]) {
    self.places = places.filter { (1...999).contains($0.value) }
  }

  /// The columns or lines before a divider; both sides keep some.
  ///
  /// - Parameters:
  ///   - room: of both sides together.
  ///   - standard: where the user has not moved it.
  func columns(of divider: Divider, in room: Int, standard: Int) -> Int {
    // Half a column more, so that a place comes back as it was.
    let wished = places[divider].map { ($0 * room + 500) / 1000 } ?? standard
    return divider.bounded(wished, in: room)
  }

  mutating func move(_ divider: Divider, to columns: Int, in room: Int) {
    guard room > 0 else { return }
    let columns = divider.bounded(columns, in: room)
    places[divider] = max(1, min(999, (columns * 1000 + room / 2) / room))
  }

  mutating func reset(_ divider: Divider) { places[divider] = nil }
}

extension Divider {
  /// Some columns or lines stay on either side.
  fileprivate func bounded(_ columns: Int, in room: Int) -> Int {
    let (before, after) =
      switch self {
      case .sidebar: (12, 50)
      case .list: (24, 24)
      case .above: (3, 5)
      }
    return max(min(before, room / 2), min(room - after, columns))
  }
}
