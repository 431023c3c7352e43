/// Message to the user while the terminal is out of sight.
package enum Alert: Hashable, Sendable {
  case bell
  /// As iTerm2 began it.
  case osc9(String)
  /// As rxvt began it.
  case osc777(title: String, body: String)

  /// The bytes for the terminal, wrapped for tmux where that is between.
  func bytes(isInTmux: Bool) -> [UInt8] {
    let sequence: String
    switch self {
    case .bell: return [0x07]
    case .osc9(let text): sequence = "\u{1B}]9;\(Self.clean(text))\u{07}"
    case .osc777(let title, let body):
      // The title ends with the first semicolon.
      let title = Self.clean(title).replacing(";", with: ",")
      sequence = "\u{1B}]777;notify;\(title);\(Self.clean(body))\u{07}"
    }
    return Array((isInTmux ? TmuxPassage.wrapped(sequence) : sequence).utf8)
  }

  /// Without characters that could end the sequence, or begin another.
  private static func clean(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.filter { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }))
  }
}
