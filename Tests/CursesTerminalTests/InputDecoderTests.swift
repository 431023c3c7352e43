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
      // F3 with Shift, which looks like the place of the cursor in the first line.
      ("\u{1b}[1;2R", [.key(.function(3))]), ("\u{1b}[13~", [.key(.function(3))]),
      ("\0", [.key(.control(" "))]), ("\u{1}", [.key(.control("a"))]),
      ("\u{1c}", [.key(.control("\\"))]), ("\n", [.key(.enter)]), ("\u{8}", [.key(.backspace)]),
      ("\u{1b}[<0;8;4M\u{1b}[<0;8;4m", [.mouse(MouseEvent(.click, x: 7, y: 3))]),
      ("\u{1b}[<68;1;1M", [.mouse(MouseEvent(.wheelUp, x: 0, y: 0))]),
      ("\u{1b}[<2;1;1M\u{1b}[<35;1;1M\u{1b}[<0;0;0M\u{1b}[<0M", []),
      ("\u{1b}[M (#q", [.mouse(MouseEvent(.click, x: 7, y: 2)), .key(.character("q"))]),
      ("\u{1b}[200~a\rb\r\nc\n\u{7f}d\u{1b}[201~q", [.paste("a b c d"), .key(.character("q"))]),
      ("\u{1b}[200~\u{1b}[A\u{1b}q\u{9b}\u{1b}[201~", [.paste("q")]),
      ("\u{1b}[200~\u{1b}[201~", [.paste("")]),
      ("\u{1b}[200~secret\n\u{1b}[201~", [.paste("secret")]),
      ("\u{1b}[200~a\r\n\r\nb\r\n\r\n\u{1b}[201~", [.paste("a  b")]),
    ] as [(String, [InputEvent])])
  func `Bytes become events`(bytes: String, events: [InputEvent]) {
    check(Array(bytes.utf8), give: events)
  }

  @Test(
    arguments: [
      ("27", [.escape]), ("13;2", [.enter]), ("9;2", [.backTab]), ("9;5", [.tab]),
      ("127;5", [.backspace]), ("97;5", [.control("a")]), ("97:65;6", [.control("a")]),
      ("32;5", [.control(" ")]), ("45:95;6", [.control("_")]), ("47;5", [.control("_")]),
      ("92;5", [.control("\\")]), ("105;5", [.tab]), ("109;5", [.enter]), ("91;5", [.escape]),
      ("104;5", [.backspace]), ("54;5", [.control("^")]),
      // Another layout.
      ("1089::99;5", [.control("c")]), ("1089::99;3", [.escape, .character("\u{441}")]),
      ("120;3", [.escape, .character("x")]), ("120:88;4", [.escape, .character("X")]),
      ("120;7", [.escape, .control("x")]), ("13;3", [.escape, .enter]),
      // With the lock of capitals, and that of numbers.
      ("97;69", [.control("a")]), ("27;129", [.escape]),
      // Keypad, functions, Super and keys that nobody knows.
      ("57400", [.character("1")]), ("57414", [.enter]), ("57419", [.up]), ("57426", [.delete]),
      ("57376", [.function(13)]), ("97;9", []), ("57441", []), ("1", []), ("", []), (";5", []),
    ] as [(String, [KeyEvent])])
  func `Keys of kitty's protocol are those of other terminals`(bytes: String, keys: [KeyEvent]) {
    check(Array("\u{1b}[\(bytes)u".utf8), give: keys.map(InputEvent.key))
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

  private static let reports: [(String, TerminalReport)] = [
    ("\u{1b}P>|WezTerm 20240203\u{1b}\\", .version("WezTerm 20240203")),
    ("\u{1b}P>|foot\u{7}", .version("foot")),
    ("\u{1b}_Gi=31;OK\u{1b}\\", .kittyGraphics(true)),
    ("\u{1b}_Gi=31;ENOTSUPPORTED: no\u{1b}\\", .kittyGraphics(false)),
    ("\u{1b}[?62;4;22c", .attributes([62, 4, 22])),
    ("\u{1b}[?1;0;256S", .graphicsLimit(item: 1, values: [256])),
    ("\u{1b}[?2;0;1000;800S", .graphicsLimit(item: 2, values: [1000, 800])),
    ("\u{1b}[6;20;10t", .cell(Size(width: 10, height: 20))),
    ("\u{1b}[?5u", .keyboard), ("\u{1b}[2;3R", .cursor(column: 3)),
  ]

  @Test(arguments: reports, [true, false])
  func `What a terminal says of itself is no key, asked for or not, in pieces or late`(
    reply: (bytes: String, report: TerminalReport), awaits: Bool
  ) {
    let bytes = [UInt8](reply.bytes.utf8)
    let keys: [InputEvent] = [.key(.character("j")), .key(.character("k"))]
    // The two bytes that begin a sequence may be keys where nothing was asked.
    for cut in (awaits ? 1 : 3)..<bytes.count {
      var decoder = InputDecoder()
      decoder.awaitsGraphics = awaits
      var events: [InputEvent] = []
      let head: [UInt8] = [UInt8(ascii: "j")] + bytes[..<cut]
      let tail: [UInt8] = bytes[cut...] + [UInt8(ascii: "k")]
      for part in [head, tail] {
        for byte in part { decoder.feed(Int32(byte), into: &events) }
        decoder.pause(into: &events)
      }
      #expect(events == keys, "\(cut)")
      #expect(decoder.reports == [reply.report], "\(cut)")
    }
  }

  @Test(
    arguments: [
      ("\u{1b}[?1;3;0S", []), ("\u{1b}[>1;10;0cq", [.key(.character("q"))]),
      ("\u{1b}P>|cut\u{1b}[A", [.key(.up)]),
      ("\u{1b}_Gi=1;cut\u{1b}q", [.key(.escape), .key(.character("q"))]),
      ("\u{1b}_x", [.key(.escape), .key(.character("_")), .key(.character("x"))]),
    ] as [(String, [InputEvent])])
  func `An answer that is cut off, or none of those, takes no other key`(
    bytes: String, events: [InputEvent]
  ) {
    #expect(decode([Array(bytes.utf8)]) == events)
  }

  private static let replies: [(String, Background)] = [
    ("\u{1b}]11;rgb:1e1e/1e1e/2e2e\u{7}", .dark),
    ("\u{1b}]11;rgb:FFFF/fdfd/E3E3\u{1b}\\", .light), ("\u{1b}]11;rgb:ff/ff/ff\u{7}", .light),
    ("\u{1b}]11;rgb:0/0/0\u{1b}\\", .dark), ("\u{1b}]11;rgba:ffff/ffff/ffff/8000\u{7}", .light),
    ("\u{1b}]11;#002b36\u{7}", .dark), ("\u{1b}]11;#fff\u{1b}\\", .light),
    ("\u{1b}Ptmux;\u{1b}\u{1b}]11;rgb:ffff/ffff/ffff\u{7}\u{1b}\\", .light),
    ("\u{1b}Ptmux;\u{1b}\u{1b}]11;rgb:00/00/00\u{1b}\u{1b}\\\u{1b}\\", .dark),
  ]

  @Test(arguments: replies)
  func `An answer is no key, wherever it is cut and however late it comes`(
    reply: String, background: Background
  ) {
    let bytes = Array(reply.utf8)
    let expected: [InputEvent] = [
      .key(.character("j")), .background(background), .key(.character("k")),
    ]
    for awaits in [true, false] {
      // An escape byte by itself is a key where no answer is awaited.
      for cut in (awaits ? 1 : 2)..<bytes.count {
        let pieces = [Array("j".utf8), Array(bytes[..<cut]), Array(bytes[cut...]), Array("k".utf8)]
        #expect(decode(pieces, awaitsReply: awaits) == expected, "\(cut)")
      }
      #expect(decode([Array("j".utf8) + bytes + Array("k".utf8)], awaitsReply: awaits) == expected)
    }
    #expect(decode(bytes.map { [$0] }, awaitsReply: true) == [.background(background)])
    // In pieces that are so far apart that an escape byte by itself counts as the key.
    let apart = decode(bytes.map { [$0] }, awaitsReply: true, releases: true)
    #expect(apart.allSatisfy { $0 == .key(.escape) || $0 == .background(background) })
  }

  @Test(
    arguments: [
      // Cut off, with keys after it: those that could be digits of it are lost.
      ("\u{1b}]11;rgb:1e1e/1e1e/2e2ej", [.key(.character("j"))]),
      ("\u{1b}]11;rgb:1e1e/1e1e/2e2ed", [.key(.character("d"))]),
      ("\u{1b}]11;rgb:1eq", [.key(.character("q"))]),
      ("\u{1b}]11;rgb:1e1e/1e1e/2e2e\u{1b}[24~", [.key(.function(12))]),
      ("\u{1b}]11;rgb:1e1e/1e1e/2e2e\u{1b}j", [.key(.escape), .key(.character("j"))]),
      ("\u{1b}]11;\rq", [.key(.enter), .key(.character("q"))]),
      // Of another colour, and nothing that was asked for.
      ("\u{1b}]10;rgb:0/0/0\u{7}q", [.key(.character("q"))]),
      // Typed by hand: Alt and a key, and what follows.
      ("\u{1b}]j", [.key(.escape), .key(.character("]")), .key(.character("j"))]),
      (
        "\u{1b}]1j",
        [
          .key(.escape), .key(.character("]")), .key(.character("1")),
          .key(.character("j")),
        ]
      ),
      ("\u{1b}P\u{1b}[A", [.key(.escape), .key(.character("P")), .key(.up)]),
    ] as [(String, [InputEvent])])
  func `What only begins as an answer takes no keys with it`(
    bytes: String, events: [InputEvent]
  ) {
    #expect(decode([Array(bytes.utf8)]) == events)
    #expect(decode([Array(bytes.utf8)], awaitsReply: true) == events)
  }

  @Test func `No answer takes more than a few bytes`() {
    for text in ["\u{1b}]11;rgb:", "\u{1b}]11;#", "\u{1b}]11;", "\u{1b}Ptmux;"] {
      let bytes = Array(text.utf8) + Array(repeating: UInt8(ascii: "1"), count: 100)
      #expect(decode([bytes]).count > 80)
    }
  }

  @Test func `Esc is a key at once, and while an answer is awaited after a while or with the next`()
  {
    var decoder = InputDecoder()
    var events: [InputEvent] = []
    func type(_ text: String) {
      for byte in text.utf8 { decoder.feed(Int32(byte), into: &events) }
      decoder.pause(into: &events)
    }
    decoder.awaitsReply = true
    type("\u{1b}")
    #expect(decoder.isHolding && events == [])
    decoder.release(into: &events)
    #expect(!decoder.isHolding && events == [.key(.escape)])
    // The rest of an answer after all.
    type("]11;rgb:0/0/0")
    #expect(events == [.key(.escape)])
    type("\u{7}")
    #expect(events.last == .background(.dark) && !decoder.awaitsReply)
    type("\u{1b}")
    #expect(events.last == .key(.escape))
    // After an answer that nothing has ended.
    type("\u{1b}]11;rgb:0000/0000/0000")
    #expect(!decoder.isHolding)
    type("\u{1b}")
    #expect(decoder.isHolding)
    decoder.release(into: &events)
    #expect(events.count == 4 && events.last == .key(.escape))
    // Alt-].
    type("\u{1b}]")
    decoder.release(into: &events)
    #expect(events.suffix(2) == [.key(.escape), .key(.character("]"))])
    // A key that ncurses knows: KEY_UP.
    type("\u{1b}]")
    decoder.feed(0o403, into: &events)
    #expect(events.suffix(2) == [.key(.character("]")), .key(.up)])
  }

  @Test(arguments: [
    ("xterm-256color", true), ("xterm", true), ("tmux-256color", true),
    ("screen.xterm-256color", true),
    ("foot", true), ("rxvt-unicode-256color", true), ("st-256color", true), ("xterm-kitty", true),
    ("linux", false), ("linux-16color", false), ("dumb", false), ("vt100", false), ("vt220", false),
    ("ansi", false), ("cons25", false), ("eterm-color", false), ("unknown", false), ("", false),
  ])
  func `Only terminals that know the question are asked`(type: String, isAsked: Bool) {
    #expect(BackgroundQuestion.isUnderstood(byType: type) == isAsked)
  }

  @Test func `A paste whose end does not come is ended by the next key, but not by its own rest`() {
    var decoder = InputDecoder()
    var events: [InputEvent] = []
    func type(_ text: String, after silence: Duration) {
      decoder.begin(count: text.utf8.count, after: silence, into: &events)
      for byte in text.utf8 { decoder.feed(Int32(byte), into: &events) }
      decoder.pause(into: &events)
    }
    type("\u{1b}[200~some", after: .seconds(9))
    type("q", after: .milliseconds(1_900))
    type(" words of", after: .seconds(3))
    #expect(events == [])
    type("é", after: .seconds(2))
    #expect(events == [.paste("someq words of"), .key(.character("é"))])
    // The end, late.
    type("\u{1b}[201~k", after: .seconds(1))
    #expect(events.dropFirst(2) == [.key(.character("k"))])
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

  private func decode(
    _ bursts: [[UInt8]], awaitsReply: Bool = false, releases: Bool = false
  ) -> [InputEvent] {
    var decoder = InputDecoder()
    decoder.awaitsReply = awaitsReply
    var events: [InputEvent] = []
    for burst in bursts {
      for byte in burst { decoder.feed(Int32(byte), into: &events) }
      decoder.pause(into: &events)
      if releases { decoder.release(into: &events) }
    }
    return events
  }
}
