import ChildProcess
import Foundation
import Requirements
import Testing

/// The manual pages that `Tools/make-manual-pages` makes of the program and its documents.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ManualPageTests {
  @Test func `Every verb has a page, with each of its options and arguments`() async throws {
    let pages = try await ManualPages()
    let root = try #require(pages.help["command"] as? [String: Any])
    let verbs = ManualPages.shown(root["subcommands"])
      .filter { $0["commandName"] as? String != "help" }
    #expect(verbs.count > 40)
    let telex = try pages.text("telex.1")
    for option in ManualPages.options(of: root) { #expect(telex.contains("Fl Fl \(option)")) }
    for verb in verbs {
      let name = try #require(verb["commandName"] as? String)
      #expect(telex.contains(".It Xr telex-\(name) 1\n"), "\(name) in telex(1)")
      let page = try pages.text("telex-\(name).1")
      let commands = [verb] + ManualPages.shown(verb["subcommands"])
      for command in commands.dropFirst() {
        let word = try #require(command["commandName"] as? String)
        #expect(page.contains(".Ss telex \(name) \(word)\n"))
      }
      for command in commands.count == 1 ? commands[...] : commands.dropFirst() {
        for option in ManualPages.options(of: command) {
          let escaped = option.replacing("-", with: "\\-")
          let line = try Regex(
            "\\n\\.It .*Fl Fl \(NSRegularExpression.escapedPattern(for: escaped))[ \\n]")
          #expect(page.contains(line), "--\(option) in telex-\(name)(1)")
        }
        for argument in ManualPages.arguments(of: command)
        where argument["kind"] as? String == "positional" {
          let value = try #require(argument["valueName"] as? String)
          #expect(page.contains(".It Ar \(value)\n"), "\(value) in telex-\(name)(1)")
        }
      }
      for alias in verb["aliases"] as? [String] ?? [] {
        #expect(try pages.text("telex-\(alias).1") == page)
      }
    }
    // None that there is no verb for.
    let aliases = verbs.compactMap { $0["aliases"] as? [String] }.joined().count
    #expect(pages.paths.count == verbs.count + aliases + 3)
  }

  @Test func `Every setting has a place in telex-config(5)`() async throws {
    let pages = try await ManualPages()
    let settings = try await pages.sandbox.telex("config", "settings", "--json").jsonLines()
    #expect(settings.count > 50)
    let page = try pages.text("telex-config.5")
    for setting in settings {
      let name = try #require(setting["name"] as? String)
      #expect(page.contains(".It \"\\fB\(name)\\fP\"\n"), "\(name)")
      // And the text says what it is for.
      let word = name.split(separator: ".").last.map(String.init) ?? name
      let table = name.split(separator: ".").first.map(String.init) ?? name
      let described = page.components(separatedBy: ".Sh ALL SETTINGS").first ?? ""
      #expect(
        described.contains(word == "NAME" ? table : word) || page.contains("[\(table)")
          || page.contains("[[\(table)]]"), "\(name) is told of")
    }
    #expect(page.contains("A whole number from 1 to 256."))
  }

  @Test(.needs(.groff)) func `groff has nothing to say against them`() async throws {
    let pages = try await ManualPages()
    for path in pages.paths {
      let read = try await pages.run("groff", ["-ww", "-mandoc", "-Tutf8", path])
      #expect(read.status == 0 && read.errors == "", "\(path)")
      #expect(read.output.count > 500)
    }
  }

  @Test(.needs(.mandoc)) func `mandoc has nothing to say against them`() async throws {
    let pages = try await ManualPages()
    for path in pages.paths {
      // The pages that they refer to are not installed yet.
      let read = try await pages.run("mandoc", ["-T", "lint", "-W", "style", path])
      let words = read.lines.filter { !$0.contains("referenced manual not found") }
      #expect(words == [], "\(path)")
    }
  }

  @Test(.needs(.mandoc)) func `The words of the manual stand in them as they are`() async throws {
    let pages = try await ManualPages()
    let path = try #require(pages.paths.first { $0.hasSuffix("telex-query.7") })
    let query = try await pages.run("mandoc", ["-T", "utf8", "-O", "width=200", path]).output
      .replacing(/.\u{8}/, with: "")
    #expect(query.contains("TELEX-QUERY(7)"))
    #expect(query.contains("/c(at|ow)s?/, title:/…/"))
    #expect(query.contains(#"unread tag:swift after:1w title:"actor model" -feed:HN"#))
    #expect(query.contains("日本, 語"))
    #expect(!query.contains("```") && !query.contains("](") && !query.contains("**"))
    let file = try pages.text("telex.1")
    #expect(file.contains(".Sh FILES\n") && file.contains(".Sh EXIT STATUS\n"))
  }
}

/// The pages, made in a folder of their own.
private struct ManualPages {
  let sandbox: Sandbox
  /// What `--experimental-dump-help` prints.
  let help: [String: Any]
  let paths: [String]

  init() async throws {
    sandbox = try Sandbox()
    let dump = try await sandbox.telex("--experimental-dump-help").output
    help = try #require(
      JSONSerialization.jsonObject(with: Data(dump.utf8)) as? [String: Any])
    let folder = sandbox.folder + "/man"
    let made = try await TelexCommand.run(
      [projectFolder + "/Tools/make-manual-pages", BuiltProduct.path(of: "telex"), folder],
      executable: try #require(BookReader.python), environment: sandbox.home, in: sandbox.folder)
    try #require(made.status == 0, "\(made.testDescription)")
    paths = try ["man1", "man5", "man7"].flatMap { section in
      try FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(section)").sorted()
        .map { "\(folder)/\(section)/\($0)" }
    }
  }

  func text(_ name: String) throws -> String {
    let path = try #require(paths.first { $0.hasSuffix("/" + name) }, "there is a page \(name)")
    return try String(contentsOfFile: path, encoding: .utf8)
  }

  func run(_ program: String, _ arguments: [String]) async throws -> TelexCommand.Outcome {
    try await TelexCommand.run(
      arguments, executable: try #require(Program.path(of: program)), environment: sandbox.home,
      in: sandbox.folder)
  }

  static func shown(_ entries: Any?) -> [[String: Any]] {
    (entries as? [[String: Any]] ?? []).filter { $0["shouldDisplay"] as? Bool != false }
  }

  static func arguments(of command: [String: Any]) -> [[String: Any]] {
    shown(command["arguments"])
  }

  /// The long names of its options.
  static func options(of command: [String: Any]) -> [String] {
    arguments(of: command).flatMap { option in
      (option["names"] as? [[String: Any]] ?? []).filter { $0["kind"] as? String == "long" }
        .compactMap { $0["name"] as? String }
    }
  }
}
