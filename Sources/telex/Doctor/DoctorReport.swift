internal import News
internal import Screen

/// What the doctor has found, for a person: a line for each finding, and more where there is more to
/// say. Pure.
struct DoctorReport {
  var title: String
  /// Shown with an empty line between two of them.
  var groups: [[Finding]]
  /// Lines that stand at the end as they are.
  var footer: [String] = []

  var findings: [Finding] { groups.flatMap { $0 } }

  var isWell: Bool { !findings.contains { $0.state == .attention || $0.state == .failed } }

  /// - Parameters:
  ///   - width: columns of a line.
  ///   - hasColors: whether the marks are coloured.
  func text(width: Int, hasColors: Bool) -> String {
    var lines = [title]
    for group in groups where !group.isEmpty {
      lines.append("")
      for finding in group { lines += Self.lines(of: finding, width: width, hasColors: hasColors) }
    }
    lines += ["", verdict]
    if !footer.isEmpty { lines += [""] + footer }
    return lines.joined(separator: "\n")
  }

  private var verdict: String {
    let failed = findings.count { $0.state == .failed }
    let noted = findings.count { $0.state == .attention }
    switch (failed, noted) {
    case (0, 0): return "All is well."
    case (0, 1): return "One thing needs attention."
    case (0, _): return "\(noted) things need attention."
    case (1, 0): return "One thing does not work."
    case (_, 0): return "\(failed) things do not work."
    default:
      let verb = failed == 1 ? "does" : "do"
      return "\(failed) \(verb) not work, \(noted) \(noted == 1 ? "needs" : "need") attention."
    }
  }

  /// Columns before a label, and before what is found.
  private static let (labelColumn, textColumn) = (4, 17)

  private static func lines(of finding: Finding, width: Int, hasColors: Bool) -> [String] {
    let room = max(20, width - textColumn)
    let margin = String(repeating: " ", count: textColumn)
    let label = finding.label.padded(to: textColumn - labelColumn)
    var texts = wrap(finding.text, room)
    for detail in finding.details { texts += wrap(detail, room, hanging: 2) }
    if let next = finding.next {
      texts += wrap("→ " + next, room, hanging: 2)
    }
    let head = "  " + mark(finding.state, hasColors: hasColors) + " " + label
    return [head + (texts.first ?? "")] + texts.dropFirst().map { margin + $0 }
  }

  private static func wrap(_ text: String, _ room: Int, hanging: Int = 0) -> [String] {
    // What servers and files say may hold anything.
    let text = PlainText.sanitized(text)
    let lines = TextWrapping.wrap(text, width: room - hanging)
    guard hanging > 0, lines.count > 1 else { return lines.map(String.init) }
    let indent = String(repeating: " ", count: hanging)
    return [String(lines[0])] + lines.dropFirst().map { indent + $0 }
  }

  private static func mark(_ state: Finding.State, hasColors: Bool) -> String {
    let (mark, color) =
      switch state {
      case .ok: ("✓", "32")
      case .attention: ("!", "33")
      case .failed: ("✗", "31")
      case .skipped: ("·", "2")
      }
    return hasColors ? "\u{1B}[\(color)m\(mark)\u{1B}[0m" : mark
  }
}

extension String {
  fileprivate func padded(to columns: Int) -> String {
    self + String(repeating: " ", count: max(1, columns - TextWidth.columns(of: self)))
  }
}
