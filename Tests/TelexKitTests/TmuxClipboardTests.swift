import Testing

@testable import TelexKit

@Suite struct TmuxClipboardTests {
  @Test(arguments: [
    ("3.1c\nexternal\n", true), ("2.9a\noff\n", true), ("3.1c\non\n", false),
    ("3.2\noff\n", false), ("3.3a\noff\n", false), ("next-3.4\noff\n", false),
    ("3.1c\n\n", false), ("", false), ("no server\n", false),
  ])
  func `Only an old tmux keeps what is copied, where its option is not on`(
    output: String, isToldOf: Bool
  ) {
    let finding = TmuxClipboard(output).finding
    #expect((finding != nil) == isToldOf)
    if isToldOf { #expect(finding?.next?.contains("set-clipboard on") == true) }
  }

  @Test func `Without tmux nothing is asked`() async {
    #expect(await TmuxClipboard.get([:]) == nil)
    #expect(await TmuxClipboard.get(["TMUX": ""]) == nil)
  }
}
