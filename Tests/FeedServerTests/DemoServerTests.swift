internal import FeedServer
internal import Foundation
internal import Testing

@Suite struct DemoServerTests {
  /// A running `telex-demo-server`; it and its files are gone with the test.
  private final class Program {
    let process = Process()
    let input = Pipe()
    let output = Pipe()
    private let directory: URL

    init(_ arguments: [String]) throws {
      directory = FileManager.default.temporaryDirectory
        .appendingPathComponent("telex-demo-\(UUID().uuidString)")
      try FileManager.default.createDirectory(
        at: directory, withIntermediateDirectories: true)
      let executable: URL = try #require(Self.executable)
      process.executableURL = executable
      process.arguments = arguments + ["--ready-file", readyFile.path]
      process.standardInput = input
      process.standardOutput = output
      try process.run()
    }

    deinit {
      if process.isRunning { process.terminate() }
      try? FileManager.default.removeItem(at: directory)
    }

    private var readyFile: URL { directory.appendingPathComponent("ready") }

    /// The port, once it listens.
    func port() async throws -> UInt16 {
      var text: String?
      _ = await eventually {
        text = try? String(contentsOf: readyFile, encoding: .utf8)
        return text != nil
      }
      let base = try #require(text).trimmingCharacters(in: .newlines)
      #expect(base.hasPrefix("http://127.0.0.1:"))
      return try #require(UInt16(base.split(separator: ":")[2]))
    }

    /// Beside the test bundle, or above it where that is a folder of folders.
    private static var executable: URL? {
      let test = URL(fileURLWithPath: CommandLine.arguments[0])
      for place in [test] + Bundle.allBundles.map(\.bundleURL) {
        var folder = place.deletingLastPathComponent()
        for _ in 0..<4 {
          let found = folder.appendingPathComponent("telex-demo-server")
          if FileManager.default.isExecutableFile(atPath: found.path) { return found }
          folder = folder.deletingLastPathComponent()
        }
      }
      return nil
    }
  }

  private enum End: CaseIterable { case terminate, interrupt, parent }

  @Test(arguments: End.allCases)
  private func `It serves until it is told to end, and then ends well`(end: End) async throws {
    let program = try Program(["--fixtures", demo, "--articles", "40", "--with-parent"])
    let port = try await program.port()
    do {
      let client = try TestClient(port: port)
      #expect(try client.walk("/api/articles", limit: 30).count == 40)
    }
    switch end {
    case .terminate: program.process.terminate()
    case .interrupt: program.process.interrupt()
    case .parent: try program.input.fileHandleForWriting.close()
    }
    #expect(await eventually { !program.process.isRunning })
    #expect(program.process.terminationStatus == 0)
    #expect(program.process.terminationReason == .exit)
    let printed = program.output.fileHandleForReading.readDataToEndOfFile()
    let lines = String(decoding: printed, as: UTF8.self).split(separator: "\n")
    #expect(lines.first == "http://127.0.0.1:\(port)")
    #expect(lines.contains("http://127.0.0.1:\(port)/atom.xml"))
  }

  @Test func `New articles appear by themselves`() async throws {
    let program = try Program(
      ["--fixtures", demo, "--articles", "5", "--insert-every", "0.01", "--with-parent"])
    let client = try TestClient(port: await program.port())
    #expect(
      await eventually {
        let count = try? client.walk("/api/articles", limit: 50).count
        return (count ?? 0) > 7
      })
  }

  @Test func `A directory is served instead of the demo`() async throws {
    let program = try Program(["--static", demo, "--with-parent"])
    let client = try TestClient(port: await program.port())
    #expect(try client.request("GET", "/media/headland.png").headers["content-type"] == "image/png")
  }
}
