import ChildProcess
import FeedServer
import Foundation
import PseudoTerminal
import TestSupport
import Testing

/// What is set for a feed on its screen, and folders in the sidebar, in the built program.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ReaderFeedFormTests {
  private func feed(_ sandbox: Sandbox) async throws -> [String: Any] {
    try await sandbox.telex("list", "--json").json()
  }

  private func settings(_ sandbox: Sandbox) async throws -> [String: Any] {
    try await feed(sandbox)["settings"] as? [String: Any] ?? [:]
  }

  @Test(arguments: [(80, 24), (40, 10)])
  func `A feed is renamed, filed and set on its screen, and undo takes it back`(
    _ width: Int, _ height: Int
  ) async throws {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      try await sandbox.add(server.baseURL + "/rss.xml")
      let reader = try sandbox.reader(size: (width, height))
      try await reader.wait(for: "Story 001")
      try reader.send("h")
      try await reader.wait(for: "Starred")
      try reader.send("jjjc")
      try await reader.wait(for: "interval")
      try reader.send("\r")
      try await reader.wait(for: "Name:")
      try reader.send("Mine\r")
      try await reader.wait(for: "called Mine")
      try reader.send("\t\t\rsoon\r")
      try await reader.wait(for: "takes a time such as")
      try reader.send("\u{15}2h\r")
      try await reader.wait(until: "the interval shows") { $0.shows("2h", as: "interval") }
      try reader.send("j ")
      try await reader.wait(until: "it is paused") { $0.shows("yes", as: "paused") }
      let set = try await settings(sandbox)
      #expect(set["interval"] as? String == "2h" && set["paused"] as? String == "yes", "\(set)")
      #expect(try await feed(sandbox)["title"] as? String == "Mine")
      try reader.send("uu")
      try await reader.wait(until: "both are taken back") {
        $0.shows("no", as: "paused") && !$0.shows("2h", as: "interval")
      }
      #expect(try await settings(sandbox)["interval"] as? String == nil)
      try reader.send("q")
      try await reader.wait(for: "Starred")
      #expect(try await reader.quit() == .exited(0))
    }
  }

  @Test func `A folder gets another path, and stays closed in the next reader`() async throws {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      try await sandbox.add(server.baseURL + "/rss.xml")
      try await sandbox.succeed("set", "1", "--folder", "News")
      let reader = try sandbox.reader()
      try await reader.wait(for: "▾ News")
      try reader.send("hjjj")
      try reader.send("e")
      try await reader.wait(for: "Move the folder to: News")
      try reader.send("/Daily\r")
      try await reader.wait(for: "1 feed in News/Daily now")
      #expect(try await feed(sandbox)["folders"] as? [String] == ["News/Daily"])
      try reader.send("z")
      try await reader.wait(for: "▸ Daily")
      #expect(
        await eventually {
          sandbox.contents(of: ".local/share/telex/folds") == "folder 1 News/Daily\n"
        })
      #expect(try await reader.quit() == .exited(0))
      let next = try sandbox.reader()
      try await next.wait(for: "▸ Daily")
      try next.send("hjjjjd")
      try await next.wait(for: "Remove the folder News/Daily, not its feeds")
      try next.send("y")
      try await next.wait(for: "the folder is gone, its 1 feed stays")
      #expect(try await feed(sandbox)["folders"] as? [String] == ["News"])
      #expect(try await next.quit() == .exited(0))
    }
  }
}

extension ScreenText {
  /// Whether the line of a setting has this value.
  fileprivate func shows(_ value: String, as setting: String) -> Bool {
    lines.contains { $0.split(separator: " ").map(String.init) == [setting, value] }
  }
}
