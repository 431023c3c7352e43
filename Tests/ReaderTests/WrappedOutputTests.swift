internal import Testing

@testable internal import Reader

/// Output that is wrapped as it is printed.
@Suite struct WrappedOutputTests {
  private static let text = "one two three\n\n\ta\tb\n日本語 four five six\nlast words here"

  @Test(arguments: [1, 7, 12, 80])
  func `In whichever pieces it comes, the lines are those of the whole`(width: Int) {
    var whole = WrappedOutput()
    whole.wrap(Self.text, width: width)
    for length in 1...5 {
      var pieces = WrappedOutput()
      for end in stride(from: 0, to: Self.text.count + length, by: length) {
        pieces.wrap(String(Self.text.prefix(end)), width: width)
      }
      #expect(pieces.lines == whole.lines)
    }
  }

  @Test func `Another width wraps all of it anew, and another output takes its place`() {
    var output = WrappedOutput()
    output.wrap(Self.text, width: 7)
    output.wrap(Self.text, width: 80)
    #expect(
      output.lines == [
        "one two three", "", "        a       b", "日本語 four five six", "last words here",
      ])
    output.wrap("short\n", width: 80)
    #expect(output.lines == ["short"])
    output.wrap("", width: 80)
    #expect(output.lines == [])
  }
}
