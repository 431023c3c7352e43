import ChildProcess
import FeedServer
import Foundation
import PseudoTerminal
import TestSupport
import Testing

/// Downloads in the reader, on a terminal, with the process that goes on when the reader is closed.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ReaderTransferTests {
  @Test func `A download goes on when the reader is closed, and its end is told once`()
    async throws
  {
    let shelf = try FileShelf([FileShelf.item(1, files: "$/a.mp3")])
    shelf.set("/a.mp3") { $0.hangAfter = 1_000_000 }
    let sandbox = try Sandbox()
    defer { sandbox.killHelper() }
    try await sandbox.add(shelf.feed)
    var reader = try sandbox.reader()
    try await reader.wait(for: "Episode 1")
    try reader.send("D")
    try await reader.wait(for: "Downloading")
    try await reader.wait(for: "↓50%")
    try reader.send("T")
    try await reader.wait(for: "Downloads · 1 running")
    try await reader.wait(for: "1.0 MB of 2.0 MB")
    try reader.send("q")
    #expect(try await reader.quit() == .exited(0))
    let helper = try #require(sandbox.helper)
    // In a session of its own: the end of the terminal does not reach it.
    #expect(getsid(helper) == helper)
    shelf.set("/a.mp3") { $0.hangAfter = nil }
    sandbox.killHelper()
    // The next start takes it up.
    reader = try sandbox.reader()
    try await reader.wait(for: "1 download finished")
    try await reader.wait(for: "✓")
    #expect(sandbox.download("a.mp3") == FileShelf.contents())
    #expect(shelf.offsets == [nil, 1_000_000])
    #expect(try await reader.quit() == .exited(0))
    reader = try sandbox.reader()
    try await reader.wait(for: "✓")
    #expect(!reader.screen.text.contains("finished"))
    #expect(try await reader.quit() == .exited(0))
  }

  @Test func `Of several files one is chosen, and a download is paused and dropped by keys`()
    async throws
  {
    let shelf = try FileShelf([FileShelf.item(1, files: "$/a.mp3", "$/b.mp3")])
    shelf.set("/b.mp3") { $0.hangAfter = 500_000 }
    let sandbox = try Sandbox()
    defer { sandbox.killHelper() }
    try await sandbox.add(shelf.feed)
    let reader = try sandbox.reader()
    try await reader.wait(for: "Episode 1")
    try reader.send("D")
    try await reader.wait(for: "Files of Episode 1")
    try reader.send("j\r")
    try await reader.wait(for: "↓25%")
    try reader.send("Tp")
    try await reader.wait(for: "1 paused")
    shelf.set("/b.mp3") { $0.hangAfter = 1_000_000 }
    try reader.send("p")
    try await reader.wait(for: "75 %")
    try reader.send("dy")
    try await reader.wait(for: "No downloads.")
    #expect(await eventually { sandbox.downloads.isEmpty })
    #expect(shelf.offsets == [nil, 500_000])
    try reader.send("q")
    #expect(try await reader.quit() == .exited(0))
    #expect(await eventually { sandbox.helper == nil })
  }

  @Test func `Downloads are followed again once their list can be read`() async throws {
    let shelf = try FileShelf([FileShelf.item(1, files: "$/a.mp3")])
    shelf.set("/a.mp3") { $0.hangAfter = 1_000_000 }
    let sandbox = try Sandbox()
    defer { sandbox.killHelper() }
    try await sandbox.add(shelf.feed)
    let list = sandbox.folder + "/.local/share/telex/transfers/jobs.json"
    try FileManager.default.createDirectory(atPath: list, withIntermediateDirectories: true)
    let reader = try sandbox.reader()
    try await reader.wait(for: "cannot be read")
    try FileManager.default.removeItem(atPath: list)
    try reader.send("D")
    try await reader.wait(for: "↓50%")
    #expect(try await reader.quit() == .exited(0))
  }
}
