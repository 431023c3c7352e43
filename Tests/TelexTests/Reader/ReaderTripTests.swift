internal import ChildProcess
internal import FeedServer
internal import Foundation
internal import PseudoTerminal
internal import Testing

/// Packing for a trip by the reader's key, and reading what is packed with every server stopped.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ReaderTripTests {
  /// The picture of `ReaderPictureTests`, 160 × 80 pixels of red and blue.
  private static let picture = [UInt8](
    Data(
      base64Encoded:
        "iVBORw0KGgoAAAANSUhEUgAAAKAAAABQCAMAAACpg44GAAAABlBMVEX/AAAAAP9sof2OAAAATUlEQVR42u3OMQEAAAzDoM6/6ZnI"
        + "CQrYYheboKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgYOkBVu8ZAaAlaxoAAAAASUVORK5C"
        + "YII=")!)

  private static let words = Array(repeating: "word", count: 40).joined(separator: " ")

  /// Three articles that are a beginning each, whose pages have the rest and a picture.
  private static func shelf() throws -> FileShelf {
    let shelf = try FileShelf(
      (1...3).reversed().map {
        FileShelf.item($0) + "<link>$/page\($0)</link><description>The beginning …</description>"
      })
    for number in 1...3 {
      let text = (1...8).map { "<p>Paragraph \($0) of story \(number). \(words) \(words)</p>" }
      shelf.set("/page\(number)") {
        $0.text =
          "<html><head><title>T</title></head><body><article><h1>T</h1>"
          + "<p>Story \(number) begins. \(words)</p><p><img src=\"/\(number).png\" alt=\"A map\"></p>"
          + text.joined() + "</article></body></html>"
        $0.headers["Content-Type"] = "text/html"
      }
      shelf.set("/\(number).png") { $0.bytes = picture }
    }
    return shelf
  }

  private static func marks(_ screen: ScreenText) -> Int {
    screen.lines.count { $0.contains("▣") && $0.contains("Episode") }
  }

  /// Whether a picture of red and blue cells shows.
  private static func showsPicture(_ screen: ScreenText) -> Bool {
    let colors = Set(screen.rows.joined().flatMap { [$0.foreground, $0.background] })
    return colors.contains(.palette(196)) && colors.contains(.palette(21))
  }

  @Test func `What is packed by the key is marked, and whole with every server stopped`()
    async throws
  {
    let shelf = try Self.shelf()
    let sandbox = try Sandbox()
    try await sandbox.add(shelf.feed)
    let config = try sandbox.file("config.toml", "[refresh]\ninterval_minutes = 0\n")
    var reader = try sandbox.reader("--config", config, size: (100, 30))
    let before = try await reader.wait(for: "Episode 1")
    #expect(Self.marks(before) == 0)
    try reader.send("\u{14}")
    try await reader.wait(for: "3 articles, ")
    let page = try await reader.wait(for: "Fetched 3 pictures and 3 full texts")
    #expect(page.contains("readable offline"))
    try reader.send("q")
    try await reader.wait(until: "three are marked") { Self.marks($0) == 3 }
    #expect(try await reader.quit() == .exited(0))
    await shelf.stop()

    reader = try sandbox.reader("--config", config, size: (100, 30))
    try await reader.wait(until: "three are marked") { Self.marks($0) == 3 }
    for number in (1...3).reversed() {
      try reader.send(.enter)
      try await reader.wait(for: "Story \(number) begins.")
      try await reader.wait(until: "its picture shows", Self.showsPicture)
      try reader.send("G")
      try await reader.wait(for: "Paragraph 8 of story \(number).")
      try reader.send("q")
      try await reader.wait(until: "the list is there") { !$0.contains("of story \(number)") }
      try reader.send("j")
    }
    #expect(try await reader.quit() == .exited(0))

    let articles = try await sandbox.telex("articles", "--json").jsonLines()
    #expect(articles.count == 3 && articles.allSatisfy { $0["packed"] as? Bool == true })
    let feed = try await sandbox.telex("list", "--json").json()
    #expect(feed["packed"] as? Int == 3)
  }

  @Test func `The packing is stopped by a key, and the next one goes on with it`() async throws {
    let shelf = try Self.shelf()
    shelf.set("/1.png") { $0.hangAfter = 10 }
    let sandbox = try Sandbox()
    try await sandbox.add(shelf.feed)
    let config = try sandbox.file("config.toml", "[refresh]\ninterval_minutes = 0\n")
    let reader = try sandbox.reader("--config", config, size: (100, 30))
    try await reader.wait(for: "Episode 1")
    try reader.send("\u{14}")
    try await reader.wait(for: "2 articles checked, 2 complete")
    try await reader.wait(until: "the third picture is under way") { _ in
      shelf.requests.contains { $0.path == "/1.png" }
    }
    try reader.send(.escape)
    try await reader.wait(for: "Stopped: 2 articles checked, 2 complete")
    try await reader.wait(for: "2 articles, ")
    shelf.set("/1.png") { $0.hangAfter = nil }
    try reader.send(.enter)
    try await reader.wait(for: "3 articles, ")
    try await reader.wait(for: "Fetched 1 picture")
    #expect(shelf.requests.count { $0.path == "/2.png" } == 1)
    #expect(shelf.requests.count { $0.path == "/page1" } == 1)
    #expect(try await reader.quit() == .exited(0))
  }

  @Test func `Where each byte costs the key fetches nothing`() async throws {
    let shelf = try Self.shelf()
    let sandbox = try Sandbox()
    try await sandbox.add(shelf.feed)
    let config = try sandbox.file("config.toml", "[network]\nlow_data = true\n")
    let reader = try sandbox.reader("--config", config, size: (100, 30))
    try await reader.wait(for: "Episode 1")
    try reader.send("\u{14}")
    let page = try await reader.wait(
      for: "Telex saves data on this connection: no articles are fetched.")
    #expect(page.contains("nothing is packed"))
    try reader.send(.enter)
    #expect(try await reader.quit() == .exited(0))
    #expect(shelf.requests.isEmpty)
  }
}
