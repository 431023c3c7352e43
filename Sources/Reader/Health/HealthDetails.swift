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
    if let target = row.feed.movedTo { details.add("Moved to", target, .warning) }
    if let remark = fetching.remark { details.add("Warning", remark, .warning) }
    details.add("Next", nextAttempt(of: row, in: state))
    if let failing = fetching.failing {
      let since = failing.since.seconds
      details.add(
        "Failing",
        failing.count == 1
          ? "once, at \(clock.long(since))"
          : "for \(clock.duration(since: since)), \(failing.count) times in a row; "
            + "since \(clock.long(since))")
    }
    details.add("Address", WebAddress.withoutUser(row.feed.url))
    if let exchange = fetching.exchange, fetching.lastAttempt != nil {
      let status = exchange.status.map { "\($0)" } ?? "none"
      let attempts =
        exchange.attempts == 1 ? "at the first attempt" : "after \(exchange.attempts) attempts"
      details.add("Answer", "\(status), \(attempts)")
    }
    details.add("Tried", moment(fetching.lastAttempt, clock), .dim)
    details.add("Worked", moment(fetching.lastSuccess, clock), .dim)
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
      ("About", feed.description), ("By", authors), ("Home page", feed.link),
      ("Language", feed.language), ("Rights", details.rights),
      ("Image", details.image ?? details.icon),
    ]
    return texts.compactMap { label, text in
      guard let text, !text.isEmpty else { return nil }
      let shown = text.prefix(longestText)
      return (label, shown.endIndex < text.endIndex ? shown + "…" : text)
    }
  }

  /// In characters: a long description would be wrapped with each drawing.
  private static let longestText = 1_000

  private static func key(_ command: Command, _ state: ReaderState) -> String {
    state.key(command)
  }

  /// The condition in a sentence, with a key to change it.
  private static func summary(of row: HealthRow, in state: ReaderState) -> (String, DetailLine.Role)
  {
    if let twin = row.twin, row.condition == .redirected || row.condition == .moved {
      return (
        "Its new address is that of \(twin.displayTitle), to which you subscribe as well; "
          + "\(key(.followAdvice, state)) merges the two.", .warning
      )
    }
    switch row.condition {
    case .untrusted, .failing, .waiting:
      guard let error = row.error else { return ("The feed is left alone for now.", .warning) }
      return (
        error.line,
        row.condition == .untrusted ? .alarm : row.condition == .failing ? .error : .warning
      )
    case .gone:
      return (row.error?.line ?? "The feed is gone for good (410).", .error)
    case .redirected:
      let moving = "\(key(.followAdvice, state)) moves it there"
      return switch row.newAddress.flatMap(row.feed.stayingHeaders(askedAt:)) {
      case .secret(let header):
        (
          "It answers from another server, to which the secret header \(header) is not sent; \(moving), without the secret. telex set FEED --header \(header) gives it that of its new server.",
          .warning
        )
      case .open:
        (
          "It answers from another server, to which the headers set for it are not sent; \(moving), and they go there then.",
          .warning
        )
      case nil: ("It answers from another address for the time being; \(moving).", .warning)
      }
    case .moved:
      return ("It says that it has moved; \(key(.followAdvice, state)) moves it there.", .warning)
    case .remarked: return ("The articles came, with a warning.", .warning)
    case .neverFetched: return ("Never fetched; \(key(.refresh, state)) fetches it.", .text)
    case .well: return ("All is well.", .text)
    }
  }

  private static func nextAttempt(of row: HealthRow, in state: ReaderState) -> String {
    let clock = state.clock
    if let wait = row.wait {
      return "attempt \(wait.attempt) of \(wait.maxAttempts) in \(clock.wait(wait.until))"
    }
    if row.feed.state.isGone {
      return
        "not by itself; \(key(.refresh, state)) tries it, \(key(.change, state)) types a new address"
    }
    guard let next = row.next else { return "not by itself; \(key(.refresh, state)) tries it" }
    let time = next.time.seconds
    guard time > clock.now else { return "with the next refresh: \(next.words)" }
    let isToday = clock.local(time).dayNumber == clock.local(clock.now).dayNumber
    let moment = isToday ? clock.short(time) : clock.long(time)
    return "in \(clock.wait(time)), at \(moment): \(next.words)"
  }

  private static func moment(_ date: Date?, _ clock: WallClock) -> String {
    guard let date else { return "never" }
    return "\(clock.age(date.seconds)), \(clock.long(date.seconds))"
  }
}
