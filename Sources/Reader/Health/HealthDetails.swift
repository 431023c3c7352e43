internal import Foundation
internal import News
internal import Screen
internal import Text

extension HealthState {
  /// The details of a feed: its error, its fetches, and its own description.
  static func details(of row: HealthRow, width: Int, in state: ReaderState) -> [DetailLine] {
    let clock = state.clock
    var details = DetailLines(width: width)
    let fetching = row.feed.state
    let (summary, role) = summary(of: row, in: state)
    details.add("", summary, role)
    if let target = fetching.exchange?.redirectedTo { details.add("Redirect", target, .warning) }
    if let target = row.feed.movedTo { details.add(HealthStrings.movedTo, target, .warning) }
    if let remark = fetching.remark { details.add("Warning", remark, .warning) }
    details.add("Next", nextAttempt(of: row, in: state))
    if let failing = fetching.failing {
      let since = failing.since.seconds
      let time = clock.long(since)
      details.add(
        "Failing",
        failing.count == 1
          ? "once, at \(time)"
          : HealthStrings.failing(
            for: clock.duration(since: since), times: failing.count, since: time))
    }
    details.add("Address", WebAddress.withoutUser(row.feed.url))
    if let exchange = fetching.exchange, fetching.lastAttempt != nil {
      details.add("Response", HealthStrings.response(exchange.status, attempts: exchange.attempts))
    }
    details.add("Tried", moment(fetching.lastAttempt, clock), .dim)
    details.add("Fetched", moment(fetching.lastSuccess, clock), .dim)
    for (label, text) in ownWords(of: row.feed) { details.add(label, text) }
    return details.lines
  }

  /// The description of a feed by itself.
  private static func ownWords(of feed: Feed) -> [(label: String, text: String)] {
    let details = feed.details
    // Some put the list of a whole staff there.
    let names = details.authors.prefix(10).map(\.name)
    let others = details.authors.count - names.count
    let authors = names.joined(separator: ", ") + (others > 0 ? " and \(others) more" : "")
    let texts: [(String, String?)] = [
      ("About", feed.description), ("Authors", authors),
      (HealthStrings.homePage, feed.link), ("Language", feed.language),
      ("Rights", details.rights), ("Image", details.image ?? details.icon),
    ]
    return texts.compactMap { label, text in
      guard let text, !text.isEmpty else { return nil }
      let shown = text.prefix(longestText)
      return (label, shown.endIndex < text.endIndex ? shown + "…" : text)
    }
  }

  /// In characters: a long description would be wrapped with each drawing.
  private static let longestText = 1_000

  private static func moment(_ date: Date?, _ clock: WallClock) -> String {
    guard let date else { return "never" }
    return "\(clock.age(date.seconds)), \(clock.long(date.seconds))"
  }
}
