import ChildProcess
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import FileWatch

/// What is told of files in a folder of the test's own. Another process changes them.
@Suite final class FileWatchTests {
  private let folder: String
  /// Longer than a change is told again after it.
  private static let quiet: Duration = .milliseconds(1_500)

  init() throws { folder = try temporaryFolder() }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private final class Count: Sendable {
    private let count = Mutex(0)
    func add() { count.withLock { $0 += 1 } }
    func take() -> Int {
      count.withLock { count in
        defer { count = 0 }
        return count
      }
    }
  }

  private func watch(
    _ files: [String], asksKernel: Bool = true
  ) -> (watch: FileWatch, told: Count) {
    let told = Count()
    let files = files.map { "\(folder)/\($0)" }
    return (FileWatch(files: files, asksKernel: asksKernel) { told.add() }, told)
  }

  private func shell(_ line: String) async throws {
    let child = try ChildProcess("/bin/sh", ["-c", line], in: folder)
    #expect(await child.end() == .exited(0), "\(line)")
  }

  /// Waits for a change, and until no more is said of it.
  private func expectChange(_ told: Count, _ what: Comment) async throws {
    #expect(await eventually { told.take() > 0 }, what)
    try await Task.sleep(for: Self.quiet)
    _ = told.take()
  }

  @Test(arguments: [true, false])
  func `What another process does to a file is told`(asksKernel: Bool) async throws {
    try await shell("echo one > file")
    let (watch, told) = watch(["file"], asksKernel: asksKernel)
    defer { watch.cancel() }
    for line in [
      "echo two >> file", "echo 3 > new && mv new file", "rm file", "echo four > file",
      "mv file away",
    ] {
      try await shell(line)
      try await expectChange(told, "\(line)")
    }
  }

  @Test(arguments: [true, false])
  func `A file whose folder comes later is waited for`(asksKernel: Bool) async throws {
    let (watch, told) = watch(["folder/file"], asksKernel: asksKernel)
    defer { watch.cancel() }
    try await shell("mkdir folder && echo one > folder/file")
    try await expectChange(told, "it has come")
    try await shell("echo two >> folder/file")
    try await expectChange(told, "it was written to")
    try await shell("rm -r folder")
    try await expectChange(told, "it has gone")
    try await shell("mkdir folder && echo three > folder/file")
    try await expectChange(told, "it has come again")
    try await shell("echo four >> folder/file")
    try await expectChange(told, "it was written to again")
  }

  @Test func `A folder that was moved away is looked at by its path`() async throws {
    try await shell("mkdir -p above/folder && echo one > above/folder/file")
    let (watch, told) = watch(["above/folder/file"])
    defer { watch.cancel() }
    try await shell("mv above/folder away")
    try await expectChange(told, "it has gone")
    try await shell("mkdir above/folder && echo two > above/folder/file")
    try await expectChange(told, "another has its name")
  }

  @Test func `Of a whole folder each file is told, of one file no other`() async throws {
    let (one, toldOfOne) = watch(["file"])
    let (all, toldOfAll) = watch(["/"])
    defer {
      one.cancel()
      all.cancel()
    }
    try await shell("echo one > other")
    try await expectChange(toldOfAll, "the folder")
    #expect(toldOfOne.take() == 0)
  }

  @Test func `A thousand writes are told a few times, and the last one is`() async throws {
    let (watch, told) = watch(["file"])
    defer { watch.cancel() }
    let path = "\(folder)/file"
    let last = Mutex(0)
    let other = FileWatch(files: [path]) {
      let now = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
      last.withLock { $0 = now ?? 0 }
    }
    defer { other.cancel() }
    try await shell("for i in $(seq 1000); do echo $i >> file; done")
    let written = 3_893
    #expect(await eventually { last.withLock { $0 } == written })
    try await Task.sleep(for: Self.quiet)
    #expect((1...200).contains(told.take()))
  }

  @Test(arguments: [true, false])
  func `After its end nothing is told`(asksKernel: Bool) async throws {
    try await shell("echo one > file")
    let (watch, told) = watch(["file"], asksKernel: asksKernel)
    try await shell("echo two >> file")
    #expect(await eventually { told.take() > 0 })
    watch.cancel()
    _ = told.take()
    try await shell("echo three >> file")
    try await Task.sleep(for: Self.quiet)
    #expect(told.take() == 0)
  }

  @Test func `A sequence of changes begins at once and ends with its task`() async throws {
    let path = "\(folder)/file"
    let told = Count()
    let task = Task {
      for await _ in FileWatch.changes(of: [path]) { told.add() }
    }
    #expect(await eventually { told.take() > 0 })
    try await shell("echo one > file")
    try await expectChange(told, "it has come")
    task.cancel()
    await task.value
  }
}
