import ChildProcess
import Foundation
import PseudoTerminal
import TestSupport
import Testing

/// Verbs that are run in the reader, after `:`.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ReaderCommandTests {
  @Test func `A verb works on the store and the settings of the reader, and shows what it prints`()
    async throws
  {
    let sandbox = try Sandbox()
    try await sandbox.add(try sandbox.file("one.xml", rss("Daily", "First")))
    let reader = try sandbox.reader()
    try await reader.wait(for: "First")
    try reader.send(":")
    try await reader.wait(for: "page-down")
    try reader.send("list\r")
    // A single line, at the bottom.
    try await reader.wait(until: "the feed is told at the bottom") {
      $0.contains("1  1/1  Daily")
    }
    let other = try sandbox.file("two.xml", rss("Weekly", "Second"))
    try reader.send(":add '\(other)'\r")
    try await reader.wait(for: "Weekly")
    try reader.send(":list\r")
    try await reader.wait(until: "both feeds are listed") {
      $0.contains(" lines") && $0.contains("Daily") && $0.contains("Weekly")
    }
    try reader.send("q")
    try await reader.wait(for: "the end")
    #expect(try await reader.quit() == .exited(0))
    // The next reader knows what was typed.
    let next = try sandbox.reader()
    try await next.wait(for: "Second")
    try next.send(":")
    // It comes a moment after the first screen.
    let isBack = try await eventually {
      try next.send(.up)
      return next.screen.contains("two.xml'")
    }
    #expect(isBack, "\(next.screen.drawing)")
    try next.send("\u{3}")
    #expect(try await next.quit() == .exited(0))
  }

  #if os(Linux)
    /// The open files of a process by their numbers.
    private func files(of process: Int32) throws -> Set<Int> {
      let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd")
      return Set(names.compactMap { Int($0) })
    }

    /// The pipes among them. The store opens files of its own meanwhile.
    private func pipes(of process: Int32) throws -> Set<Int> {
      try files(of: process).filter {
        let link = "/proc/\(process)/fd/\($0)"
        return (try? FileManager.default.destinationOfSymbolicLink(atPath: link))?
          .hasPrefix("pipe:") == true
      }
    }

    /// Bounds the open files of a process so that it can open so many more; nil for the usual bound.
    private func leave(_ count: Int?, to process: Int32, in sandbox: Sandbox) async throws {
      let open = try files(of: process)
      let bound = count.map { count in
        Array((0...4_096).lazy.filter { !open.contains($0) }.prefix(count + 1))[count]
      }
      let outcome = try await TelexCommand.run(
        ["--pid", "\(process)", "--nofile=\(bound ?? 1_024):"], executable: "/usr/bin/prlimit",
        environment: sandbox.home, in: sandbox.folder)
      try #require(outcome.status == 0, "\(outcome.testDescription)")
    }

    @Test(arguments: [3, 1])
    func `A program for which there are not enough pipes is told, and none is left open`(
      _ room: Int
    ) async throws {
      let sandbox = try Sandbox()
      try await sandbox.add(try sandbox.file("one.xml", rss("Daily", "First")))
      let reader = try sandbox.reader()
      try await reader.wait(for: "First")
      try reader.send("|")
      try await reader.wait(for: "Pipe into:")
      try reader.send("echo counted\r")
      try await reader.wait(until: "it is told") {
        $0.contains("counted") && !$0.contains("Pipe into")
      }
      let before = try pipes(of: reader.processID)
      try await leave(room, to: reader.processID, in: sandbox)
      try reader.send("|")
      try await reader.wait(for: "Pipe into:")
      try reader.send("wc -l\r")
      try await reader.wait(for: "Too many open files")
      let isClosed = try await eventually { try pipes(of: reader.processID).count <= before.count }
      let left = try pipes(of: reader.processID)
      #expect(isClosed, "\(before.sorted()) \(left.sorted())")
      try await leave(nil, to: reader.processID, in: sandbox)
      #expect(try await reader.quit() == .exited(0))
    }
  #endif

  @Test func `A verb that asks for a password cannot take the terminal`() async throws {
    let sandbox = try Sandbox()
    let reader = try sandbox.reader()
    try await reader.wait(for: "? keys")
    try reader.send(":login https://news.example\r")
    try await reader.wait(for: "There is no terminal to ask at")
    try reader.send("q")
    #expect(try await reader.quit() == .exited(0))
  }

  private func rss(_ title: String, _ story: String) -> String {
    """
    <rss version="2.0"><channel><title>\(title)</title>
    <item><title>\(story)</title><link>https://news.example/\(story)</link></item></channel></rss>
    """
  }
}
