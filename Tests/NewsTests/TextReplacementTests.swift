import Testing

@testable import News

@Suite struct TextReplacementTests {
  @Test(
    "What matches is replaced, without regard to case",
    arguments: [
      (#"^\[ad\] "#, "", "[AD] Cars", "Cars"), ("(a)(b)?", "<$1>", "xA", "x<A>"),
      ("a/b", "c/d", "1a/b2", "1c/d2"), (#"\s+"#, " ", "a \t b", "a b"),
    ])
  func replaced(pattern: String, template: String, before: String, after: String) throws {
    let replacement = try TextReplacement(pattern, with: template)
    #expect(replacement.applied(to: before) == after)
    #expect(replacement.applied(to: "0") == nil)
    // As it is stored and shown.
    #expect(TextReplacement(text: replacement.text) == replacement, "\(replacement.text)")
  }

  @Test("What is no expression, and a group that is missing, are refused")
  func refused() {
    for (pattern, template) in [("(", ""), ("", "a"), ("a", "$1"), ("(a)", "$2")] {
      #expect(throws: QueryError.self) { try TextReplacement(pattern, with: template) }
    }
    for text in ["", "a", "s/a", "s/a/b", "s/a/b/c", "s/(/b/"] {
      #expect(TextReplacement(text: text) == nil, "\(text)")
    }
    #expect((try? TextReplacement("a", with: #"\$1"#)) != nil)
  }

  @Test("A title of which nothing would be left stays")
  func titles() throws {
    let all = try TextReplacement(".*", with: " ")
    #expect(all.title(insteadOf: "x") == nil && all.title(insteadOf: nil) == nil)
    let some = try TextReplacement("x", with: "y")
    #expect(some.title(insteadOf: "x \u{1B}[31m") == "y [31m")
  }

  @Test(
    "An address becomes another of the web, or stays",
    arguments: [
      (#"[?&]utm_[^&#]*"#, "", "https://a.example/1?utm_source=x", "https://a.example/1"),
      ("^http:", "https:", "http://a.example/", "https://a.example/"),
      ("^https:.*$", "javascript:alert(1)", "https://a.example/", nil),
      ("^https:.*$", "file:///etc/passwd", "https://a.example/", nil),
      ("^https:.*$", "https://", "https://a.example/", nil),
    ] as [(String, String, String, String?)])
  func addresses(pattern: String, template: String, before: String, after: String?) throws {
    let replacement = try TextReplacement(pattern, with: template)
    #expect(replacement.address(insteadOf: before) == after)
  }
}
