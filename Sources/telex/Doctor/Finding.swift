/// One thing that was looked at.
struct Finding {
  enum State: String {
    case ok
    /// It works, but somebody should look at it.
    case attention
    /// It does not work.
    case failed
    /// It could not be looked at, or there is nothing to look at.
    case skipped
  }

  /// For scripts: does not change.
  var name: String
  var label: String
  var state: State
  /// A plain sentence without its full stop.
  var text: String
  var details: [String] = []
  /// What helps: a command, or what to do.
  var next: String?

  static func ok(_ name: String, _ label: String, _ text: String, _ details: [String] = [])
    -> Finding
  {
    Finding(name: name, label: label, state: .ok, text: text, details: details)
  }

  static func skipped(_ name: String, _ label: String, _ text: String) -> Finding {
    Finding(name: name, label: label, state: .skipped, text: text)
  }

  static func attention(
    _ name: String, _ label: String, _ text: String, _ details: [String] = [], next: String?
  ) -> Finding {
    Finding(
      name: name, label: label, state: .attention, text: text, details: details, next: next)
  }

  static func failed(
    _ name: String, _ label: String, _ text: String, _ details: [String] = [], next: String?
  ) -> Finding {
    Finding(
      name: name, label: label, state: .failed, text: text.withoutStop, details: details,
      next: next)
  }
}

extension String {
  /// Errors are whole sentences; findings are not.
  var withoutStop: String { hasSuffix(".") && !hasSuffix("..") ? String(dropLast()) : self }
}

extension JSONValue {
  static func finding(_ finding: Finding) -> JSONValue {
    .object([
      ("name", .string(finding.name)), ("state", .string(finding.state.rawValue)),
      ("finding", .string(finding.text)), ("details", .strings(finding.details)),
      ("next", .string(finding.next)),
    ])
  }
}
