import Foundation
import Testing

/// Keeps the texts that a user sees in few files, where they can be read one after the other: those named for a folder of
/// the reader, the declarations of commands, and files that do nothing but choose a text.
@Suite struct ScreenTextTests {
  private static let declarations: Set<String> = [
    "CommandTable.swift", "EmptyList.swift", "HelpNotes.swift", "ListTrouble.swift",
  ]

  /// Files with other texts of several words.
  private static let exceptions = [
    "Article/CodeColors.swift": "the words of programming languages",
    "Commands/CommandDrafts.swift": "lines of the command line",
    "Deck/DeckState.swift": "a rule, as the command line takes it",
    "List/ListHabits.swift": "lines of a file",
    "Statistics/FeedSuggestion.swift": "commands of telex",
  ]

  /// The literals with two words, outside of the help of a screen's commands.
  private static func texts(in source: String) -> [SwiftLiterals.Literal] {
    let code = source.replacing(#/help: \[Command: String\] = \[(?:[^\]"]|"[^"\n]*")*\]/#) {
      String(repeating: "\n", count: $0.output.count { $0 == "\n" })
    }
    return SwiftLiterals.literals(in: code).filter { $0.text.contains(#/\p{L} \p{L}/#) }
  }

  @Test func `Texts of the reader are in the files for them`() throws {
    let reader = TargetGraphTests.root.appending(path: "Sources/Reader")
    let files = try FileManager.default.subpathsOfDirectory(atPath: reader.path)
      .filter { $0.hasSuffix(".swift") }
    #expect(files.contains { $0.hasSuffix("Strings.swift") })
    var excepted: Set<String> = []
    for path in files.sorted() {
      let parts = path.split(separator: "/").map(String.init)
      guard let folder = parts.first, let name = parts.last, !name.hasSuffix("Strings.swift"),
        !Self.declarations.contains(name)
      else { continue }
      let source = try String(contentsOf: reader.appending(path: path), encoding: .utf8)
      for text in Self.texts(in: source) {
        if Self.exceptions[path] != nil {
          excepted.insert(path)
        } else {
          Issue.record(
            "Sources/Reader/\(path):\(text.line): “\(text.text)” belongs in \(folder)Strings.swift")
        }
      }
    }
    #expect(excepted == Set(Self.exceptions.keys))
  }

  @Test(
    arguments: [
      (#"let a = "one two""#, [1]), ("// \"one two\"\n/* \"one two\" */", []),
      (#"let a = "one-two" + "three""#, []), (#"let a = "one\ntwo" + "3 four""#, []),
      ("let a =\n  \"\\(b ? \"no\" : \"one two\") …\"", [2]), ("f(\n  #\"a\"b c\"#)", [2]),
      ("let a = \"\"\"\n  one\n  two three\n  \"\"\"\nf(\"four five\")", [1, 5]),
      (
        "static let help: [Command: String] = [\n  .open: \"Open a feed\",\n]\nlet a = \"one two\"",
        [4]
      ),
    ] as [(String, [Int])])
  func `A literal with two words is found with its line`(_ source: String, _ lines: [Int]) {
    #expect(Self.texts(in: source).map(\.line) == lines)
  }
}
