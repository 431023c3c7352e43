internal import Screen

extension FuzzTarget {
  func checkWidth(_ input: [UInt8]) throws(Violation) {
    let plan = InputPlan(input)
    let text = String(decoding: plan.document, as: UTF8.self)
    let width = 1 + plan.choice % 120
    let lines = TextWrapping.lines(of: text, width: width)
    try checkLines(lines, of: text, width: width)
    var start = 0
    for line in lines {
      try require(isBlank(text, start..<line.start), "text is lost before byte \(line.start)")
      try require(isBlank(text, line.end..<line.next), "text is lost behind byte \(line.end)")
      start = line.next
    }
    try require(start == text.utf8.count, "text is lost at the end")
    let pieces = TextWrapping.pieces(of: text, width: width)
    try checkLines(pieces, of: text, width: width)
    for (piece, next) in zip(pieces, pieces.dropFirst()) {
      try require(piece.end == next.start, "text is lost between pieces")
    }
    let columns = TextWidth.columns(of: text)
    try require(
      pieces.reduce(0) { $0 + $1.columns } == columns, "pieces are not as wide as their text")
    let prefix = TextWidth.prefix(of: text, fitting: width)
    try require(TextWidth.columns(of: prefix) <= width, "a beginning is too wide")
    try require(columns > width || prefix.utf8.count == text.utf8.count, "a beginning is too short")
    try checkFrame(text, width: width)
  }
}

private func checkLines(
  _ lines: [TextWrapping.Line], of text: String, width: Int
) throws(Violation) {
  try require(!lines.isEmpty, "no line")
  for line in lines {
    let range = line.start <= line.end && line.end <= line.next && line.next <= text.utf8.count
    try require(range, "a line from \(line.start) to \(line.end), \(line.next)")
    let shown = String(decoding: Array(text.utf8)[line.start..<line.end], as: UTF8.self)
    try require(
      line.columns <= width || TextWidth.prefix(of: shown, fitting: line.columns - 1).isBlank,
      "a line of \(line.columns) columns on \(width): \(shown.debugDescription)")
  }
}

/// What is drawn stays on its frame, whatever the text.
private func checkFrame(_ text: String, width: Int) throws(Violation) {
  var frame = Frame(size: Size(width: width, height: 2))
  let used = frame.put(text, x: width / 2, y: 1, width: width)
  try require((0...width).contains(used), "\(used) columns were drawn on \(width)")
}

private func isBlank(_ text: String, _ range: Range<Int>) -> Bool {
  let utf8 = Array(text.utf8)
  return String(decoding: utf8[range], as: UTF8.self)[...].isBlank
}

extension Substring {
  /// Nothing that shows: white space, and what takes no column.
  fileprivate var isBlank: Bool {
    unicodeScalars.allSatisfy { scalar in
      scalar.properties.isWhitespace || TextWidth.columns(of: String(scalar)) == 0
    }
  }
}
