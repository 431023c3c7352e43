import News
import TelexKit

/// A second front end: a reader of lines, as a bot or a pipe would have it. It stands on TelexKit alone.
struct LineReader {
  private let composition: Composition

  /// - Parameter folder: the store's.
  init(folder: String) throws {
    composition = try Composition(folder: folder, settings: Settings()) { _ in }
  }

  /// Answers a line with lines.
  func answer(_ line: String) async throws -> [String] {
    let words = line.split(separator: " ").map(String.init)
    switch (words.first, words.dropFirst().first) {
    case ("add", let address?):
      let addition = try FeedAddition(composition, at: address)
      guard case .feed(let found) = try await addition.find() else { return ["which one?"] }
      return ["added \(try await addition.add(found).feed.displayTitle)"]
    case ("feeds", nil):
      return try Subscriptions(composition).feeds().map { feed in
        "\(feed.id.rawValue) \(feed.displayTitle) \(feed.counts.unread)/\(feed.counts.total)"
      }
    case ("refresh", nil):
      let report = try await FeedRefresh(composition).run()
      return ["\(report.feedCount) feeds, \(report.inserted) new"]
        + report.failed.map { "\($0.feed.displayTitle): \($0.error.message)" }
    case ("unread", nil):
      var lines: [String] = []
      try Articles(composition).forEachRow(of: .all, unreadOnly: true) { row in
        lines.append("\(row.id.rawValue) \(row.title)")
      }
      return lines
    case ("read", let number?):
      guard let id = Int64(number).map(ArticleID.init) else { return ["which one?"] }
      try await Articles(composition).setRead([id], true)
      return ["read \(try Articles(composition).article(id).entry.title ?? "")"]
    default: return ["?"]
    }
  }
}
