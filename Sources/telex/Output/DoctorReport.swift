internal import Screen
internal import TelexKit
internal import Text

/// The report of the doctor as text: a line for each finding, with its details below.
struct DoctorReport {
  var title: String
  /// Separated by empty lines.
  var groups: [[Finding]]
  /// Printed unchanged at the end.
  var footer: [String] = []

  var findings: [Finding] { groups.flatMap { $0 } }

  var isWell: Bool { !findings.contains { $0.state == .attention || $0.state == .failed } }

  /// - Parameter width: of a line, in columns.
  func lines(width: Int) -> [ColoredText] {
    var lines = [ColoredText(PlainText.sanitized(title))]
    for group in groups where !group.isEmpty {
      lines.append(ColoredText(""))
      for finding in group { lines += Self.lines(of: finding, width: width) }
    }
    lines += ["", verdict].map { ColoredText($0) }
    if !footer.isEmpty {
      lines += ([""] + footer.map(PlainText.sanitizedName)).map { ColoredText($0) }
    }
    return lines
  }

  private var verdict: String {
    let failed = findings.count { $0.state == .failed }
    let noted = findings.count { $0.state == .attention }
    switch (failed, noted) {
    case (0, 0): return "Everything works."
    case (0, 1): return "One thing needs attention."
    case (0, _): return "\(noted) things need attention."
    case (1, 0): return "One thing does not work."
    case (_, 0): return "\(failed) things do not work."
    default:
      let verb = failed == 1 ? "does" : "do"
      return "\(failed) \(verb) not work, \(noted) \(noted == 1 ? "needs" : "need") attention."
    }
  }

  /// The columns before labels and texts.
  private static let (labelColumn, textColumn) = (4, 17)

  private static func lines(of finding: Finding, width: Int) -> [ColoredText] {
    let room = max(20, width - textColumn)
    let margin = String(repeating: " ", count: textColumn)
    let label = finding.label.padded(to: textColumn - labelColumn)
    var texts = wrap(finding.text, room)
    for detail in finding.details { texts += wrap(detail, room, hanging: 2) }
    if let next = finding.next {
      texts += wrap("→ " + next, room, hanging: 2)
    }
    let head = ColoredText("  ") + mark(finding.state) + ColoredText(" " + label)
    return [head + ColoredText(texts.first ?? "")]
      + texts.dropFirst().map { ColoredText(margin + $0) }
  }

  private static func wrap(_ text: String, _ room: Int, hanging: Int = 0) -> [String] {
    // Text from servers and files may contain control characters.
    let text = PlainText.sanitized(text)
    let lines = TextWrapping.wrap(text, width: room - hanging)
    guard hanging > 0, lines.count > 1 else { return lines.map(String.init) }
    let indent = String(repeating: " ", count: hanging)
    return [String(lines[0])] + lines.dropFirst().map { indent + $0 }
  }

  private static func mark(_ state: Finding.State) -> ColoredText {
    switch state {
    case .ok: ColoredText("✓", .green)
    case .attention: ColoredText("!", .yellow)
    case .failed: ColoredText("✗", .red)
    case .skipped: ColoredText("·", .faint)
    }
  }
}

extension String {
  fileprivate func padded(to columns: Int) -> String {
    self + String(repeating: " ", count: max(1, columns - TextWidth.columns(of: self)))
  }
}
