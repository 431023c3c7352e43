internal import Screen

/// The output of a program in lines of a width. What has been wrapped is not wrapped again when more is printed.
struct WrappedOutput: Hashable, Sendable {
  private var width = 0
  /// Of the lines that have ended.
  private var whole: [String] = []
  /// Of the line that is being printed.
  private var rest: [String] = []
  /// How many bytes of the output the whole lines are, and how many all of it is.
  private var (wholeBytes, bytes) = (0, 0)

  var lines: [String] { whole + rest }

  /// Wraps the output, to which a program only appends.
  mutating func wrap(_ output: String, width: Int) {
    let count = output.utf8.count
    if self.width != width || count < bytes { self = WrappedOutput(width: width) }
    guard count > bytes else { return }
    let new = output[output.utf8.index(output.startIndex, offsetBy: wholeBytes)...]
    bytes = count
    rest = []
    var parts = new.split(separator: "\n", omittingEmptySubsequences: false)
    let last = parts.removeLast()
    for part in parts { whole += Self.wrapped(part, width) }
    wholeBytes = count - last.utf8.count
    if !last.isEmpty { rest = Self.wrapped(last, width) }
  }

  init() {}

  private init(width: Int) { self.width = width }

  private static func wrapped(_ line: Substring, _ width: Int) -> [String] {
    line.isEmpty ? [""] : TextWrapping.wrap(expandingTabs(line), width: width).map(String.init)
  }

  /// With spaces up to the next of the columns 8, 16, 24 … for each tab.
  private static func expandingTabs(_ line: Substring) -> String {
    guard line.utf8.contains(0x09) else { return String(line) }
    return line.split(separator: "\t", omittingEmptySubsequences: false).reduce(into: "") {
      text, part in
      if !text.isEmpty || part.startIndex > line.startIndex {
        text += String(repeating: " ", count: 8 - TextWidth.columns(of: text) % 8)
      }
      text += part
    }
  }
}
