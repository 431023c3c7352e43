internal import Screen
internal import Testing

@testable import Reader

struct LineEditorTests {
  /// The cursor is shown as "|".
  @Test(arguments: [
    ("", "abc|"), ("<Left>", "ab|c"), ("<C-b><C-b><Right>", "ab|c"), ("<C-b><C-f><C-f>", "abc|"),
    ("<Home>x", "x|abc"), ("<C-a><C-e>d", "abcd|"), ("<Home><End>", "abc|"), ("<BS>", "ab|"),
    ("<C-h><C-h><C-h><C-h>", "|"), ("<Left><BS>", "a|c"), ("<Home><Del>", "|bc"), ("<Del>", "abc|"),
    ("<Left><C-u>", "|c"), ("<Left><C-k>", "ab|"), (" de<C-w>", "abc |"), (" de  <C-w>", "abc |"),
    ("<C-w><C-w>", "|"), ("é日👨‍👩‍👧<BS>", "abcé日|"), ("<Left><Left>é", "aé|bc"),
    ("e\u{301}\u{302}x<BS><BS>", "abc|"), ("क्षि<Left>", "abc|क्षि"),
  ])
  func `Keys edit a line`(_ keys: String, _ result: String) {
    var line = LineEditor("abc")
    for key in Session.keys(keys) {
      let isKnown = line.handle(key)
      #expect(isKnown)
    }
    let after = line.text.dropFirst(line.textBeforeCursor.count)
    #expect(line.textBeforeCursor + "|" + after == result)
    #expect(line.isEmpty == (result == "|"))
  }

  @Test(arguments: ["<Up>", "<Down>", "<Tab>", "<PgUp>", "<F1>", "<C-x>"])
  func `A key that a line does not know changes nothing`(_ key: String) {
    var line = LineEditor("abc")
    for key in Session.keys(key) {
      let isKnown = line.handle(key)
      #expect(!isKnown)
    }
    #expect(line == LineEditor("abc"))
  }

  /// Keys bring each scalar by itself.
  @Test(arguments: ["👩🏽‍🚀", "e\u{301}\u{302}", "क्षि", "🇩🇪"])
  func `What belongs together is one character, however it is typed`(_ character: String) {
    var line = LineEditor("ab")
    for scalar in character.unicodeScalars { _ = line.handle(.character(Character(scalar))) }
    #expect(line.text == "ab" + character)
    _ = line.handle(.left)
    #expect(line.textBeforeCursor == "ab")
    _ = line.handle(.delete)
    #expect(line.text == "ab")
    for scalar in character.unicodeScalars { line.insert(String(scalar)) }
    _ = line.handle(.backspace)
    #expect(line.text == "ab")
  }

  @Test func `What is pasted stands on one line`() {
    var line = LineEditor("ac")
    _ = line.handle(.left)
    line.insert("b\r\n\tb\n")
    #expect(line.text == "ab  b c")
  }

  @Test(arguments: [3, 8, 9, 12, 40])
  func `The end that is typed and the cursor stay in sight`(_ width: Int) {
    var session = Session(width: width, height: 5)
    session.send(keys: "/some words that are longer")
    let frame = session.state.render()
    #expect(frame.cursor.map { $0.x < width && $0.y == 4 } == true)
    if width == 8 { #expect(session.lines[4] == "Fi… ger") }
    if width == 12 { #expect(session.lines[4] == "Find: onger") }
    if width == 40 { #expect(session.lines[4] == "Find: some words that are longer") }
  }

  @Test(arguments: [3, 24, 40, 80])
  func `A long label leaves half of the line to what is typed`(_ width: Int) {
    var session = Session(Sample.rows(1...5), width: width, height: 12)
    let address = "https://a-long-name-of-a-server.and.more.of.it.and.more.than.that.example.org/"
    session.state.ask(.signInName(address: address))
    session.paste(String(repeating: "x", count: 100))
    let line = session.lines[11]
    #expect(line.count { $0 == "x" } == width - width / 2 - 1, "\(line)")
    if width >= 24 { #expect(line.hasPrefix("User name") && line.contains("… xx"), "\(line)") }
    #expect(session.state.render().cursor?.x == width - 1)
  }

  @Test func `Of a long paste the end shows`() {
    var session = Session(width: 40, height: 5)
    session.send(keys: "/")
    session.paste(String(repeating: "漢字 e\u{301}", count: 15_000) + "end")
    #expect(session.lines[4].hasPrefix("Find: ") && session.lines[4].hasSuffix("字 e\u{301}end"))
    #expect(session.state.render().cursor?.x ?? 0 >= 38)
  }
}
