import ChildProcess
import FeedServer
import Foundation
import PseudoTerminal
import TestSupport
import Testing

/// The network that the user has turned off, and commands that wait for one.
@Suite(.timeLimit(.minutes(10)))
struct OfflineVerbTests {
  @Test func `Offline by choice nothing is asked, and what is cached is printed`() async throws {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      try await sandbox.add(server.apiURL)
      let count = server.requests.count
      try sandbox.file("config.toml", "[network]\noffline = true\n")
      let url = server.baseURL + "/rss.xml"
      for choice in [["--offline"], ["--config", "config.toml"]] {
        for command in [["refresh"], ["fetch", url], ["doctor", url]] {
          let outcome = try await sandbox.telex(command + choice)
          #expect(outcome.status == 1, "\(outcome.testDescription)")
          let text = outcome.output + outcome.errors
          #expect(text.contains("Telex is offline by choice"), "\(outcome.testDescription)")
        }
        let cached = try await sandbox.telex(["articles", "--json"] + choice)
        #expect(try cached.jsonLines().count == 3)
      }
      #expect(server.requests.count == count)
      // No feed has failed.
      let feed = try #require(try await sandbox.telex("list", "--json").jsonLines().first)
      #expect(feed["error"] is NSNull)
      #expect(try await sandbox.telex("refresh").status == 0)
    }
  }

  @Test(arguments: [
    ["--offline", "--wait"], ["--wait=5"], ["--wait=soon"], ["--wait", "1"], ["--wait=0s"],
  ])
  func `A wait has a unit, and is no choice to be offline`(options: [String]) async throws {
    let outcome = try await Sandbox().telex(["refresh"] + options)
    #expect(outcome.status == 2, "\(outcome.testDescription)")
  }

  @Test func `The reader says whose choice it is, and passes the choice on`() async throws {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      try await sandbox.add(server.apiURL)
      let count = server.requests.count
      let reader = try sandbox.reader("--offline")
      try await reader.wait(for: "Story 001")
      try await reader.wait(for: "offline (by choice)")
      try reader.send(":fetch \(server.baseURL)/rss.xml\r")
      try await reader.wait(for: "run without --offline")
      #expect(server.requests.count == count)
    }
  }
}
