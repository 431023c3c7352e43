import ChildProcess
import FeedServer
import News
import PseudoTerminal
import TestSupport
import Testing

/// From the first start to an article on the screen.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ReaderReadingTests {
  @Test func `The first start says how to begin, and a feed that is added shows`() async throws {
    try await withNewspaper { server, sandbox in
      let reader = try sandbox.reader()
      try await reader.wait(for: "No feeds yet.")
      #expect(reader.screen.contains("Press a and type the address of a feed"))
      try await reader.add(server.apiURL)
      try await reader.wait(for: "Story 001")
      #expect(reader.screen.isUnread("Story 001"))
      try await reader.wait(until: "the sidebar names it") { screen in
        screen.lines.contains { $0.hasPrefix("   The Loopback") || $0.contains("The Loopback") }
      }
      #expect(try await reader.quit() == .exited(0))
    }
  }

  @Test func `Adding a feed can be cancelled, and adds nothing then`() async throws {
    try await withNewspaper { server, sandbox in
      server.inject(.hang, on: "/", times: nil)
      let reader = try sandbox.reader(size: (120, 24))
      try await reader.wait(for: "No feeds yet.")
      try await reader.add(server.apiURL)
      try await reader.wait(until: "it is asked") {
        $0.contains("Esc cancel") && !server.requests.isEmpty
      }
      try reader.send(.escape)
      try await reader.wait(until: "it is called off") {
        $0.contains("Cancelled") && !$0.contains("looking for")
      }
      try reader.send("a")
      try await reader.wait(for: "Subscribe to: \(server.apiURL)")
      try reader.send(.escape)
      #expect(try await reader.quit() == .exited(0))
      #expect(try await sandbox.telex("list").output.isEmpty)
    }
  }

  @Test func `An address that failed comes back to be corrected`() async throws {
    try await withNewspaper { server, sandbox in
      server.inject(.status(404), on: "/", times: nil)
      let reader = try sandbox.reader(size: (120, 24))
      try await reader.wait(for: "No feeds yet.")
      try await reader.add("\(server.apiURL)x")
      // The address shows while it is typed, too.
      try await reader.wait(until: "the address is back, with what was wrong") {
        $0.contains("Subscribe to: \(server.apiURL)x") && $0.contains("404")
      }
      server.clearFaults()
      try reader.send(.backspace)
      try reader.send(.enter)
      try await reader.wait(for: "Story 001")
    }
  }

  @Test func `A finished article opens at its top`() async throws {
    let long = (1...60).map { "<p>Paragraph \($0).</p>" }.joined()
    let archive = Archive(
      title: "Long",
      articles: newspaper(1).articles.map { article in
        var entry = article.entry
        entry.contentHTML = long
        return Archive.Article(entry: entry, section: "", published: article.published)
      })
    try await withNewspaper(archive) { server, sandbox in
      try await sandbox.add(server.apiURL)
      let reader = try sandbox.reader()
      try await reader.wait(for: "Story 001")
      // Half of it, and it opens there; all of it, and it opens at its top.
      for (keys, reached, shown, hidden) in [
        ("  ", "Paragraph 25.", "Paragraph 20.", "Paragraph 1."),
        ("G", "Paragraph 60.", "Paragraph 1.", "Paragraph 60."),
      ] {
        try reader.send(.enter)
        try await reader.wait(for: "Paragraph ")
        try reader.send(keys)
        try await reader.wait(for: reached)
        try reader.send("q")
        try await reader.wait(for: "Enter open")
        try reader.send(.enter)
        try await reader.wait(until: "it opens where it should") {
          $0.contains(shown) && !$0.contains(hidden)
        }
        try reader.send("q")
        try await reader.wait(for: "Enter open")
      }
    }
  }

  @Test func `An address without a feed says why, and a brings it back`() async throws {
    try await withNewspaper { server, sandbox in
      server.inject(.status(404), on: "/", times: nil)
      let reader = try sandbox.reader(size: (120, 24))
      try await reader.wait(for: "No feeds yet.")
      try await reader.add("\(server.baseURL)/nothing-here")
      try await reader.wait(for: "404")
      try reader.send("a")
      try await reader.wait(for: "Subscribe to: \(server.baseURL)/nothing-here")
    }
  }

  @Test func `An address that is pasted is one to add`() async throws {
    try await withNewspaper { server, sandbox in
      let reader = try sandbox.reader()
      try await reader.wait(for: "No feeds yet.")
      try reader.paste(server.apiURL + "\n")
      try await reader.wait(for: "Subscribe to: \(server.apiURL)")
      #expect(server.requests.isEmpty)
      try reader.send(.enter)
      try await reader.wait(for: "Story 001")
    }
  }

  @Test func `What a feed writes cannot reach the terminal`() async throws {
    let evil = "Red \u{1b}[31m\u{9b}31m\u{7}\u{202e}Story \u{1b}]0;owned\u{7}end"
    let archive = Archive(
      title: "Evil \u{1b}[2J",
      articles: newspaper(1).articles.map { article in
        var entry = article.entry
        entry.title = evil
        entry.contentHTML = "<p>\(evil) &#27;[31m &#x9b;2J</p>"
        return Archive.Article(entry: entry, section: "", published: article.published)
      })
    try await withNewspaper(archive) { server, sandbox in
      try await sandbox.add(server.apiURL)
      let reader = try sandbox.reader(environment: ["NO_COLOR": "1"], size: (120, 24))
      try await reader.wait(for: "Red")
      try reader.send(.enter)
      try await reader.wait(for: "[31m")
      let written = String(decoding: reader.output, as: UTF8.self)
      for sequence in ["\u{1b}]0;", "\u{1b}[31m", "\u{9b}", "\u{202e}", "\u{7}"] {
        #expect(!written.contains(sequence), "\(sequence.debugDescription)")
      }
      let rows = try await sandbox.telex("articles").output
      #expect(!rows.contains("\u{1b}") && !rows.contains("\u{9b}"))
    }
  }

  @Test func `A refresh brings what is new without moving the list`() async throws {
    try await withNewspaper { server, sandbox in
      try await sandbox.add(server.apiURL)
      let reader = try sandbox.reader()
      try await reader.wait(for: "Story 001")
      server.insertFresh(1)
      try reader.send("r")
      try await reader.wait(for: "▲ 1 new · g")
      #expect(!reader.screen.contains("New article 1"))
      try reader.send("g")
      let screen = try await reader.wait(for: "New article 1")
      #expect(screen.contains("Story 001"))
    }
  }

  @Test func `Older pages that were stored later do not count as new`() async throws {
    try await withNewspaper(newspaper(400)) { server, sandbox in
      try await sandbox.add(server.apiURL)
      #expect(try await sandbox.telex("refresh", "--all-pages").status == 0)
      let reader = try sandbox.reader()
      try await reader.wait(for: "Story 001")
      for story in stride(from: 40, through: 380, by: 20) {
        try reader.send(.pageDown)
        let screen = try await reader.wait(until: "story \(story) shows") {
          $0.lastStory ?? 0 >= story
        }
        #expect(!screen.contains("▲"))
      }
      server.insertFresh(3)
      try reader.send("r")
      try await reader.wait(for: "▲ 3 new")
      try reader.send("g")
      try await reader.wait(until: "the newest show") {
        $0.contains("New article 3") && !$0.contains("▲")
      }
    }
  }

  @Test func `Scrolling down loads page after page, and asks for each once`() async throws {
    try await withNewspaper(newspaper(160)) { server, sandbox in
      try await sandbox.add(server.apiURL)
      #expect(server.askedCursors.isEmpty)
      let reader = try sandbox.reader()
      try await reader.wait(for: "Story 001")
      // A screen may be read while it is being drawn, so no number on it decides when to stop.
      var presses = 0
      while !reader.screen.contains("the end") {
        try #require(presses < 100, "\(reader.screen)")
        let before = reader.screen.lastStory ?? 0
        try reader.send(.pageDown)
        presses += 1
        // At the end of a page that is still being followed up, the key does nothing.
        _ = await eventually(within: .seconds(2)) {
          (reader.screen.lastStory ?? 0) > before || reader.screen.contains("the end")
        }
      }
      try await reader.wait(for: "the end")
      #expect(server.askedCursors.count == 3)
      #expect(Set(server.askedCursors).count == 3)
      // Past the end nothing is asked.
      for _ in 0..<5 { try reader.send("j") }
      try reader.send("g")
      try await reader.wait(for: "Story 001")
      #expect(server.askedCursors.count == 3)
    }
  }

  @Test func `Keys that arrive with the opening of a list or an article are for what it shows`()
    async throws
  {
    try await withNewspaper { server, sandbox in
      try await sandbox.add(server.apiURL)
      let reader = try sandbox.reader()
      try await reader.wait(for: "Story 001")
      // In one piece, as from a line that lags: to the feed, two rows down, and a star.
      try reader.send(";loopback\rjjs")
      try await reader.wait(until: "the third is starred") { screen in
        screen.lines.contains { $0.contains("Story 003") && $0.contains("★") }
      }
      #expect(!reader.screen.lines.contains { $0.contains("Story 001") && $0.contains("★") })
      // Into the article, to the next one, and a star.
      try reader.send("\rns")
      try await reader.wait(until: "the next one is open") { $0.contains("The body of number 004") }
      try reader.send("q")
      try await reader.wait(until: "the fourth is starred, too") { screen in
        screen.lines.contains { $0.contains("Story 004") && $0.contains("★") }
      }
      #expect(try await reader.quit() == .exited(0))
    }
  }

  @Test func `What was read stays read over a restart`() async throws {
    try await withNewspaper { server, sandbox in
      try await sandbox.add(server.apiURL)
      let reader = try sandbox.reader()
      try await reader.wait(for: "Story 001")
      try reader.send(.enter)
      try await reader.wait(for: "The body of number 001.")
      try reader.send("q")
      try await reader.wait(until: "the list shows it as read") {
        $0.isRead("Story 001") && $0.isUnread("Story 002")
      }
      #expect(try await reader.quit() == .exited(0))
      let second = try sandbox.reader()
      try await second.wait(until: "it is still read") {
        $0.isRead("Story 001") && $0.isUnread("Story 002")
      }
    }
  }

  @Test func `Pulling past the top twice refreshes`() async throws {
    try await withNewspaper { server, sandbox in
      try await sandbox.add(server.apiURL)
      let reader = try sandbox.reader()
      try await reader.wait(for: "Story 001")
      let before = server.refreshes
      // The pause is part of the gesture. On a busy machine the second pull may come too late, and
      // then is a first one.
      for _ in 0..<10 where server.refreshes == before {
        try reader.send("k")
        try await reader.wait(for: "pull again to refresh")
        try await Task.sleep(for: .milliseconds(350))
        try reader.send("k")
        if await eventually(within: .seconds(4), { server.refreshes > before }) { break }
      }
      #expect(server.refreshes > before)
    }
  }

  @Test func `A search shows what it finds, and Esc goes back`() async throws {
    try await withNewspaper { server, sandbox in
      try await sandbox.add(server.apiURL)
      let reader = try sandbox.reader()
      try await reader.wait(for: "Story 001")
      try reader.send("/")
      try await reader.wait(for: "Find in all articles:")
      try reader.send("quokka")
      try await reader.wait(until: "the one article is found") {
        $0.contains("1 found") && $0.contains("Story 007") && !$0.contains("Story 001")
      }
      try reader.send(.enter)
      try reader.send(.enter)
      try await reader.wait(for: "A quokka was there.")
      try reader.send("q")
      try await reader.wait(for: "1 found")
      try reader.send(.escape)
      try await reader.wait(for: "Story 001")
    }
  }
}
