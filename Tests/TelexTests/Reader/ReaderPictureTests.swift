internal import ChildProcess
internal import FeedServer
internal import Foundation
internal import PseudoTerminal
internal import Testing

/// Pictures of articles in the reader, from a server, from the disk, and what becomes of their files.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ReaderPictureTests {
  /// 160 × 80 pixels, the left half red and the right half blue.
  private static let picture = [UInt8](
    Data(
      base64Encoded:
        "iVBORw0KGgoAAAANSUhEUgAAAKAAAABQCAMAAACpg44GAAAABlBMVEX/AAAAAP9sof2OAAAATUlEQVR42u3OMQEAAAzDoM6/6ZnI"
        + "CQrYYheboKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgYOkBVu8ZAaAlaxoAAAAASUVORK5C"
        + "YII=")!)

  /// 160 × 80 pixels of red that lets four tenths through.
  private static let translucent = [UInt8](
    Data(
      base64Encoded:
        "iVBORw0KGgoAAAANSUhEUgAAAKAAAABQCAYAAACeXX40AAAArElEQVR42u3SMQ0AMAzAsPBnULQriUp7fJhAlF4N/JIIGBADggEx"
        + "IBgQA4IBMSAYEAOCATEgGBADggExIBgQA4IBMSAYEAOCATEgGBADggExIBgQA4IBMSAGFAIDYkAwIAYEA2JAMCAGBANiQDAgBgQD"
        + "YkAwIAYEA2JAMCAGBANiQDAgBgQDYkAwIAYEA2JAMCAGxIBgQAwIBsSAYEAMCAbEgGBADAgGxIBwYwHte7SirCY57gAAAABJRU5E"
        + "rkJggg==")!)

  private static func shelf(_ body: String) throws -> FileShelf {
    let html = body.replacing("<", with: "&lt;")
    let shelf = try FileShelf([
      FileShelf.item(1) + "<link>$/page</link><description>\(html)</description>"
    ])
    shelf.set("/map.png") { $0.bytes = picture }
    return shelf
  }

  /// Whether the cells of the picture of this file are at a place: four rows of sixteen columns.
  private static func shows(_ screen: ScreenText, below text: String, by rows: Int = 2) -> Bool {
    guard let (x, y) = screen.position(of: text) else { return false }
    return (0..<4).allSatisfy { row in
      (0..<16).allSatisfy { column in
        guard screen.rows.indices.contains(y + rows + row) else { return false }
        let cell = screen.rows[y + rows + row][x + column]
        let color = ["█", "▀", "▄"].contains(cell.text) ? cell.foreground : cell.background
        return color == .palette(column < 8 ? 196 : 21)
      }
    }
  }

  private static func files(in sandbox: Sandbox) -> [String] {
    let folder = sandbox.folder + "/.local/share/telex/pictures"
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  @Test func `A picture shows in its colours, and without its server too`() async throws {
    let shelf = try Self.shelf(
      "<p>Above it.</p><p><img src=\"$/map.png\" alt=\"A map\"></p><p>Below it.</p>")
    let sandbox = try Sandbox()
    try await sandbox.add(shelf.feed)
    for isOnline in [true, false] {
      let reader = try sandbox.reader()
      try await reader.wait(for: "Episode 1")
      try reader.send(.enter)
      try await reader.wait(until: "the picture is there") { Self.shows($0, below: "Above it.") }
      try await reader.wait(for: "A map[1]")
      #expect(try await reader.quit() == .exited(0))
      #expect(Self.files(in: sandbox).count == 2)
      #expect(Self.files(in: sandbox).last == "CACHEDIR.TAG")
      if isOnline { await shelf.stop() }
    }
    // Asked for without saying where it stands.
    let asked = shelf.requests.filter { $0.path == "/map.png" }
    #expect(asked.count == 1 && asked.first?.header("Referer") == nil)
  }

  @Test func `A picture is shown alone, and left as words for now or for a feed`() async throws {
    let shelf = try Self.shelf("<p>Above it.</p><p><img src=\"$/map.png\" alt=\"A map\"></p>")
    let sandbox = try Sandbox()
    try await sandbox.add(shelf.feed)
    let reader = try sandbox.reader()
    try await reader.wait(for: "Episode 1")
    try reader.send(.enter)
    try await reader.wait(until: "the picture is there") { Self.shows($0, below: "Above it.") }
    try reader.send(":show-picture\r")
    let alone = try await reader.wait(for: "1 of 1")
    #expect(!alone.contains("Above it."))
    try await reader.wait(until: "it has its colours") { screen in
      screen.rows.joined().contains {
        $0.foreground == .palette(21) || $0.background == .palette(21)
      }
    }
    try reader.send("q")
    try await reader.wait(for: "Above it.")
    try reader.send(":pictures\r")
    try await reader.wait(for: "[image: A map][1]")
    try reader.send(":pictures\r")
    try await reader.wait(until: "the picture is back") { Self.shows($0, below: "Above it.") }
    try reader.send("q")
    #expect(try await reader.quit() == .exited(0))

    #expect(try await sandbox.telex("set", "1", "--pictures", "no").status == 0)
    let words = try sandbox.reader()
    try await words.wait(for: "Episode 1")
    try words.send(.enter)
    try await words.wait(for: "[image: A map][1]")
    #expect(try await words.quit() == .exited(0))
  }

  @Test func `A page that was saved has its pictures without its server`() async throws {
    let shelf = try FileShelf([])
    shelf.set("/map.png") { $0.bytes = Self.picture }
    shelf.set("/gone.png") { $0.status = 404 }
    let words = String(repeating: "It is drawn with all its rivers and roads. ", count: 10)
    shelf.set("/page") {
      $0.text = """
        <title>The map of the valley</title><article><h1>The map of the valley</h1><p>Above it.</p>\
        <p><img src="/map.png" alt="A map"></p><p>\(words)</p><img src="/gone.png"></article>
        """
      $0.headers["Content-Type"] = "text/html"
    }
    let sandbox = try Sandbox()
    let saved = try await sandbox.telex("later", shelf.origin + "/page", "--json")
    #expect(saved.status == 0, "\(saved.testDescription)")
    #expect(try saved.json()["packed"] as? Bool == true)
    #expect(Self.files(in: sandbox).count == 2)
    await shelf.stop()
    #expect(try await sandbox.articles().first?["packed"] as? Bool == true)
    let reader = try sandbox.reader()
    try await reader.wait(for: "The map of the valley")
    try reader.send(.enter)
    try await reader.wait(until: "the picture is there") { Self.shows($0, below: "Above it.") }
    #expect(try await reader.quit() == .exited(0))
    #expect(shelf.requests.count { $0.path == "/map.png" } == 1)
    // It is whole whenever it is saved again.
    let again = try await sandbox.telex("later", shelf.origin + "/page", "--json").json()
    #expect(again["packed"] as? Bool == true)
  }

  @Test func `A picture has the shape that the cells of the terminal give it`() async throws {
    let shelf = try Self.shelf("<p>Above it.</p><p><img src=\"$/map.png\" alt=\"A map\"></p>")
    let sandbox = try Sandbox()
    try await sandbox.add(shelf.feed)
    let reader = try sandbox.reader()
    // Eight columns and two rows of such cells; a cell of which nothing is known makes sixteen and four.
    reader.resize(width: 80, height: 30, cell: (width: 20, height: 40))
    try await reader.wait(for: "Episode 1")
    try reader.send(.enter)
    try await reader.wait(until: "the picture is there") { screen in
      guard let (x, y) = screen.position(of: "Above it.") else { return false }
      let colors = (0..<3).map { row in
        (0..<9).map { column in
          let cell = screen.rows[y + 2 + row][x + column]
          return ["█", "▀", "▄"].contains(cell.text) ? cell.foreground : cell.background
        }
      }
      return colors[0] == colors[1] && colors[0][0..<4].allSatisfy { $0 == .palette(196) }
        && colors[0][4..<8].allSatisfy { $0 == .palette(21) } && colors[0][8] != .palette(21)
        && !colors[2].contains(.palette(196))
    }
    #expect(try await reader.quit() == .exited(0))
  }

  @Test(arguments: [("15;0", 88), ("0;15", 203)])
  func `What is partly transparent has the terminal's background behind it`(
    colors: String, expected: Int
  ) async throws {
    let shelf = try Self.shelf("<p>Above it.</p><p><img src=\"$/map.png\"></p>")
    shelf.set("/map.png") { $0.bytes = Self.translucent }
    let sandbox = try Sandbox()
    try await sandbox.add(shelf.feed)
    let reader = try sandbox.reader(environment: ["COLORFGBG": colors])
    try await reader.wait(for: "Episode 1")
    try reader.send(.enter)
    try await reader.wait(until: "the picture is there") { screen in
      guard let (x, y) = screen.position(of: "Above it.") else { return false }
      let cell = screen.rows[y + 3][x + 2]
      return cell.foreground == .palette(expected) || cell.background == .palette(expected)
    }
    #expect(try await reader.quit() == .exited(0))
  }

  @Test
  func `What is no picture, is damaged or is not there says so in its place, and the others show`()
    async throws
  {
    let names = ["gone", "text", "cut", "map"]
    let shelf = try Self.shelf(
      names.map { "<p>The \($0).</p><p><img src=\"$/\($0).png\" width=\"160\" height=\"80\"></p>" }
        .joined())
    shelf.set("/gone.png") { $0.status = 404 }
    shelf.set("/text.png") { $0.text = "<html>not here</html>" }
    shelf.set("/cut.png") { $0.bytes = Array(Self.picture.prefix(90)) }
    let sandbox = try Sandbox()
    try await sandbox.add(shelf.feed)
    let reader = try sandbox.reader()
    reader.resize(width: 100, height: 50)
    try await reader.wait(for: "Episode 1")
    try reader.send(.enter)
    try await reader.wait(until: "the good one is there") { Self.shows($0, below: "The map.") }
    let screen = try await reader.wait(until: "three failures are told") { screen in
      screen.lines.count { $0.contains("[picture] ") && !$0.contains("…") } >= 3
        || screen.lines.count { $0.contains("[picture] ") } == 3
          && !screen.lines.contains { $0.contains("[picture] …") }
    }
    #expect(screen.contains("404"))
    // What cannot be shown is not kept, but for what only its decoder refuses.
    #expect(Self.files(in: sandbox).count <= 3)
    #expect(try await reader.quit() == .exited(0))
  }

  @Test func `The files of pictures are counted, cleared, and go with their feed`() async throws {
    let shelf = try Self.shelf("<p>Above it.</p><p><img src=\"$/map.png\"></p>")
    let sandbox = try Sandbox()
    try await sandbox.add(shelf.feed)
    func show() async throws {
      let reader = try sandbox.reader()
      try await reader.wait(for: "Episode 1")
      try reader.send(.enter)
      try await reader.wait(until: "the picture is there") { Self.shows($0, below: "Above it.") }
      #expect(try await reader.quit() == .exited(0))
    }
    try await show()
    let room = try await sandbox.telex("cache", "--json").jsonLines().last?["pictures"]
    #expect(room as? Int == Self.picture.count)
    #expect(try await sandbox.telex("cache", "--clear-pictures").status == 0)
    #expect(Self.files(in: sandbox) == ["CACHEDIR.TAG"])
    try await show()
    #expect(Self.files(in: sandbox).count == 2)
    #expect(try await sandbox.telex("remove", "1", "--erase", "--yes").status == 0)
    #expect(Self.files(in: sandbox) == ["CACHEDIR.TAG"])
  }

  @Test func `Pictures that others name are not fetched from this machine`() async throws {
    // The feed is at 127.0.0.1 because the user said so; another name of this machine is one that the feed says.
    let other = try FileShelf([])
    other.set("/map.png") { $0.bytes = Self.picture }
    let shelf = try Self.shelf(
      "<p>Above it.</p><p><img src=\"http://localhost:\(other.port)/map.png\"></p>")
    let sandbox = try Sandbox()
    try await sandbox.add(shelf.feed)
    let reader = try sandbox.reader()
    try await reader.wait(for: "Episode 1")
    try reader.send(.enter)
    try await reader.wait(until: "it is refused") {
      $0.contains("[picture] ") && !$0.contains("[picture] …")
    }
    #expect(other.requests.isEmpty)
    #expect(try await reader.quit() == .exited(0))
  }
}
