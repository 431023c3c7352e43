internal import ChildProcess
internal import FeedServer
internal import Foundation
internal import TestSupport
internal import Testing

@Suite struct DemoServerTests {
  /// A running `telex-demo-server`; it and its files are gone with the test.
  private final class Program {
    let process: ChildProcess
    private let directory: URL

    init(_ arguments: [String]) throws {
      directory = FileManager.default.temporaryDirectory
        .appendingPathComponent("telex-demo-\(UUID().uuidString)")
      try FileManager.default.createDirectory(
        at: directory, withIntermediateDirectories: true)
      process = try ChildProcess(
        BuiltProduct.path(of: "telex-demo-server"),
        arguments + ["--ready-file", directory.appendingPathComponent("ready").path], input: .held)
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    /// The port, once it listens.
    func port() async throws -> UInt16 {
      var text: String?
      _ = await eventually {
        text = try? String(
          contentsOf: directory.appendingPathComponent("ready"), encoding: .utf8)
        return text != nil
      }
      let base = try #require(text).trimmingCharacters(in: .newlines)
      #expect(base.hasPrefix("http://127.0.0.1:"))
      return try #require(UInt16(base.split(separator: ":")[2]))
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
    case .terminate: program.process.signal(SIGTERM)
    case .interrupt: program.process.signal(SIGINT)
    case .parent: program.process.closeInput()
    }
    #expect(await program.process.end() == .exited(0))
    let lines = program.process.output.split(separator: "\n")
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

  @Test func `New articles are told to those who listen`() async throws {
    let program = try Program(
      ["--fixtures", demo, "--articles", "5", "--insert-every", "0.01", "--with-parent"])
    let client = try TestClient(port: await program.port())
    client.send("GET /api/live HTTP/1.1\r\nHost: x\r\n\r\n")
    #expect(try client.answer().status == 200)
    var text = ""
    while text.components(separatedBy: "event: article\n").count < 3 {
      let more = try client.more()
      try #require(!more.isEmpty)
      text += String(decoding: more, as: UTF8.self)
    }
  }

  @Test func `A directory is served instead of the demo`() async throws {
    let program = try Program(["--static", demo, "--with-parent"])
    let client = try TestClient(port: await program.port())
    #expect(try client.request("GET", "/media/headland.png").headers["content-type"] == "image/png")
  }
}
