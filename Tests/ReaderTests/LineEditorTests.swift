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
    if width == 12 { #expect(session.lines[4] == "Search: ger") }
    if width == 40 { #expect(session.lines[4] == "Search: some words that are longer") }
  }
}
