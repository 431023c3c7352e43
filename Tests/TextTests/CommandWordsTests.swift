import Testing
import Text

@Suite struct CommandWordsTests {
  @Test(arguments: [
    ("feed", ["feed"]),
    ("  feed   --top 30 ", ["feed", "--top", "30"]),
    (#"feed 'a b' "c d" e\ f"#, ["feed", "a b", "c d", "e f"]),
    (#"feed 'a'"b"c"#, ["feed", "abc"]),
    (#"feed '' """#, ["feed", "", ""]),
    (#"feed "a\"b\c" 'd\e'"#, ["feed", #"a"b\c"#, #"d\e"#]),
    (#"feed '; touch x' '$(x)' '|' \; \$HOME"#, ["feed", "; touch x", "$(x)", "|", ";", "$HOME"]),
    (#"feed "a;b|c>d" https://x.example/?a=b#c"#, ["feed", "a;b|c>d", "https://x.example/?a=b#c"]),
    ("~/bin/feed ~ ~/x a~/b ~other '~/y'", ["/h/bin/feed", "/h", "/h/x", "a~/b", "~other", "~/y"]),
    (#"feed costs 5$ "$" a=b"#, ["feed", "costs", "5$", "$", "a=b"]),
  ])
  func `A line is split as a shell splits it, and nothing is expanded`(
    line: String, words: [String]
  ) throws {
    #expect(try CommandWords(line, home: "/h").words == words)
    let text = CommandWords.text(of: words)
    #expect(try CommandWords(text, home: "/h").words == words, "\(text)")
  }

  @Test(arguments: [
    ("feed | sort", 6), ("feed; touch x", 5), ("feed & x", 6), ("feed > x", 6), ("feed < x", 6),
    ("feed $(x)", 6), ("feed `x`", 6), ("feed $HOME", 6), (#"feed "$HOME""#, 7),
    (#"feed "`x`""#, 7), ("(feed)", 1), ("feed # all", 6), ("A=b feed", 2), ("feed ${x}", 6),
    ("feed\nother", 5), ("feed $'x'", 6), ("feed 'a", 6), (#"feed "a"#, 6), (#"feed \"#, 6),
    ("", 1), ("''", 1), ("-x", 1), ("feed 'a\u{1B}b'", 8),
  ])
  func `What only a shell could do is refused at its place`(line: String, column: Int) {
    let mistake = #expect(throws: CommandWords.Mistake.self) { try CommandWords(line, home: "/h") }
    #expect(mistake?.column == column, "\(mistake?.message ?? "")")
  }

  @Test(
    arguments: [
      ("firefox --new-tab %u", ["firefox", "--new-tab", "%u"]),
      ("'/opt/a browser' -P \"two words\"", ["/opt/a browser", "-P", "two words"]),
      ("~/bin/open", ["/home/ada/bin/open"]), ("  ", nil),
      // The address is an argument of the script, and no part of it.
      (#"sh -c 'exec w3m "$1"' sh %u"#, ["sh", "-c", #"exec w3m "$1""#, "sh", "%u"]),
    ] as [(String, [String]?)])
  func `A command that opens addresses is split by quotes`(line: String, words: [String]?) throws {
    #expect(try CommandWords.opening(line, home: "/home/ada") == words)
  }

  @Test(arguments: [
    "sh -c 'w3m %u'", "/bin/bash -lc \"firefox '%u' &\"", "env sh -c 'w3m %u'", "firefox %u &",
    "firefox 'a", "firefox %u > /dev/null", "--new-tab %u",
  ])
  func `A command in which an address could be one, or that needs a shell, is refused`(line: String)
  {
    #expect(throws: CommandWords.Mistake.self) { try CommandWords.opening(line) }
  }
}
