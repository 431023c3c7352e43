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

  /// The condition in a sentence, with a key to change it.
  private static func summary(of row: HealthRow, in state: ReaderState) -> (String, DetailLine.Role)
  {
    if let twin = row.twin, row.condition == .redirected || row.condition == .moved {
      return (
        HealthStrings.duplicate(of: twin.displayTitle, merge: state.key(.followAdvice)), .warning
      )
    }
    switch row.condition {
    case .untrusted, .failing, .waiting:
      guard let error = row.error else { return (HealthStrings.notFetchedNow, .warning) }
      return (
        error.line,
        row.condition == .untrusted ? .alarm : row.condition == .failing ? .error : .warning
      )
    case .gone:
      return (row.error?.line ?? HealthStrings.gone, .error)
    case .redirected:
      let move = state.key(.followAdvice)
      return switch row.newAddress.flatMap(row.feed.stayingHeaders(askedAt:)) {
      case .secret(let header): (HealthStrings.secretStays(header, move: move), .warning)
      case .open: (HealthStrings.headersStay(move: move), .warning)
      case nil: (HealthStrings.redirected(move: move), .warning)
      }
    case .moved: return (HealthStrings.moved(move: state.key(.followAdvice)), .warning)
    case .remarked: return (HealthStrings.remarked, .warning)
    case .neverFetched:
      return (HealthStrings.neverFetched(refresh: state.key(.refresh)), .text)
    case .well: return (HealthStrings.healthy, .text)
    }
  }

  private static func nextAttempt(of row: HealthRow, in state: ReaderState) -> String {
    let clock = state.clock
    if let wait = row.wait {
      return "attempt \(wait.attempt) of \(wait.maxAttempts) in \(clock.wait(wait.until))"
    }
    let refresh = state.key(.refresh)
    if row.feed.state.isGone {
      return HealthStrings.onlyWhenAsked(refresh: refresh, change: state.key(.change))
    }
    guard let next = row.next else { return HealthStrings.onlyWhenAsked(refresh: refresh) }
    let time = next.time.seconds
    guard time > clock.now else { return HealthStrings.withNextRefresh(next.words) }
    let isToday = clock.local(time).dayNumber == clock.local(clock.now).dayNumber
    let moment = isToday ? clock.short(time) : clock.long(time)
    return "in \(clock.wait(time)), at \(moment): \(next.words)"
  }

  private static func moment(_ date: Date?, _ clock: WallClock) -> String {
    guard let date else { return "never" }
    return "\(clock.age(date.seconds)), \(clock.long(date.seconds))"
  }
}
