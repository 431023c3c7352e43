import Screen
import Testing

@testable import CursesTerminal

struct InputDecoderTests {
  @Test(
    arguments: [
      ("\u{1b}", [.key(.escape)]),
      ("\u{1b}\u{1b}", [.key(.escape), .key(.escape)]),
      ("\u{1b}x", [.key(.escape), .key(.character("x"))]),
      ("\u{1b}[", [.key(.escape), .key(.character("["))]),
      ("\u{1b}O", [.key(.escape), .key(.character("O"))]),
      // A terminal that does not keep to application mode, then one with modifiers.
      ("\u{1b}[A", [.key(.up)]), ("\u{1b}[1;5D", [.key(.left)]), ("\u{1b}OP", [.key(.function(1))]),
      ("\u{1b}[3;2~", [.key(.delete)]), ("\u{1b}[24~", [.key(.function(12))]),
      // Focus, the answer to a question nobody asked, a key nobody knows.
      ("\u{1b}[Iq", [.key(.character("q"))]), ("\u{1b}[?62;22cq", [.key(.character("q"))]),
      ("\u{1b}[99~q", [.key(.character("q"))]),
      ("\0", [.key(.control(" "))]), ("\u{1}", [.key(.control("a"))]),
      ("\u{1c}", [.key(.control("\\"))]), ("\n", [.key(.enter)]), ("\u{8}", [.key(.backspace)]),
      ("\u{1b}[<0;8;4M\u{1b}[<0;8;4m", [.mouse(MouseEvent(.click, x: 7, y: 3))]),
      ("\u{1b}[<68;1;1M", [.mouse(MouseEvent(.wheelUp, x: 0, y: 0))]),
      ("\u{1b}[<2;1;1M\u{1b}[<35;1;1M\u{1b}[<0;0;0M\u{1b}[<0M", []),
      ("\u{1b}[M (#q", [.mouse(MouseEvent(.click, x: 7, y: 2)), .key(.character("q"))]),
      ("\u{1b}[200~a\rb\r\nc\n\u{7f}d\u{1b}[201~q", [.paste("a b c d"), .key(.character("q"))]),
      ("\u{1b}[200~\u{1b}[A\u{1b}q\u{9b}\u{1b}[201~", [.paste("q")]),
      ("\u{1b}[200~\u{1b}[201~", [.paste("")]),
    ] as [(String, [InputEvent])])
  func `Bytes become events`(bytes: String, events: [InputEvent]) {
    check(Array(bytes.utf8), give: events)
  }

  @Test(
    arguments: [
      ([0xFF, 0x61], [.key(.character("a"))]), ([0xC3, 0x61], [.key(.character("a"))]),
      ([0xC0, 0x80, 0x61], [.key(.character("a"))]),
      ([0xED, 0xA0, 0x80, 0x61], [.key(.character("a"))]),
      ([0x80, 0xBF, 0xC3, 0xA9], [.key(.character("é"))]),
    ] as [([UInt8], [InputEvent])])
  func `Bytes that are not UTF-8 are dropped`(bytes: [UInt8], events: [InputEvent]) {
    check(bytes, give: events)
  }

  @Test(arguments: ["\u{1b}[200~a漢b\u{1b}[201~", "\u{1b}[<64;12;34M", "漢é🦊", "\u{1b}[24~"])
  func `A pause inside a sequence does not break it`(text: String) {
    let whole = decode([Array(text.utf8)])
    // An escape byte alone is a key: the first two bytes stay together.
    let head = text.utf8.first == 0x1B ? 3 : 1
    for cut in head..<text.utf8.count {
      #expect(decode([Array(text.utf8.prefix(cut)), Array(text.utf8.dropFirst(cut))]) == whole)
    }
  }

  @Test func `A paste is bounded`() {
    let text = "\u{1b}[200~" + String(repeating: "a", count: 100_000) + "\u{1b}[201~"
    check(Array(text.utf8), give: [.paste(String(repeating: "a", count: 65_536))])
  }

  @Test func `A second click on a cell is a double click, a third begins anew`() {
    var clicks = ClickCounter()
    let start = ContinuousClock.now
    let click = MouseEvent(.click, x: 1, y: 1)
    let kinds = [0, 100, 200, 900].map {
      clicks.count(click, at: start + .milliseconds($0)).kind
    }
    #expect(kinds == [.click, .doubleClick, .click, .click])
    #expect(clicks.count(MouseEvent(.click, x: 2, y: 1), at: start).kind == .click)
    #expect(clicks.count(MouseEvent(.wheelUp, x: 2, y: 1), at: start).kind == .wheelUp)
  }

  private func check(_ bytes: [UInt8], give events: [InputEvent]) {
    #expect(decode([bytes]) == events)
  }

  private func decode(_ bursts: [[UInt8]]) -> [InputEvent] {
    var decoder = InputDecoder()
    var events: [InputEvent] = []
    for burst in bursts {
      for byte in burst { decoder.feed(Int32(byte), into: &events) }
      decoder.pause(into: &events)
    }
    return events
  }
}
