internal import ChildProcess
internal import FeedServer
internal import Foundation
internal import PseudoTerminal
internal import Testing

/// Icons of feeds on a terminal that shows pixels.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ReaderIconTests {
  private static let kitty = [
    (question: "\u{1B}[>0q", answer: "\u{1B}P>|kitty(0.40.0)\u{1B}\\"),
    (
      question: "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\", answer: "\u{1B}_Gi=31;OK\u{1B}\\"
    ),
    (question: "\u{1B}[c", answer: "\u{1B}[?62;22c"),
  ]

  private static func shelf() async throws -> (Sandbox, FileShelf) {
    let shelf = try FileShelf([FileShelf.item(1) + "<description>Some words.</description>"])
    let url = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Fixtures/pictures/bitmaps.ico")
    let bytes = [UInt8](try Data(contentsOf: url))
    shelf.set("/favicon.ico") { $0.bytes = bytes }
    let sandbox = try Sandbox()
    try await sandbox.add(shelf.feed)
    return (sandbox, shelf)
  }

  private func open(
    _ sandbox: Sandbox, _ answers: [(question: String, answer: String)] = Self.kitty
  ) async throws -> PseudoTerminal {
    let reader = try sandbox.reader(size: (120, 24), cell: (8, 16), answers: answers)
    try await reader.wait(for: "Episode 1")
    return reader
  }

  @Test func `The icon of a feed shows beside its title, and is fetched once`() async throws {
    let (sandbox, shelf) = try await Self.shelf()
    for _ in 1...2 {
      let reader = try await open(sandbox)
      try await reader.wait(until: "the icon is placed") { _ in
        TerminalPictures(reader.output).placements.values.contains { $0.x == 0 }
      }
      let pictures = TerminalPictures(reader.output)
      #expect(pictures.mistakes.isEmpty)
      let place = try #require(pictures.placements.values.first { $0.x == 0 })
      let line = try #require(reader.screen.lines.firstIndex { $0.dropFirst(3).hasPrefix("Casts") })
      #expect(place.x == 0 && place.y == line && place.columns == 2 && place.rows == 1)
      #expect(pictures.kept.values.contains { $0 == (16, 16) })
      try await reader.wait(until: "it is in the heading of the article, too") { _ in
        TerminalPictures(reader.output).placements.values.contains { $0.x > 24 }
      }
      #expect(try await reader.quit() == .exited(0))
    }
    let requests = shelf.requests
    #expect(requests.map { String($0.path) } == ["/favicon.ico"])
    #expect(requests.allSatisfy { $0.header("Referer") == nil && $0.header("Cookie") == nil })
  }

  @Test
  func `A terminal without pixels, a feed without pictures and the setting leave icons alone`()
    async throws
  {
    let (sandbox, shelf) = try await Self.shelf()
    var reader = try await open(sandbox, [(question: "\u{1B}[c", answer: "\u{1B}[?62;22c")])
    #expect(try await reader.quit() == .exited(0))
    let folder = sandbox.folder + "/.config/telex"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try sandbox.file(".config/telex/config.toml", "[pictures]\nicons = false\n")
    reader = try await open(sandbox)
    #expect(!String(decoding: reader.output, as: UTF8.self).contains("\u{1B}[>0q"))
    #expect(try await reader.quit() == .exited(0))
    try sandbox.file(".config/telex/config.toml", "")
    _ = try await sandbox.telex("set", shelf.feed, "--pictures", "no")
    reader = try await open(sandbox)
    try await reader.wait(until: "the terminal was asked") { _ in
      String(decoding: reader.output, as: UTF8.self).contains("\u{1B}_Gi=31")
    }
    #expect(try await reader.quit() == .exited(0))
    #expect(shelf.requests.isEmpty)
  }
}
