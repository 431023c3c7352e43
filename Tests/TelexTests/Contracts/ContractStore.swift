import FeedServer
import Foundation
import PseudoTerminal
import TestSupport
import Testing

/// The store that all transcripts begin with, each on a copy: that of `Fixtures/contracts/store.txt`, in which the
/// reader has opened an article.
struct ContractStore: SuiteTrait, TestScoping {
  @TaskLocal static var current: ContractStore?

  /// The address of the server of the files.
  private var site = ""
  private var home: Sandbox?

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let server = try Self.server()
    let site = "http://127.0.0.1:\(try server.start())"
    let home = try Sandbox()
    try await check(Transcript("store"), in: home, site)
    let reader = try home.reader()
    try await reader.wait(for: "A note")
    try reader.send("G")
    try reader.send(.enter)
    try await reader.wait(for: "Said.")
    _ = try await reader.quit()
    var store = self
    (store.site, store.home) = (site, home)
    do {
      try await Self.$current.withValue(store) { try await function() }
    } catch {
      Issue.record(error)
    }
    await server.stop()
  }

  /// Plays a transcript on a copy of the store.
  func check(_ transcript: Transcript) async throws {
    let home = try #require(self.home)
    let copy = try Sandbox()
    for name in try FileManager.default.contentsOfDirectory(atPath: home.folder) {
      try FileManager.default.copyItem(
        atPath: "\(home.folder)/\(name)", toPath: "\(copy.folder)/\(name)")
    }
    defer { copy.killHelper() }
    try await check(transcript, in: copy, site, names: [(home.folder, "$HOME")])
  }

  private func check(
    _ transcript: Transcript, in home: Sandbox, _ site: String, names: [(String, String)] = []
  ) async throws {
    let servers = try ContractServers()
    try await servers.whileServing(transcript) { addresses in
      let variables = addresses.merging(["SITE": site, "FILES": Self.files.path]) { $1 }
      let names = names + [(home.folder, "$HOME")] + variables.map { ($0.value, "$" + $0.key) }
      var ended: [Transcript.Step] = []
      for step in transcript.steps {
        guard step.command.hasPrefix("$ ") else {
          try servers.fail(step.command)
          ended.append(step)
          continue
        }
        let environment = variables.mapValues { Optional($0) }
        let outcome = try await home.shell(
          String(step.command.dropFirst(2)), environment: environment)
        let now = step.with(outcome, names)
        ended.append(now)
        if !isRecording, let difference = now.difference(from: step) {
          Issue.record(
            "\(transcript.name): \(step.command)\n\(difference)\n\(outcome.errors)")
        }
      }
      if isRecording { try transcript.record(ended) }
    }
  }

  private static let files = fixtures.appending(path: "contracts/files")

  /// Serves the files; `$SITE` in them is its address. There is nothing at others, and `gone.xml` is gone for good.
  private static func server() throws -> RawServer {
    let names = fixtureFiles(in: "contracts/files")
    let contents = try names.map { try [UInt8](Data(contentsOf: files.appending(path: $0))) }
    let bodies = Dictionary(uniqueKeysWithValues: zip(names, contents))
    return RawServer { request in
      let name = String(request.path.dropFirst())
      guard let body = bodies[name] else {
        return .reply(WireReply(status: name == "gone.xml" ? 410 : 404))
      }
      let site = "http://\(request.header("Host") ?? "")"
      let text = String(bytes: body, encoding: .utf8)?.replacing("$SITE", with: site)
      let isKnown = request.header("If-None-Match") == "\"1\""
      let headers = [("Content-Type", types[String(name.split(separator: ".")[1])] ?? "")]
      return .reply(
        WireReply(
          status: isKnown ? 304 : 200, headers: headers + [("ETag", "\"1\"")],
          body: isKnown ? [] : text.map { Array($0.utf8) } ?? body))
    }
  }

  private static let types = [
    "xml": "application/xml", "json": "application/json", "html": "text/html", "png": "image/png",
    "mp3": "audio/mpeg", "vtt": "text/vtt",
  ]
}

/// `TELEX_RECORD=1` writes transcripts anew; each change of one is evidence to be explained.
private let isRecording = ProcessInfo.processInfo.environment["TELEX_RECORD"] == "1"

extension Trait where Self == ContractStore {
  static var contractStore: Self { ContractStore() }
}
