internal import News

/// A group of rows, with a line before its first.
enum ListGroup: Hashable, Sendable {
  /// A day of the local zone, in days since 1970-01-01.
  case day(Int64)
  case feed(FeedID)
}

enum ListLine: Hashable, Sendable {
  /// The line before the first row of a group. It cannot be selected.
  case heading(ListGroup)
  case row(Int)
}

/// The lines of the list, where some stand between rows: before the first article of each day, or of each feed.
///
/// They are no rows: what moves by rows, picks or counts passes over them, and only places on the screen
/// take them in.
extension ListState {
  /// Whether the order that shows has groups.
  var hasGroups: Bool { Self.hasGroups(snapshot?.query.order ?? query.order) }

  static func hasGroups(_ order: ListOrder) -> Bool {
    switch order {
    case .newest, .oldest, .feed: true
    case .title, .score, .opened, .relevance: false
    }
  }

  /// The group that begins with a row; nil where the row above is of the same, and for gaps.
  func group(beginningAt index: Int) -> ListGroup? {
    guard isGrouped, hasGroups, let group = group(of: index) else { return nil }
    var above = index - 1
    while above >= 0 {
      if let other = self.group(of: above) { return other == group ? nil : group }
      above -= 1
    }
    // The rows above are not known.
    return snapshot?.slice.hasNewer == true ? nil : group
  }

  private func group(of index: Int) -> ListGroup? {
    guard let snapshot, case .article(let row) = snapshot.slice.rows[index] else { return nil }
    // The other articles of a story stand with its first one.
    if row.isUnfolded { return index > 0 ? self.group(of: index - 1) : nil }
    return snapshot.query.order == .feed
      ? .feed(row.feedID) : .day(zone.local(row.position.time).dayNumber)
  }

  private func hasHeading(_ index: Int) -> Bool { group(beginningAt: index) != nil }

  // MARK: Lines and rows

  /// The lines that show, from the top of the pane on.
  var visibleLines: [ListLine] {
    let rows = rows
    var lines: [ListLine] = []
    var (index, showsHeading) = top
    while rows.indices.contains(index), lines.count < height {
      if showsHeading, let group = group(beginningAt: index) { lines.append(.heading(group)) }
      if lines.count < height { lines.append(.row(index)) }
      showsHeading = true
      index += 1
    }
    return lines
  }

  /// The row at the top of the pane, and whether its heading is above it. The selected row keeps its line, unless the
  /// list ends before.
  var top: (row: Int, showsHeading: Bool) {
    guard let index = selectedIndex else { return (0, true) }
    var left = max(0, min(selection.line, height - 1))
    guard isGrouped else { return (max(0, index - left), false) }
    var row = index
    while left > 0 {
      if hasHeading(row) {
        left -= 1
        if left == 0 { return (row, true) }
      }
      guard row > 0 else { return (0, true) }
      row -= 1
      left -= 1
    }
    return (row, false)
  }

  /// The number of lines above a row.
  ///
  /// - Parameter most: more are not counted.
  func lines(above index: Int, most: Int) -> Int {
    guard isGrouped else { return min(index, most) }
    var count = 0
    var row = index
    while count < most {
      if hasHeading(row) { count += 1 }
      guard row > 0 else { break }
      row -= 1
      count += 1
    }
    return min(count, most)
  }

  /// The number of lines below a row, without the one below the last row.
  ///
  /// - Parameter most: more are not counted.
  func lines(below index: Int, most: Int) -> Int {
    let rows = rows
    guard isGrouped else { return min(rows.count - 1 - index, most) }
    var count = 0
    var row = index + 1
    while count < most, row < rows.count {
      count += hasHeading(row) ? 2 : 1
      row += 1
    }
    return min(count, most)
  }

  /// The number of lines from one row down to another; negative upwards. Not exact beyond a screen.
  func lines(from index: Int, to target: Int) -> Int {
    guard isGrouped, abs(target - index) <= height else { return target - index }
    let passed = target > index ? (index + 1)...target : (target + 1)...max(index, target + 1)
    let headings = target == index ? 0 : passed.count(where: hasHeading)
    return target - index + (target > index ? headings : -headings)
  }

  /// The row that is so many lines further down or, where negative, up: at least the next one.
  func row(lines delta: Int, from index: Int) -> Int {
    let rows = rows
    guard isGrouped else { return max(0, min(rows.count - 1, index + delta)) }
    var row = index
    var left = abs(delta)
    while rows.indices.contains(row + delta.signum()) {
      left -= hasHeading(delta > 0 ? row + 1 : row) ? 2 : 1
      if left < 0, row != index { break }
      row += delta.signum()
      if left <= 0 { break }
    }
    return row
  }

  /// The lines that stay above a row, so that its own heading shows with it.
  func linesKept(above index: Int) -> Int { height > 1 && hasHeading(index) ? 1 : 0 }
}
