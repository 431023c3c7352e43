import Testing

@testable import TelexKit

@Suite struct TmuxAnswerTests {
  /// As tmux 3.3 prints it.
  @Test(arguments: [
    ("terminal kitty(0.40.1)\non\noff\n", true),
    ("terminal kitty(0.28.0)\nall\non\n", true),
    ("terminal ghostty 1.1.3\nterminal kitty(1.0.0)\non\noff\n", true),
    // It was not allowed.
    ("terminal kitty(0.40.1)\noff\noff\n", false),
    // An earlier tmux knows of no such option.
    ("terminal kitty(0.40.1)\noff\n", false), ("terminal kitty(0.40.1)\n", false),
    // Before it drew pictures in the place of text.
    ("terminal kitty(0.26.5)\non\noff\n", false),
    // One of two shows the signs themselves.
    ("terminal kitty(0.40.1)\nterminal XTerm(379)\non\noff\n", false),
    ("terminal \non\noff\n", false), ("terminal WezTerm 20240203\non\noff\n", false),
    // Its answer would come as keys.
    ("terminal kitty(0.40.1)\non\nalways\n", false),
    // Nobody looks.
    ("on\noff\n", false), ("", false),
  ])
  func `Pictures go past tmux where it and all terminals are known to take them`(
    output: String, passes: Bool
  ) {
    #expect(TmuxAnswer(output).passesPictures == passes)
  }

  @Test func `Nothing is asked outside of tmux`() async {
    #expect(await TmuxAnswer.get([:]) == nil)
    #expect(await TmuxAnswer.get(["TMUX": "/tmp/x,1,0", "TMUX_PANE": "-x"]) == nil)
  }
}
