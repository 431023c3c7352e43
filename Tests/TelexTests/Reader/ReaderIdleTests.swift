#if os(Linux)
  internal import ChildProcess
  internal import Foundation
  internal import PseudoTerminal
  internal import TestSupport
  internal import Testing

  /// A reader that nobody touches, counted by what the kernel counts of its threads.
  @Suite(.serialized, .timeLimit(.minutes(5)))
  struct ReaderIdleTests {
    /// How often the threads of a process have waited for something, and how long they ran, in
    /// hundredths of a second.
    private static func work(of process: Int32) -> (waits: Int, ticks: Int) {
      let folder = "/proc/\(process)/task"
      var (waits, ticks) = (0, 0)
      for thread in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
        func read(_ name: String) -> String {
          (try? String(contentsOfFile: "\(folder)/\(thread)/\(name)", encoding: .utf8)) ?? ""
        }
        let line = read("status").split(separator: "\n")
          .first { $0.hasPrefix("voluntary_ctxt_switches:") }
        waits += line.flatMap { Int($0.split(separator: "\t").last ?? "") } ?? 0
        // The name of a thread may hold spaces; what is meant follows it.
        let fields = read("stat").drop { $0 != ")" }.split(separator: " ")
        if fields.count > 12 { ticks += (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0) }
      }
      return (waits, ticks)
    }

    @Test func `It wakes for nothing, and shows what another process does`() async throws {
      let shelf = try FileShelf((1...3).reversed().map { FileShelf.item($0) })
      let sandbox = try Sandbox()
      try await sandbox.add(shelf.feed)
      let config = try sandbox.file("config.toml", "[refresh]\ninterval_minutes = 0\n")
      let reader = try sandbox.reader("--config", config, size: (100, 30))
      try await reader.wait(for: "Episode 1")
      // What a start brings with it is over when nothing has been done for two seconds.
      var before = Self.work(of: reader.processID)
      let isQuiet = await eventually {
        try? await Task.sleep(for: .seconds(2))
        let now = Self.work(of: reader.processID)
        defer { before = now }
        return now.waits - before.waits <= 4
      }
      #expect(isQuiet)
      try await Task.sleep(for: .seconds(10))
      let after = Self.work(of: reader.processID)
      #expect(after.waits - before.waits <= 20)
      #expect(after.ticks - before.ticks <= 1)

      try await sandbox.succeed("read", "1")
      try await reader.wait(until: "it is read") { $0.isRead("Episode 1") }
      #expect(try await reader.quit() == .exited(0))
      await shelf.stop()
    }
  }
#endif
