import ChildProcess
import FeedServer
import Foundation
import PseudoTerminal
import TestSupport
import Testing

/// What is set for a feed on its screen, and folders in the sidebar, in the built program.
@Suite(.serialized, .timeLimit(.minutes(10)))
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
      try await reader.wait(until: "the value in force shows") {
        $0.shows("default: no", as: "paused")
      }
      try reader.send("\r")
      try await reader.wait(for: "Title:")
      try reader.send("Mine\r")
      try await reader.wait(for: "Renamed the feed to Mine.")
      try reader.send("\t\t\rsoon\r")
      try await reader.wait(for: "takes a time such as")
      try reader.send("\u{15}2h\r")
      try await reader.wait(until: "the interval shows") { $0.shows("2h", as: "interval") }
      try reader.send("j\r")
      try await reader.wait(until: "it is paused") { $0.shows("yes", as: "paused") }
      let set = try await settings(sandbox)
      #expect(set["interval"] as? String == "2h" && set["paused"] as? String == "yes", "\(set)")
      #expect(try await feed(sandbox)["title"] as? String == "Mine")
      try reader.send("uu")
      try await reader.wait(until: "both are taken back") {
        $0.shows("default: no", as: "paused") && !$0.shows("2h", as: "interval")
      }
      #expect(try await settings(sandbox)["interval"] as? String == nil)
      try reader.send("q")
      try await reader.wait(for: "Starred")
      #expect(try await reader.quit() == .exited(0))
    }
  }

  @Test(arguments: [(80, 24), (40, 10)])
  func `Feeds that are picked are moved, set and removed at once, and one key takes each back`(
    _ width: Int, _ height: Int
  ) async throws {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      for path in ["/rss.xml", "/atom.xml", "/feed.json"] {
        try await sandbox.add(server.baseURL + path)
      }
      func feeds() async throws -> [[String: Any]] {
        try await sandbox.telex("list", "--json").jsonLines().sorted {
          ($0["id"] as? Int ?? 0) < ($1["id"] as? Int ?? 0)
        }
      }
      func folders() async throws -> [[String]] {
        try await feeds().map { $0["folders"] as? [String] ?? [] }
      }
      func paused() async throws -> [String?] {
        try await feeds().map { ($0["settings"] as? [String: Any])?["paused"] as? String }
      }
      let reader = try sandbox.reader(size: (width, height))
      try await reader.wait(for: "Story 001")
      try reader.send("h")
      try await reader.wait(for: "Starred")
      try reader.send("jjjvv")
      try await reader.wait(for: "2 selected")
      try reader.send("MNews\r")
      try await reader.wait(for: "Moved 2 feeds")
      #expect(try await folders() == [["News"], ["News"], []])
      try reader.send("u")
      try await reader.wait(until: "the folder is gone") { screen in
        screen.contains("moved 2 feeds to News")
          && !screen.lines.contains { $0.contains("▾ News") }
      }
      #expect(try await folders() == [[], [], []])
      // All three, one after the other in any order.
      try reader.send("gjjjvjV")
      try await reader.wait(for: "3 selected")
      try reader.send("cjj\r")
      try await reader.wait(until: "all are paused") { $0.shows("yes", as: "paused") }
      #expect(try await paused() == ["yes", "yes", "yes"])
      try reader.send("u")
      try await reader.wait(until: "none is paused") { $0.shows("default: no", as: "paused") }
      #expect(try await paused() == [nil, nil, nil])
      try reader.send("q")
      try await reader.wait(for: "Starred")
      try reader.send("gjjjvv")
      try await reader.wait(for: "2 selected")
      try reader.send("d")
      try await reader.wait(for: "Unsubscribe from 2 feeds and")
      try reader.send("y")
      try await reader.wait(for: "Unsubscribed from 2 feeds")
      #expect(try await feeds().count == 1)
      #expect(try await reader.quit() == .exited(0))
      // In another process, by one step.
      let undone = try await sandbox.telex("undo", "--json").json()["done"] as? [String: Any]
      #expect(undone?["count"] as? Int == 2 && (undone?["feedIDs"] as? [Int])?.count == 2)
      #expect(try await feeds().count == 3)
    }
  }

  @Test(arguments: [(80, 24), (40, 10)])
  func `A folder is made by a command, keeps its row without feeds, and is removed and taken back`(
    _ width: Int, _ height: Int
  ) async throws {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      try await sandbox.add(server.baseURL + "/rss.xml")
      let reader = try sandbox.reader(size: (width, height))
      try await reader.wait(for: "Story 001")
      try reader.send("h")
      try await reader.wait(for: "Starred")
      try reader.send(":add-folder\r")
      try await reader.wait(for: "New folder:")
      try reader.send("Later\r")
      try await reader.wait(until: "it is there") { $0.hasFolder("Later", count: "0") }
      // The feed goes in and out, the folder stays.
      try reader.send("GMLater\r")
      try await reader.wait(until: "it has a feed") { $0.hasFolder("Later", count: "3") }
      try reader.send("M\u{15}\r")
      try await reader.wait(until: "it has none") { $0.hasFolder("Later", count: "0") }
      #expect(try await reader.quit() == .exited(0))

      let next = try sandbox.reader(size: (width, height))
      try await next.wait(until: "it is there still") { $0.hasFolder("Later", count: "0") }
      try next.send("gjjjd")
      try await next.wait(for: "Remove the folder Later? y/n")
      try next.send("y")
      try await next.wait(until: "it is gone") { !$0.contains("▾ Later") }
      try next.send("u")
      try await next.wait(until: "it is back") { $0.hasFolder("Later", count: "0") }
      #expect(try await next.quit() == .exited(0))
    }
  }

  @Test(arguments: ["folds", "commands"])
  func `A small file that is there and cannot be read is left as it is`(name: String) async throws {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      try await sandbox.add(server.baseURL + "/rss.xml")
      try await sandbox.succeed("set", "1", "--folder", "News")
      // A link to itself, which could be replaced.
      let path = sandbox.folder + "/.local/share/telex/" + name
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: name)
      let reader = try sandbox.reader()
      try await reader.wait(for: "▾ News")
      try reader.send("hjjjz")
      try await reader.wait(for: "▸ News")
      try reader.send(":list\r")
      try await reader.wait(for: "1  3/3")
      #expect(try await reader.quit() == .exited(0))
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == name)
    }
  }

  @Test func `A folder gets another path, and stays closed in the next reader`() async throws {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      try await sandbox.add(server.baseURL + "/rss.xml")
      try await sandbox.succeed("set", "1", "--folder", "News")
      let reader = try sandbox.reader()
      try await reader.wait(for: "▾ News")
      try reader.send("hjjj")
      try reader.send("c")
      try await reader.wait(for: "Move the folder to: News")
      try reader.send("/Daily\r")
      try await reader.wait(for: "Moved the folder with 1 feed")
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
      try next.send("gjjjjd")
      try await next.wait(for: "Remove the folder News/Daily, not its feeds")
      try next.send("y")
      try await next.wait(for: "Removed the folder, not its 1 feed.")
      #expect(try await feed(sandbox)["folders"] as? [String] == ["News"])
      #expect(try await next.quit() == .exited(0))
    }
  }
}

extension ScreenText {
  fileprivate func hasFolder(_ name: String, count: String) -> Bool {
    lines.contains { line in
      let words = (line.split(separator: "│").first ?? "").split(separator: " ").map(String.init)
      return words == ["▾", name, count]
    }
  }

  /// Whether the line of a setting has this value.
  fileprivate func shows(_ value: String, as setting: String) -> Bool {
    lines.contains { $0.split(separator: " ").joined(separator: " ") == "\(setting) \(value)" }
  }
}
