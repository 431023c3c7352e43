/// One thing that was looked at.
package struct Finding: Sendable {
  package enum State: String, Sendable {
    case ok
    /// It works, but somebody should look at it.
    case attention
    /// It does not work.
    case failed
    /// It could not be looked at, or there is nothing to look at.
    case skipped
  }

  /// For scripts: does not change.
  package var name: String
  package var label: String
  package var state: State
  /// A plain sentence without its full stop.
  package var text: String
  package var details: [String] = []
  /// What helps: a command, or what to do.
  package var next: String?

  package init(
    name: String, label: String, state: State, text: String, details: [String] = [],
    next: String? = nil
  ) {
    self.name = name
    self.label = label
    self.state = state
    self.text = text
    self.details = details
    self.next = next
  }

  package static func ok(_ name: String, _ label: String, _ text: String, _ details: [String] = [])
    -> Finding
  {
    Finding(name: name, label: label, state: .ok, text: text, details: details)
  }

  package static func skipped(_ name: String, _ label: String, _ text: String) -> Finding {
    Finding(name: name, label: label, state: .skipped, text: text)
  }

  package static func attention(
    _ name: String, _ label: String, _ text: String, _ details: [String] = [], next: String?
  ) -> Finding {
    Finding(
      name: name, label: label, state: .attention, text: text, details: details, next: next)
  }

  package static func failed(
    _ name: String, _ label: String, _ text: String, _ details: [String] = [], next: String?
  ) -> Finding {
    Finding(
      name: name, label: label, state: .failed, text: text.withoutStop, details: details,
      next: next)
  }
}

extension String {
  /// Errors are whole sentences; findings are not.
  package var withoutStop: String { hasSuffix(".") && !hasSuffix("..") ? String(dropLast()) : self }
}
