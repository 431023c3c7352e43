import News
import TelexKit
import Testing

@Suite struct TOMLEditTests {
  private func edited(_ path: String, to value: String?, in text: String) throws -> String {
    try TOMLEdit(text, subject: "config.toml")
      .setting(path.split(separator: ".").map(String.init), to: value)
  }

  @Test(arguments: [
    // The value alone changes, with what stands around it.
    ("[screen]\nmouse = true # clicks\n", "[screen]\nmouse = 7 # clicks\n"),
    ("# a\n[screen]  # b\n\n  mouse=true\n\n# c\n", "# a\n[screen]  # b\n\n  mouse=7\n\n# c\n"),
    ("[screen]\r\nmouse = true\r\n", "[screen]\r\nmouse = 7\r\n"),
    ("[screen]\nmouse = true", "[screen]\nmouse = 7"),
    ("[screen]\nmouse = \"a # b\" # c", "[screen]\nmouse = 7 # c"),
    ("[screen]\nmouse = 'a \" # b' # c", "[screen]\nmouse = 7 # c"),
    ("[screen]\nmouse = \"a \\\" # b\"\n", "[screen]\nmouse = 7\n"),
    ("[screen]\nmouse = \"\"\"\na # b\n[x]\n\"\"\" # c\n", "[screen]\nmouse = 7 # c\n"),
    ("[screen]\nmouse = '''a\n\\''' # c\n", "[screen]\nmouse = 7 # c\n"),
    ("[screen]\nmouse = \"\"\"a\"\"\"\" # c\n", "[screen]\nmouse = 7 # c\n"),
    ("[screen]\nmouse = [ # one\n  \"]\", # two\n  [1],\n] # c\n", "[screen]\nmouse = 7 # c\n"),
    ("[screen]\nmouse = { a = \"}\", b = [1] }\n", "[screen]\nmouse = 7\n"),
    ("[screen]\n\"mouse\" = true\n", "[screen]\n\"mouse\" = 7\n"),
    ("[ \"screen\" ]\n'mouse' = true\n", "[ \"screen\" ]\n'mouse' = 7\n"),
    ("screen.mouse = true\n[x]\na = 1\n", "screen.mouse = 7\n[x]\na = 1\n"),
    ("screen . mouse = true\n", "screen . mouse = 7\n"),
    ("\u{FEFF}[screen]\nmouse = true\n", "\u{FEFF}[screen]\nmouse = 7\n"),
    // A line more, where its table is.
    ("[screen]\n", "[screen]\nmouse = 7\n"), ("[screen]", "[screen]\nmouse = 7\n"),
    ("[screen] # a\n# b\n", "[screen] # a\nmouse = 7\n# b\n"),
    (
      "[screen]\ntheme = \"x\"\n\n[x]\na = 1\n",
      "[screen]\ntheme = \"x\"\nmouse = 7\n\n[x]\na = 1\n"
    ),
    ("[screen]\n  theme = \"x\"", "[screen]\n  theme = \"x\"\n  mouse = 7\n"),
    ("[screen]\r\ntheme = 1\r\n", "[screen]\r\ntheme = 1\r\nmouse = 7\r\n"),
    ("screen.theme = 1\n[x]\na = 1\n", "screen.theme = 1\nscreen.mouse = 7\n[x]\na = 1\n"),
    ("[screen]\ntheme = [\n 1,\n]\n", "[screen]\ntheme = [\n 1,\n]\nmouse = 7\n"),
    // Below an example of it.
    (
      "[screen]\n# mouse = true\n# theme = 1\n",
      "[screen]\n# mouse = true\nmouse = 7\n# theme = 1\n"
    ),
    (
      "[screen]\na = 1\n# mouse = true\nb = 1\n",
      "[screen]\na = 1\n# mouse = true\nmouse = 7\nb = 1\n"
    ),
    (
      "[screen]\na = 1\n# [x]\n# mouse = true\n",
      "[screen]\na = 1\nmouse = 7\n# [x]\n# mouse = true\n"
    ),
    ("[screen]\n# \"mouse = 'a\na = 1\n", "[screen]\n# \"mouse = 'a\na = 1\nmouse = 7\n"),
    // A table more.
    ("", "[screen]\nmouse = 7\n"), ("# a", "# a\n\n[screen]\nmouse = 7\n"),
    ("[x]\na = 1", "[x]\na = 1\n\n[screen]\nmouse = 7\n"),
    ("[x]\r\na = 1\r\n", "[x]\r\na = 1\r\n\r\n[screen]\r\nmouse = 7\r\n"),
    ("[screen.a]\nb = 1\n", "[screen.a]\nb = 1\n\n[screen]\nmouse = 7\n"),
    ("[[x]]\nmouse = true\n", "[[x]]\nmouse = true\n\n[screen]\nmouse = 7\n"),
    ("[x.screen]\nmouse = true\n", "[x.screen]\nmouse = true\n\n[screen]\nmouse = 7\n"),
    // What looks like it within a text is none.
    (
      "[x]\na = \"\"\"\n[screen]\nmouse = true\n\"\"\"\n",
      "[x]\na = \"\"\"\n[screen]\nmouse = true\n\"\"\"\n\n[screen]\nmouse = 7\n"
    ),
  ])
  func `One value changes, and no other byte`(text: String, expected: String) throws {
    let changed = try edited("screen.mouse", to: "7", in: text)
    #expect(changed == expected)
    // Once more changes nothing.
    #expect(try edited("screen.mouse", to: "7", in: changed) == expected)
  }

  @Test(arguments: [
    ("[screen]\nmouse = true # a\ntheme = 1\n", "[screen]\ntheme = 1\n"),
    ("[screen]\n# a\nmouse = [\n  1, # b\n]\n\n[x]\n", "[screen]\n# a\n\n[x]\n"),
    ("[screen]\r\nmouse = true\r\nx = 1\r\n", "[screen]\r\nx = 1\r\n"),
    ("[screen]\nmouse = true", "[screen]\n"), ("screen.mouse = true\n", ""),
    ("[screen]\ntheme = 1\n", "[screen]\ntheme = 1\n"), ("", ""),
    ("[[x]]\nmouse = 1\n", "[[x]]\nmouse = 1\n"),
  ])
  func `A value is taken out with its lines`(text: String, expected: String) throws {
    #expect(try edited("screen.mouse", to: nil, in: text) == expected)
  }

  @Test(
    arguments: [
      ("[screen]\nx = 1\n[screen]\ny = 1\n", 3, nil), ("[screen]\nmouse = yes\n", 2, nil),
      ("[screen\n", 1, nil), ("mouse = 1\nmouse = 2\n", 2, nil),
      ("a = 1\nscreen = { theme = 1 }\n", 2, "[screen]"), ("\nscreen = 5\n", 2, "not changed"),
      ("[[screen]]\ntheme = 1\n", 1, "not changed"), ("[screen.mouse]\na = 1\n", 2, "not changed"),
      ("[screen.mouse]\n", 1, "not changed"),
      ("[screen]\nx = 1\nmouse.a = 1\n", 3, "not changed"),
      // The table is open to dotted keys only, of which there is none with this parent.
      ("screen.a.b = 1\n", 2, "not changed"),
    ] as [(String, Int, String?)])
  func `A file that cannot be changed safely is refused with the line`(
    text: String, line: Int, next: String?
  ) throws {
    let error = try #require(throws: SourceError.self) {
      try edited("screen.mouse", to: "7", in: text)
    }
    #expect(error.stage == .config)
    #expect(error.subject.hasPrefix("config.toml:\(line)"), "\(error.line)")
    if let next { #expect(error.next?.contains(next) == true, "\(error.line)") }
  }

  @Test(arguments: ["7\nx = 1", "7 # a\nmouse2 = 1", "[", "\"a", "{ a = 1 }\n[x]"])
  func `A value that would change others is refused`(value: String) throws {
    #expect(throws: SourceError.self) {
      try edited("screen.mouse", to: value, in: "[screen]\nmouse = 1\n")
    }
  }

  @Test(arguments: [
    "plain", "a \"b\" \\ c", "tab\there", "line\nfeed", "bell\u{7} \u{7F}", "😀 ünï", "# no comment",
  ])
  func `A text is written so that it reads as it was`(text: String) throws {
    let file = try edited("screen.theme", to: TOMLEdit.literal(text), in: "[screen]\n")
    #expect(file.split(separator: "\n").count == 2)
    let again = try edited("screen.theme", to: TOMLEdit.literal(text), in: file)
    #expect(again == file)
  }

  @Test func `Names with dots are written in quotes`() throws {
    let path = ["network", "proxies", "example.org"]
    let edit = try TOMLEdit("[network]\nlow_data = true\n", subject: "config.toml")
    let text = try edit.setting(path, to: "\"direct\"")
    #expect(text.hasSuffix("\n\n[network.proxies]\n\"example.org\" = \"direct\"\n"))
    let next = try TOMLEdit(text, subject: "config.toml")
    #expect(next.value(at: path)?.line == 5)
    #expect(try next.setting(path, to: nil).hasSuffix("[network.proxies]\n"))
  }
}
