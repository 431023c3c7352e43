import Foundation
import TestSupport
import Testing

/// The tables of `Docs/Manual.md` that list what the program has.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ManualTests {
  /// `TELEX_RECORD=1` writes the tables into the manual.
  @Test func `The manual lists each key and each command of the program`() async throws {
    let sandbox = try Sandbox()
    let path = projectFolder + "/Docs/Manual.md"
    var manual = try String(contentsOfFile: path, encoding: .utf8)
    for (name, rows) in [
      ("keys", try await keys(sandbox)), ("commands", try await commands(sandbox)),
    ] {
      let (start, end) = ("<!-- \(name) -->\n", "\n<!-- end of \(name) -->")
      let first = try #require(manual.firstRange(of: start)).upperBound
      let last = try #require(manual[first...].firstRange(of: end)).lowerBound
      let table = rows.map { "| \($0.joined(separator: " | ")) |" }.joined(separator: "\n")
      if ProcessInfo.processInfo.environment["TELEX_RECORD"] != nil {
        manual.replaceSubrange(first..<last, with: table)
        try manual.write(toFile: path, atomically: true, encoding: .utf8)
      } else {
        #expect(manual[first..<last] == table)
      }
    }
  }

  /// The keys in each set, from the lines of `telex config default`.
  private func keys(_ sandbox: Sandbox) async throws -> [[String]] {
    var names: [String] = []
    var helps: [String: String] = [:]
    var cells: [String: [String]] = [:]
    for set in ["vi", "emacs", "newsboat"] {
      for line in try await sandbox.telex("config", "default", "--set", set).lines {
        guard let found = line.wholeMatch(of: /# (\S+) = \[(.*)\]  # (.*)/) else { continue }
        let name = String(found.1)
        if set == "vi" {
          names.append(name)
          helps[name] = String(found.3)
        }
        cells[name, default: []].append(
          found.2.matches(of: /"((?:[^"\\]|\\.)+)"/).map { cell(of: $0.1) }.joined(separator: " "))
      }
    }
    try #require(names.count > 80)
    return [
      ["vi", "What it does", "Name", "emacs", "newsboat"], Array(repeating: "---", count: 5),
    ]
      + names.map { name in
        let keys = cells[name] ?? []
        let vi = keys[0].isEmpty ? "`:\(name)`" : keys[0]
        return [vi, helps[name] ?? "", "`\(name)`"] + keys.dropFirst()
      }
  }

  /// A key of TOML as code in a table.
  private func cell(of key: Substring) -> String {
    let key = key.replacing(/\\(.)/) { $0.1 }.replacing("|", with: "\\|")
    return key == "`" ? "`` ` ``" : "`\(key)`"
  }

  private func commands(_ sandbox: Sandbox) async throws -> [[String]] {
    let help = try await sandbox.telex("--experimental-dump-help").output
    let dump = try #require(
      JSONSerialization.jsonObject(with: Data(help.utf8)) as? [String: Any])
    let root = try #require(dump["command"] as? [String: Any])
    let commands = try #require(root["subcommands"] as? [[String: Any]])
    return [["Command", "What it does"], ["---", "---"]]
      + commands.filter {
        $0["shouldDisplay"] as? Bool != false && $0["commandName"] as? String != "help"
      }.map { ["`\($0["commandName"] as? String ?? "")`", $0["abstract"] as? String ?? ""] }
  }
}
