import ChildProcess
import Foundation
import PseudoTerminal
import TestSupport
import Testing

/// Files of articles that are played or opened, pages in the background, and addresses on the ordinary screen.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ReaderFileTests {
  private static let feed = """
    <rss version="2.0"><channel><title>Daily</title>
    <item><title>An episode</title><link>https://news.example/a</link>
    <enclosure url="https://news.example/a%20b.mp3?c='d'" type="audio/mpeg" length="9"/>
    <description>&lt;p&gt;See &lt;a href="https://long.example/\(String(repeating: "x", count: 150))"&gt;it&lt;/a&gt;&lt;/p&gt;</description></item>
    </channel></rss>
    """

  private func reader(_ settings: String, in sandbox: Sandbox) async throws -> PseudoTerminal {
    try await sandbox.add(try sandbox.file("feed.xml", Self.feed))
    let config = try sandbox.file("telex.toml", settings)
    let reader = try sandbox.reader("--config", config, size: (width: 100, height: 24))
    try await reader.wait(for: "An episode")
    return reader
  }

  private func spy(in sandbox: Sandbox) throws -> String {
    try sandbox.file(
      "spy",
      "printf '[%s]' \"$@\" > '\(sandbox.folder)/new'; mv '\(sandbox.folder)/new' '\(sandbox.folder)/spied'"
    )
  }

  @Test func `A sound is played from its address, as one argument and without a shell`()
    async throws
  {
    let sandbox = try Sandbox()
    let spy = try spy(in: sandbox)
    let reader = try await reader("[player]\ncommand = \"/bin/sh \(spy) -q %u\"\n", in: sandbox)
    try reader.send("p")
    try await reader.wait(for: "Opened https://news.example/a%20b.mp3")
    #expect(await eventually { sandbox.contents(of: "spied") != nil })
    #expect(sandbox.contents(of: "spied") == "[-q][https://news.example/a%20b.mp3?c='d']")
    #expect(try await reader.quit() == .exited(0))
  }

  @Test func `Keys that another program writes into the settings are in effect at once`()
    async throws
  {
    let sandbox = try Sandbox()
    let reader = try await reader("[screen]\ntext_width = 70\n", in: sandbox)
    try sandbox.file("telex.toml", "[keys]\nset = \"newsboat\"\n")
    try await reader.wait(for: "The keys of config.toml have changed")
    // The key of the outbox in this set alone.
    try reader.send("\u{17}")
    try await reader.wait(for: "No changes are waiting to be sent.")
    #expect(try await reader.quit() == .exited(0))
  }

  @Test func `A path that is not whole is below the folder of HOME`() async throws {
    let sandbox = try Sandbox()
    let reader = try await reader("", in: sandbox)
    for path in ["one.txt", "~/two.txt"] {
      try reader.send(":save \(path)\r")
      try await reader.wait(for: "Saved to \(sandbox.folder)/\(path.suffix(7))")
      #expect(sandbox.contents(of: String(path.suffix(7)))?.contains("An episode") == true)
    }
    #expect(try await reader.quit() == .exited(0))
  }

  @Test func `The downloaded file is played, and not another one of the same path`() async throws {
    let shelf = try FileShelf([
      FileShelf.item(1, files: "$/play.mp3?quality=low", "$/play.mp3?quality=high")
    ])
    let sandbox = try Sandbox()
    try await sandbox.add(shelf.feed)
    let one = try #require(try await sandbox.numbers()["Episode 1"])
    #expect(try await sandbox.telex("transfers", "--download", one, "--enclosure", "2").status == 0)
    let spy = try spy(in: sandbox)
    let config = try sandbox.file("telex.toml", "[player]\ncommand = \"/bin/sh \(spy)\"\n")
    let reader = try sandbox.reader("--config", config, size: (width: 100, height: 24))
    try await reader.wait(for: "Episode 1")
    for (keys, target) in [
      ("p\r", "\(shelf.origin)/play.mp3?quality=low"),
      ("pj\r", sandbox.folder + "/Downloads/Telex/play.mp3"),
    ] {
      try reader.send(String(keys.prefix(1)))
      try await reader.wait(for: "Files of")
      try reader.send(String(keys.dropFirst()))
      #expect(await eventually { sandbox.contents(of: "spied") == "[\(target)]" }, "\(target)")
    }
    #expect(try await reader.quit() == .exited(0))
    await shelf.stop()
  }

  @Test func `mpv goes on where it was stopped, and what was played to its end is heard`()
    async throws
  {
    let sandbox = try Sandbox()
    try sandbox.file("playing", "")
    let player = try sandbox.file(
      "mpv",
      """
      #!/bin/sh
      printf '%s\\n' "$@" > '\(sandbox.folder)/new'
      mv '\(sandbox.folder)/new' '\(sandbox.folder)/arguments'
      while [ -e '\(sandbox.folder)/playing' ]; do sleep 0.1; done
      """)
    chmod(player, 0o755)
    let reader = try await reader("[player]\ncommand = \"\(player) --no-video\"\n", in: sandbox)
    /// Starts it, lets mpv tell these things, and gives its arguments.
    func play(_ events: [String]) async throws -> [String] {
      try? FileManager.default.removeItem(atPath: sandbox.folder + "/arguments")
      try reader.send("p")
      #expect(
        await eventually { sandbox.contents(of: "arguments") != nil }, "\(reader.screen.drawing)")
      let arguments = (sandbox.contents(of: "arguments") ?? "").split(separator: "\n").map(
        String.init)
      let option = try #require(arguments.first { $0.hasPrefix("--input-ipc-server=") })
      let asked = try MpvServer(at: String(option.dropFirst("--input-ipc-server=".count)))
        .tell(events)
      #expect(asked.contains("time-pos") && asked.contains("duration"))
      return arguments
    }
    /// What the open article says of its file.
    func told(_ text: String) async throws {
      let isTold = await eventually(within: .seconds(20)) {
        try? reader.send("\r")
        try? await Task.sleep(for: .milliseconds(100))
        let words = reader.screen.lines.flatMap { $0.split(separator: " ") }
        if words.joined(separator: " ").contains(text) { return true }
        try? reader.send("q")
        try? await Task.sleep(for: .milliseconds(50))
        return false
      }
      #expect(isTold, "\(text): \(reader.screen.drawing)")
      try reader.send("q")
      try await reader.wait(until: "the list is back") { !$0.contains("See it") }
    }
    func at(_ seconds: Double?) -> String {
      let data = seconds.map { "\($0)" } ?? "null"
      return #"{"event":"property-change","id":1,"name":"time-pos","data":\#(data)}"#
    }
    let first = try await play([
      #"{"event":"property-change","id":2,"name":"duration","data":600.5}"#, at(0.5), at(125.7),
      "not json", at(nil), #"{"event":"end-file","reason":"quit"}"#,
    ])
    #expect(first.contains("--no-video") && !first.contains { $0.hasPrefix("--start") })
    try await told("10:00, played up to 2:05")
    let second = try await play([at(599), #"{"event":"end-file","reason":"eof"}"#])
    #expect(second.contains("--start=125"))
    #expect(second.last == "https://news.example/a%20b.mp3?c='d'")
    try await told("10:00, heard")
    #expect(!(try await play([])).contains { $0.hasPrefix("--start") })
    try FileManager.default.removeItem(atPath: sandbox.folder + "/playing")
    #expect(try await reader.quit() == .exited(0))
  }

  @Test
  func `The queue is played by mpv from where each file was stopped, and what was heard leaves it`()
    async throws
  {
    let shelf = try FileShelf([
      FileShelf.item(2, files: "$/2.mp3"), FileShelf.item(1, files: "$/1.mp3"),
    ])
    let sandbox = try Sandbox()
    try await sandbox.add(shelf.feed)
    let player = try sandbox.file(
      "mpv",
      """
      #!/bin/sh
      printf '%s\\n' "$@" > '\(sandbox.folder)/new'
      mv '\(sandbox.folder)/new' '\(sandbox.folder)/arguments'
      """, permissions: 0o755)
    let config = try sandbox.file(
      "telex.toml", "[player]\ncommand = \"\(player) --quiet %u\"\n")
    let reader = try sandbox.reader("--config", config, size: (width: 100, height: 24))
    try await reader.wait(for: "Episode 1")
    /// Plays from the first file on, lets mpv tell these things, and gives its arguments.
    func play(_ events: [String]) async throws -> [String] {
      try? FileManager.default.removeItem(atPath: sandbox.folder + "/arguments")
      try reader.send("p")
      #expect(
        await eventually { sandbox.contents(of: "arguments") != nil }, "\(reader.screen.drawing)")
      let arguments = (sandbox.contents(of: "arguments") ?? "").split(separator: "\n").map(
        String.init)
      let option = try #require(arguments.first { $0.hasPrefix("--input-ipc-server=") })
      _ = try MpvServer(at: String(option.dropFirst("--input-ipc-server=".count))).tell(events)
      return arguments
    }
    func change(_ name: String, _ data: Double) -> String {
      #"{"event":"property-change","id":1,"name":"\#(name)","data":\#(data)}"#
    }
    try reader.send("e")
    try await reader.wait(for: "Added the episode to the queue, now 1 episode")
    try reader.send("je")
    try await reader.wait(for: "Added the episode to the queue, now 2 episodes")
    try reader.send("E")
    try await reader.wait(for: "Queue · 2")
    let first = try await play([
      change("playlist-pos", 0), change("time-pos", 30), #"{"event":"end-file","reason":"eof"}"#,
      change("playlist-pos", 1), change("duration", 90), change("time-pos", 12),
      #"{"event":"end-file","reason":"quit"}"#,
    ])
    #expect(first.suffix(3) == ["--quiet", "\(shelf.origin)/2.mp3", "\(shelf.origin)/1.mp3"])
    try await reader.wait(until: "the first one was heard") {
      $0.contains("Queue · 1") && $0.contains("0:12 of 1:30")
    }
    let second = try await play([])
    #expect(second.suffix(4) == ["--{", "--start=12", "\(shelf.origin)/1.mp3", "--}"])
    try reader.send("dq")
    try await reader.wait(for: "Episode 2")
    #expect(try await reader.quit() == .exited(0))
    await shelf.stop()
  }

  @Test func `Chapters are shown on a page`() async throws {
    let shelf = try FileShelf([
      FileShelf.item(1, files: "$/1.mp3")
        + #"<podcast:chapters xmlns:podcast="https://podcastindex.org/namespace/1.0" url="$/c.json" type="application/json+chapters"/>"#
    ])
    shelf.set("/c.json") {
      $0.text =
        #"{"chapters":[{"startTime":0,"title":"The first minute"},{"startTime":61,"title":"The second"}]}"#
    }
    let sandbox = try Sandbox()
    try await sandbox.add(shelf.feed)
    let reader = try sandbox.reader(size: (width: 100, height: 24))
    try await reader.wait(for: "Episode 1")
    try reader.send("\r")
    try await reader.wait(for: "[2]")
    try reader.send("2\r")
    // A line alone would be told at the bottom.
    try await reader.wait(for: "2 lines")
    #expect(reader.screen.contains("1:01    The second"))
    try reader.send("q")
    try await reader.wait(for: "[2]")
    #expect(try await reader.quit() == .exited(0))
    await shelf.stop()
  }

  @Test func `A player can be ended as any program`() async throws {
    let sandbox = try Sandbox()
    let player = try sandbox.file(
      "player",
      """
      trap "echo over > '\(sandbox.folder)/over'; exit" TERM
      echo $$ > '\(sandbox.folder)/new'
      mv '\(sandbox.folder)/new' '\(sandbox.folder)/process'
      for turn in 1 2 3 4 5 6 7 8 9; do sleep 1; done
      """)
    let reader = try await reader("[player]\ncommand = \"/bin/sh \(player)\"\n", in: sandbox)
    try reader.send("p")
    #expect(await eventually { sandbox.contents(of: "process") != nil })
    let text = try #require(sandbox.contents(of: "process"))
    let process = try #require(pid_t(text.filter(\.isNumber)))
    kill(process, SIGTERM)
    let isOver = await eventually(within: .seconds(6)) { sandbox.contents(of: "over") != nil }
    #expect(isOver)
    #expect(try await reader.quit() == .exited(0))
  }

  @Test func `A player that is missing is named, and so is the setting`() async throws {
    let sandbox = try Sandbox()
    let reader = try await reader("[player]\ncommand = \"telex-no-such-player\"\n", in: sandbox)
    try reader.send("p")
    try await reader.wait(for: "player.command")
    #expect(reader.screen.drawing.contains("telex-no-such-player"))
    #expect(try await reader.quit() == .exited(0))
  }

  @Test func `A player may have the terminal`() async throws {
    let sandbox = try Sandbox()
    let player = try sandbox.file("player", "echo \"playing $1\"; head -c 1 > /dev/null")
    let reader = try await reader(
      "[player]\ncommand = \"/bin/sh \(player)\"\nuses_terminal = true\n", in: sandbox)
    try reader.send("p")
    try await reader.wait(for: "playing https://news.example/a%20b.mp3")
    #expect(!reader.screen.isAlternateScreen)
    try reader.send("\r")
    try await reader.wait(until: "the reader is back") { $0.isAlternateScreen }
    #expect(try await reader.quit() == .exited(0))
  }

  @Test func `A page opens in the background by a program of its own`() async throws {
    let sandbox = try Sandbox()
    let spy = try spy(in: sandbox)
    let reader = try await reader(
      """
      [browser]
      command = "w3m"
      uses_terminal = true
      background = "/bin/sh \(spy) --new %u"
      """, in: sandbox)
    try reader.send("w")
    try await reader.wait(for: "Opened https://news.example/a")
    #expect(await eventually { sandbox.contents(of: "spied") != nil })
    #expect(sandbox.contents(of: "spied") == "[--new][https://news.example/a]")
    #expect(try await reader.quit() == .exited(0))
    let other = try sandbox.reader(
      "--config",
      try sandbox.file("other.toml", "[browser]\ncommand = \"w3m\"\nuses_terminal = true\n"))
    try await other.wait(for: "An episode")
    try other.send("w")
    try await other.wait(for: "browser.background")
    #expect(try await other.quit() == .exited(0))
  }

  @Test func `A long address is shown whole on the ordinary screen, as a hyperlink`() async throws {
    let sandbox = try Sandbox()
    let reader = try await reader("", in: sandbox)
    try reader.send("\r")
    try await reader.wait(for: "See it")
    try reader.send("\u{01}")
    try await reader.wait(for: "A key goes back")
    #expect(!reader.screen.isAlternateScreen)
    let long = "https://long.example/" + String(repeating: "x", count: 150)
    let output = String(decoding: reader.output, as: UTF8.self)
    #expect(output.contains("\u{1B}]8;;\(long)\u{1B}\\\(long)\u{1B}]8;;\u{1B}\\"))
    try reader.send("x")
    try await reader.wait(until: "the reader is back") {
      $0.isAlternateScreen && $0.contains("See it")
    }
    #expect(try await reader.quit() == .exited(0))
  }
}

/// The end of mpv's JSON IPC that mpv has.
private struct MpvServer {
  private let socket: Int32

  init(at path: String) throws {
    #if os(Linux)
      socket = Foundation.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    #else
      socket = Foundation.socket(AF_UNIX, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let result = withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(result == 0 && listen(socket, 1) == 0)
  }

  /// Takes one connection, reads what is asked for, tells these lines, and closes it.
  func tell(_ lines: [String]) throws -> String {
    defer { close(socket) }
    var wait = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    try #require(poll(&wait, 1, 10_000) == 1)
    let client = accept(socket, nil, nil)
    defer { close(client) }
    var asked = ""
    var buffer = [UInt8](repeating: 0, count: 1024)
    while asked.split(separator: "\n").count < 3 {
      let count = read(client, &buffer, buffer.count)
      guard count > 0 else { break }
      asked += String(decoding: buffer[..<count], as: UTF8.self)
    }
    let bytes = Array(lines.map { $0 + "\n" }.joined().utf8)
    _ = bytes.withUnsafeBytes { write(client, $0.baseAddress, $0.count) }
    return asked
  }
}
