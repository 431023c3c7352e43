import Testing

@testable import CursesTerminal

/// What is sent to tell the user of something.
struct AlertTests {
  private func text(_ alert: Alert, isInTmux: Bool = false) -> String {
    String(decoding: alert.bytes(isInTmux: isInTmux), as: UTF8.self)
  }

  @Test func `An alert is one sequence, whatever its text is`() {
    #expect(text(.bell) == "\u{7}" && text(.bell, isInTmux: true) == "\u{7}")
    #expect(text(.osc9("a; b")) == "\u{1B}]9;a; b\u{7}")
    #expect(text(.osc9("a\u{7}\u{1B}]0;b\u{9C}\n")) == "\u{1B}]9;a]0;b\u{7}")
    #expect(text(.osc777(title: "a;b", body: "c;d")) == "\u{1B}]777;notify;a,b;c;d\u{7}")
    #expect(text(.osc9("a"), isInTmux: true) == "\u{1B}Ptmux;\u{1B}\u{1B}]9;a\u{7}\u{1B}\\")
  }
}
