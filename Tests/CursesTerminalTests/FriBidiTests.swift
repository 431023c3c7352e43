import Requirements
import Screen
import Testing

@testable import CursesTerminal

extension Requirement {
  static let fribidi = libraries([(FriBidi.fileNames, "libfribidi0")])
}

/// What the bidirectional algorithm says of texts (UAX #9), as FriBidi tells it to the screen.
@Suite(.needs(.fribidi)) struct FriBidiTests {
  /// FriBidi's own arrays end at 125 levels.
  @Test(arguments: [100, 124, 130, 300, 3_000])
  func `Isolates in isolates without end do no harm`(depth: Int) throws {
    let library = try #require(FriBidi())
    for opening in ["\u{2068}", "\u{2067}\u{202E}\u{2066}"] {
      let text =
        String(repeating: opening, count: depth) + String(repeating: "א abc (1) ", count: 60)
      let letters = library.order(Array(text.unicodeScalars), .rightToLeft)
      #expect(letters.map(\.index).sorted() == Array(0..<text.unicodeScalars.count))
    }
  }

  @Test(
    arguments: [
      ("abc אבג def", .leftToRight, "abc גבא def"),
      ("אבג abc דהו", .rightToLeft, "והד abc גבא"),
      ("abc", .rightToLeft, "abc"),
      // Numbers are read from left to right, and so are their signs.
      ("אבג 123 דהו", .rightToLeft, "והד 123 גבא"),
      ("אב 12", .leftToRight, "12 בא"),
      ("אב 1,234.50 גד", .rightToLeft, "דג 1,234.50 בא"),
      ("سعر 12,50", .rightToLeft, "12,50 رعس"),
      ("سعر ١٢٣ درهم", .rightToLeft, "مهرد ١٢٣ رعس"),
      // Brackets turn with the text, in pairs (rule N0).
      ("אבג (דהו)", .rightToLeft, "(והד) גבא"),
      ("abc (אבג) def", .leftToRight, "abc (גבא) def"),
      ("אב (cd) [ef] <gh>", .rightToLeft, "<gh> [ef] (cd) בא"),
      // The sign at the end of a sentence is on its left.
      ("אבג!", .rightToLeft, "!גבא"), ("אבג abc?", .rightToLeft, "?abc גבא"),
      // Several words of Latin letters stay in order.
      ("אב Linux 6.12 is out גד", .rightToLeft, "דג Linux 6.12 is out בא"),
      ("https://example.org/ אב", .rightToLeft, "בא /https://example.org"),
    ] as [(String, TextDirection, String)])
  func `A line is put into the order of the screen`(
    text: String, direction: TextDirection, shown: String
  ) throws {
    let library = try #require(FriBidi())
    let letters = library.order(Array(text.unicodeScalars), direction)
    #expect(String(String.UnicodeScalarView(letters.map(\.scalar))) == shown)
    #expect(letters.map(\.index).sorted() == Array(0..<text.unicodeScalars.count))
  }

  @Test func `A mark of direction parts what follows from the text before it`() throws {
    for (mark, told) in [("", "12 · גבא May"), ("\u{200E}", "גבא · 12 May")] {
      let shown = try Self.shown { frame in
        frame.put("אבג\(mark) · 12 May", x: 0, y: 0)
        frame.arrange(x: 0, y: 0, width: 12, direction: .leftToRight)
      }
      #expect(shown == told)
    }
  }

  @Test func `A text that begins with such a letter begins at the right of its place`() throws {
    let shown = try Self.shown { frame in
      frame.put("שלום (1)", x: 0, y: 0)
      frame.arrange(x: 0, y: 0, width: 12, direction: .rightToLeft)
      frame.put("beside", x: 14, y: 0)
    }
    #expect(shown == "    (1) םולש  beside")
  }

  @Test func `A text that is cut ends with its sign on the left`() throws {
    for (text, width, told) in [("אבגדהו", 4, "…גבא"), ("abאבגדהו", 5, "abבא…")] {
      let shown = try Self.shown { frame in
        frame.put(text, x: 0, y: 0, width: width, overflow: .ellipsis)
      }
      #expect(shown == told)
    }
  }

  @Test func `Texts beside each other do not change each other's order`() throws {
    let shown = try Self.shown { frame in
      let used = frame.put("אבג 12", x: 0, y: 0)
      frame.put("34 דהו", x: used + 1, y: 0)
    }
    #expect(shown == "12 גבא והד 34")
  }

  @Test func `Styles, marks and wide glyphs go with their letters`() throws {
    let library = try #require(FriBidi())
    var frame = Frame(size: Size(width: 8, height: 1))
    let used = frame.put("שָׁ", x: 0, y: 0, style: Style(.palette(1)))
    frame.put("ל漢", x: used, y: 0, style: Style(.palette(2)))
    frame.arrange(x: 0, y: 0, width: 8, direction: .rightToLeft)
    let shown = frame.inVisualOrder(library.order)
    #expect(shown.frame.text == "    漢לשָׁ")
    #expect(shown.frame[7, 0].style == Style(.palette(1)))
    #expect(shown.frame[4, 0].width == 2 && shown.frame[5, 0].width == 0)
    #expect(shown.frame[4, 0].style == Style(.palette(2)))
    #expect((0..<8).map { shown.column(atX: $0, y: 0) } == [7, 6, 5, 4, 2, 3, 1, 0])
    #expect(shown.frame.stretches.isEmpty)
  }

  @Test func `What is drawn over a text takes its columns from it`() throws {
    let shown = try Self.shown { frame in
      frame.put("אבגדהו", x: 0, y: 0)
      frame.fill(Rect(x: 2, y: 0, width: 2, height: 1))
      frame.put("ab", x: 2, y: 0)
    }
    #expect(shown == "באabוה")
  }

  @Test func `Parts of a line change places`() throws {
    let shown = try Self.shown { frame in
      frame.put("• אבג", x: 0, y: 0)
      frame.arrange(x: 0, y: 0, width: 2, direction: .rightToLeft, place: 8)
      frame.arrange(x: 2, y: 0, width: 8, direction: .rightToLeft, place: 0)
    }
    #expect(shown == "     גבא •")
  }

  @Test func `A flood of controls changes the order of nothing`() throws {
    for control in ["\u{202E}", "\u{202B}", "\u{2067}", "\u{2068}", "\u{2069}", "\u{202C}"] {
      let flood = String(repeating: control, count: 50_000)
      let shown = try Self.shown { frame in
        frame.put("\(flood)abc\(flood) אב\(flood) 12", x: 0, y: 0)
        frame.put("beside (1)", x: 11, y: 0)
      }
      #expect(shown == "abc 12 בא  beside (1)", "\(control.unicodeScalars.first!.value)")
    }
  }

  /// The first row of a frame as the screen shows it.
  private static func shown(_ draw: (inout Frame) -> Void) throws -> String {
    let library = try #require(FriBidi())
    var frame = Frame(size: Size(width: 30, height: 1))
    draw(&frame)
    return frame.inVisualOrder(library.order).frame.text
  }
}
