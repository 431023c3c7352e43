import Testing

/// Text that speaks to terminals, as a server, a file or an old store may hold it.
enum HostileText {
  /// A title for the window with a bell, a colour in C1, an override and an isolate of direction,
  /// backspace and DEL.
  static let controls = "\u{1B}]0;owned\u{7}\u{9B}31m\u{9D}\u{202E}\u{2066}\u{8}\u{7F}"
  /// The same with words around it, by which it is found.
  static let words = "before\(controls)after"

  /// Those scalars of a text that no output may have, told apart here by their numbers, not with the
  /// code that is being checked.
  static func found(in text: String) -> [String] {
    text.unicodeScalars.filter { scalar in
      switch scalar.value {
      case 0x09, 0x0A: false
      case ..<0x20, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069: true
      default: false
      }
    }.map { "U+" + String($0.value, radix: 16, uppercase: true) }
  }
}

extension TelexCommand.Outcome {
  /// Neither stream holds anything that speaks to a terminal.
  func expectHarmless(_ comment: String, sourceLocation: SourceLocation = #_sourceLocation) {
    // A program that was not found or has crashed says nothing either.
    #expect(
      [0, 1, 2].contains(status), "\(comment): \(testDescription)", sourceLocation: sourceLocation)
    #expect(
      HostileText.found(in: output).isEmpty, "\(comment): \(output.debugDescription)",
      sourceLocation: sourceLocation)
    #expect(
      HostileText.found(in: errors).isEmpty, "\(comment): \(errors.debugDescription)",
      sourceLocation: sourceLocation)
  }
}
