/// Result of one check of the doctor.
package struct Finding: Sendable {
  /// Outcome of a check; the raw value is for scripts.
  package enum State: String, Sendable {
    case ok
    case attention
    case failed
    /// It could not be checked, or there is nothing to check.
    case skipped
  }

  /// The identifier for scripts, which does not change.
  package var name: String
  package var label: String
  package var state: State
  /// A sentence without its full stop.
  package var text: String
  /// Further lines below the text.
  package var details: [String] = []
  /// The next step: a command, or what to do.
  package var next: String?

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
  /// Without the full stop of a sentence: errors have one, findings have not.
  package var withoutStop: String { hasSuffix(".") && !hasSuffix("..") ? String(dropLast()) : self }
}
