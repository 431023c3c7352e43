import ChildProcess
import PseudoTerminal
import Testing

/// The lines between the articles of a list, and the order of the feeds in the sidebar, which are kept.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ReaderOrderTests {
  /// A home with three feeds, added in another order than that of their names. Each has an article of every day from
  /// the 8th of March back.
  private func sandbox() async throws -> Sandbox {
    let sandbox = try Sandbox()
    for (title, count) in [("Bread", 2), ("Cheese", 3), ("Apples", 1)] {
      let items = (1...count).map { number in
        """
        <item><guid>\(number)</guid><title>\(title) \(number)</title>
        <pubDate>0\(9 - number) Mar 2026 10:00:00 GMT</pubDate></item>
        """
      }
      try await sandbox.add(
        try sandbox.file(
          "\(title).xml",
          "<rss version='2.0'><channel><title>\(title)</title>\(items.joined())</channel></rss>"))
    }
    return sandbox
  }

  private func reader(_ sandbox: Sandbox) async throws -> PseudoTerminal {
    let config = try sandbox.file("all.toml", "[screen]\nopen_at = \"all\"\n")
    let reader = try sandbox.reader(
      "--config", config, environment: ["TZ": "UTC"], size: (100, 26))
    try await reader.wait(for: "Apples 1")
    return reader
  }

  private static let days = ["Sunday 8 March", "Saturday 7 March", "Friday 6 March"]
  private static let names = ["Apples", "Bread", "Cheese"]

  @Test func `. parts a list by days or feeds, and each list keeps that over a restart`()
    async throws
  {
    let sandbox = try await sandbox()
    let first = try await reader(sandbox)
    #expect(first.screen.headings == [])
    try first.send(".")
    try await first.wait(until: "the days show") { $0.headings == Self.days }
    #expect(
      first.screen.articles(of: "Sunday 8 March") == ["Apples 1", "Cheese 1", "Bread 1"])
    #expect(first.screen.articles(of: "Saturday 7 March") == ["Cheese 2", "Bread 2"])
    try first.send(",,")
    try await first.wait(until: "the feeds show") { $0.headings == Self.names }
    #expect(first.screen.articles(of: "Bread") == ["Bread 1", "Bread 2"])
    // Another list has no lines, and gets its own.
    try first.send("hj")
    try first.send(.enter)
    try await first.wait(until: "unread articles show") {
      $0.contains("Unread · 6") && $0.headings == []
    }
    try first.send(".")
    try await first.wait(until: "the days show") { $0.headings == Self.days }
    #expect(try await first.quit() == .exited(0))

    let second = try await reader(sandbox)
    try await second.wait(until: "the feeds show") { $0.headings == Self.names }
    try second.send(".")
    try await second.wait(until: "no lines show") { $0.headings == [] && $0.contains("by feed") }
    try second.send("hj")
    try second.send(.enter)
    try await second.wait(until: "the days show") {
      $0.contains("Unread · 6") && $0.headings == Self.days
    }
    #expect(try await second.quit() == .exited(0))

    let third = try await reader(sandbox)
    try await third.wait(for: "All, by feed")
    #expect(third.screen.headings == [])
    #expect(try await third.quit() == .exited(0))
  }

  @Test func `A comma sorts the sidebar by name, unread or as added, also over a restart`()
    async throws
  {
    let sandbox = try await sandbox()
    let orders = [["Cheese", "Bread", "Apples"], ["Bread", "Cheese", "Apples"], Self.names]
    var before = Self.names
    for order in orders {
      let reader = try await reader(sandbox)
      try await reader.wait(until: "the order of before") { $0.sidebarFeeds == before }
      try reader.send("h,")
      try await reader.wait(until: "the next order") { $0.sidebarFeeds == order }
      #expect(try await reader.quit() == .exited(0))
      before = order
    }
    let last = try await reader(sandbox)
    try await last.wait(until: "by name again") { $0.sidebarFeeds == Self.names }
    #expect(try await last.quit() == .exited(0))
  }
}

extension ScreenText {
  /// The text of a line between the articles of the list; nil where this is none.
  private func heading(_ line: String) -> String? {
    // In another year a day has its year too.
    line.firstMatch(of: /│ ([\w ]+?)( 2026)? ┄/).map { String($0.1) }
  }

  fileprivate var headings: [String] { lines.compactMap(heading) }

  /// The titles of the articles below such a line.
  fileprivate func articles(of name: String) -> [String] {
    lines.drop { heading($0) != name }.dropFirst().prefix { heading($0) == nil }
      .compactMap { $0.firstMatch(of: /(\w+ \d)$/).map { String($0.1) } }
  }

  /// The names of the feeds in the sidebar.
  fileprivate var sidebarFeeds: [String] {
    lines.compactMap { $0.firstMatch(of: /^   (\w+) +\d *│/).map { String($0.1) } }
  }
}
