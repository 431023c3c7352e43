internal import ChildProcess
internal import Foundation
internal import PseudoTerminal
internal import Testing

/// What goes over the line to the terminal.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ReaderPaintingTests {
  private static func feed(_ name: String, in sandbox: borrowing Sandbox) throws -> String {
    let items = (1...30).map { number in
      "<item><guid>\(name)-\(number)</guid><title>\(name) \(number)</title>"
        + "<description>Text of \(name)</description></item>"
    }
    return try sandbox.file(
      "\(name).xml",
      "<rss version=\"2.0\"><channel><title>\(name)</title>\(items.joined())</channel></rss>")
  }

  /// How often a text was written to the terminal.
  private static func count(_ text: String, in output: [UInt8]) -> Int {
    String(decoding: output, as: UTF8.self).ranges(of: text).count
  }

  @Test func `Lists and articles take the place of others without a blank screen between`()
    async throws
  {
    let sandbox = try Sandbox()
    for name in ["Alder", "Birch", "Cedar"] {
      try await sandbox.add(try Self.feed(name, in: sandbox))
    }
    let config = try sandbox.file("config.toml", "[refresh]\ninterval_minutes = 0\n")
    let reader = try sandbox.reader("--config", config, size: (100, 30))
    try await reader.wait(for: "Cedar 7")
    try reader.send("h")
    for _ in 0..<3 { try reader.send("j") }
    try await reader.wait(for: "Alder ·")
    let before = Self.count("Loading", in: reader.output)
    for round in 0..<20 {
      let (name, key) = round % 2 == 0 ? ("Birch", "j") : ("Alder", "k")
      try reader.send(key)
      try await reader.wait(until: "the list of \(name)") {
        $0.contains("\(name) ·") && $0.contains("\(name) 7")
      }
    }
    // The machine may be busy for some of them.
    #expect(Self.count("Loading", in: reader.output) - before <= 10)
    #expect(try await reader.quit() == .exited(0))
  }
}
