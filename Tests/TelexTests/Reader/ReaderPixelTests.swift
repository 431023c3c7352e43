internal import ChildProcess
internal import FeedServer
internal import Foundation
internal import PseudoTerminal
internal import Requirements
internal import Testing

/// Pictures of articles on a terminal that shows pixels.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ReaderPixelTests {
  private static let kitty = [
    (question: "\u{1B}[>0q", answer: "\u{1B}P>|kitty(0.40.0)\u{1B}\\"),
    (
      question: "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\", answer: "\u{1B}_Gi=31;OK\u{1B}\\"
    ),
    (question: "\u{1B}[c", answer: "\u{1B}[?62;22c"),
  ]

  /// 64 × 64 pixels, and text above and below.
  private static func sandbox() async throws -> (Sandbox, FileShelf) {
    let text = "&lt;p&gt;Some words.&lt;/p&gt;"
    let picture =
      "&lt;p&gt;&lt;img src=\"$/map.png\" alt=\"A map\" width=\"64\" height=\"64\"&gt;&lt;/p&gt;"
    let shelf = try FileShelf([
      FileShelf.item(1)
        + "<description>\(text)\(picture)\(String(repeating: text, count: 30))</description>"
    ])
    let url = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Fixtures/pictures/quarters.png")
    let bytes = [UInt8](try Data(contentsOf: url))
    shelf.set("/map.png") { $0.bytes = bytes }
    let sandbox = try Sandbox()
    try await sandbox.add(shelf.feed)
    return (sandbox, shelf)
  }

  /// Whether the red quarter of the picture is on the screen.
  private static func hasCells(_ screen: ScreenText) -> Bool {
    for cell in screen.rows.joined() {
      let color = ["█", "▀", "▄"].contains(cell.text) ? cell.foreground : cell.background
      if color == .palette(196) { return true }
    }
    return false
  }

  private func open(_ sandbox: Sandbox, environment: [String: String?] = [:]) async throws
    -> PseudoTerminal
  {
    let reader = try sandbox.reader(
      environment: environment, cell: (8, 16), answers: Self.kitty)
    try await reader.wait(for: "Episode 1")
    try reader.send("\r")
    try await reader.wait(for: "A map[1]")
    return reader
  }

  @discardableResult
  private func wait(
    _ reader: PseudoTerminal, until expectation: String, _ isMet: (TerminalPictures) -> Bool
  ) async throws -> TerminalPictures {
    try await reader.wait(until: expectation) { _ in isMet(TerminalPictures(reader.output)) }
    let pictures = TerminalPictures(reader.output)
    #expect(pictures.mistakes.isEmpty)
    return pictures
  }

  @Test func `A picture is sent once, scrolled with its article, and gone with it`() async throws {
    let (sandbox, shelf) = try await Self.sandbox()
    let reader = try await open(sandbox)
    var pictures = try await wait(reader, until: "it is placed") { $0.placements.count == 1 }
    let place = try #require(pictures.placements.first?.value)
    let (_, line) = try #require(reader.screen.position(of: "A map[1]"))
    // 64 pixels are eight columns and four rows of 8 × 16.
    #expect(place.columns == 8 && place.rows == 4 && place.y + 4 == line)
    #expect(pictures.kept.values.contains { $0 == (64, 64) })
    try reader.send("j")
    pictures = try await wait(reader, until: "it moves") {
      $0.placements.first?.value.y == place.y - 1
    }
    #expect(pictures.transmissions == 1)
    // The pane begins below its heading: two rows of the picture are above it then.
    for _ in 0..<place.y { try reader.send("j") }
    try await wait(reader, until: "it is cut off at the pane") {
      guard let place = $0.placements.first?.value else { return false }
      return place.rows == 2 && place.y == 1 && place.pixelRows == 32..<64
    }
    try reader.send("?")
    try await wait(reader, until: "another screen has none") { $0.placements.isEmpty }
    try reader.send("q")
    try await wait(reader, until: "it is back") { $0.placements.count == 1 }
    try reader.send("q")
    try await wait(reader, until: "the list has none") { $0.placements.isEmpty }
    #expect(try await reader.quit() == .exited(0))
    pictures = TerminalPictures(reader.output)
    #expect(pictures.kept.isEmpty && pictures.transmissions == 1)
    _ = shelf
  }

  @Test(arguments: [["TMUX": "/tmp/tmux-0/default,1,0"], ["TERM": "screen-256color"]])
  func `Behind tmux and screen pictures are cells, and nothing is asked`(
    environment: [String: String]
  ) async throws {
    let (sandbox, shelf) = try await Self.sandbox()
    let reader = try await open(sandbox, environment: environment)
    try await reader.wait(until: "cells show", Self.hasCells)
    #expect(!String(decoding: reader.output, as: UTF8.self).contains("\u{1B}[>0q"))
    #expect(try await reader.quit() == .exited(0))
    _ = shelf
  }

  /// The terminal is one of kitty's kind, and tmux stands between.
  @Test(.needs(.tmux), arguments: [("on", "0.40.1"), ("off", "0.40.1"), ("on", "0.26.5")])
  func `In tmux pictures are pixels where it lets them through`(
    passthrough: String, version: String
  ) async throws {
    let (sandbox, shelf) = try await Self.sandbox()
    let socket = sandbox.folder + "/tmux"
    let settings = try sandbox.file(
      "tmux.conf",
      "set -g allow-passthrough \(passthrough)\nset -g default-terminal tmux-256color\nset -g status off\n"
    )
    let isOpen = passthrough == "on" && version == "0.40.1"
    let reader = try PseudoTerminal(
      executable: "/usr/bin/env",
      arguments: [
        "tmux", "-S", socket, "-f", settings, "new-session", BuiltProduct.path(of: "telex"),
      ], environment: sandbox.home.merging(["TERM": "xterm-256color"]) { $1 }, cell: (8, 16),
      answers: [
        (question: "\u{1B}[>q", answer: "\u{1B}P>|kitty(\(version))\u{1B}\\"),
        (question: "\u{1B}[c", answer: "\u{1B}[?62;22c"), Self.kitty[1],
      ])
    do {
      try await reader.wait(for: "Episode 1")
      try reader.send("\r")
      try await reader.wait(for: "A map[1]")
      try await reader.wait(until: "the picture shows") {
        isOpen
          ? $0.rows.joined().contains { $0.text.unicodeScalars.first == "\u{10EEEE}" }
          : Self.hasCells($0)
      }
      let pictures = TerminalPictures(reader.output)
      #expect(pictures.mistakes.isEmpty)
      #expect(pictures.kept.count == (isOpen ? 1 : 0) && pictures.questions == (isOpen ? 1 : 0))
      #expect(
        pictures.placedAsText.values.map { [$0.columns, $0.rows] } == (isOpen ? [[8, 4]] : []))
      #expect(try await reader.quit() == .exited(0))
      if isOpen { #expect(TerminalPictures(reader.output).kept.isEmpty) }
    } catch {
      _ = try? await ChildProcess("/usr/bin/env", ["tmux", "-S", socket, "kill-server"]).end()
      throw error
    }
    _ = shelf
  }

  @Test func `The setting chooses cells, or a protocol that the terminal does not tell of`()
    async throws
  {
    let (sandbox, shelf) = try await Self.sandbox()
    let folder = sandbox.folder + "/.config/telex"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try sandbox.file(".config/telex/config.toml", "[pictures]\ndraw = \"cells\"\n")
    var reader = try await open(sandbox)
    try await reader.wait(until: "cells show", Self.hasCells)
    #expect(!String(decoding: reader.output, as: UTF8.self).contains("\u{1B}[>0q"))
    #expect(try await reader.quit() == .exited(0))
    try sandbox.file(".config/telex/config.toml", "[pictures]\ndraw = \"sixel\"\n")
    reader = try await open(sandbox)
    let pictures = try await wait(reader, until: "it is drawn") { $0.sixels.count == 1 }
    #expect(pictures.transmissions == 0)
    #expect(pictures.sixels.first?.raster.map { $0 == (64, 64) } == true)
    #expect(try await reader.quit() == .exited(0))
    _ = shelf
  }
}
