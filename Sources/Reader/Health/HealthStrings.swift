internal import News
internal import Screen
internal import Text

enum HealthStrings {
  static let noFeeds = "No feeds."
  static let noneFailing = "No feed is failing."
  static let noneSelected = "No feed is selected."
  static func notRedirected(_ feed: String, change: String) -> String {
    "\(feed) has not moved. Press \(change) to change its address."
  }
  static let noneRedirected = "None of the selected feeds has moved."
  static func move(_ count: Int) -> String {
    "Move \(quantity(count, "feed")) to the new addresses"
  }
  static func noPage(_ feed: String) -> String { "\(feed) has no home page." }
  static func sameAddress(_ feed: String) -> String { "\(feed) already has this address." }
  static func noneDue(hours: Int) -> String { "No feed is due in the next \(hours) h." }
  static let movedTo = "Moved to"
  static let homePage = "Home page"
  static func failing(for duration: String, times: Int, since time: String) -> String {
    "for \(duration), \(times) times in a row, since \(time)"
  }
  static func response(_ status: Int?, attempts: Int) -> String {
    "\(status.map { "\($0)" } ?? "none"), \(attempts == 1 ? "first attempt" : "after \(attempts) attempts")"
  }
  static let gone = "The server has removed this feed for good (410)."
  static let healthy = "This feed is healthy."
  static func moves(_ key: String) -> String { "\(key) moves the feed to its new address." }
}

extension FeedCondition {
  var name: String {
    switch self {
    case .untrusted: CoreStrings.notTrusted
    case .failing: "failing"
    case .waiting: "waiting"
    case .redirected: "redirected"
    case .moved: "moved"
    case .remarked: "with a warning"
    case .gone: "gone"
    case .neverFetched: CoreStrings.neverFetched
    case .well: "healthy"
    }
  }
}

extension HealthRow {
  /// The condition in a word or two: twelve columns at most.
  var brief: String {
    if wait != nil { return "trying again" }
    switch condition {
    case .waiting where feed.awaitsNetwork: return CoreStrings.noNetwork
    case .untrusted, .failing, .waiting: return error?.brief ?? condition.name
    case .redirected, .moved: return twin != nil ? "duplicate" : condition.name
    case .remarked: return "warning"
    case .gone: return condition.name
    case .neverFetched: return "not fetched"
    case .well: return next?.interval.map { "every \(NextFetch.words($0))" } ?? ""
    }
  }
}

extension HealthRow {
  /// The error, or the new address, where the columns have room for all of it; else the condition in brief.
  func reason(fitting columns: Int) -> String {
    let address = newAddress.flatMap { twin == nil ? "\(brief): \(WebAddress.redacted($0))" : nil }
    let isTold = wait != nil || feed.awaitsNetwork
    guard !isTold, let long = error?.message ?? address, TextWidth.columns(of: long) <= columns
    else { return brief }
    return long
  }
}

extension SourceError {
  /// The kind of error in a word or two: twelve columns at most.
  fileprivate var brief: String {
    switch kind {
    case .offline: "offline"
    case .timeout: "timeout"
    case .dns: "no such host"
    case .refused: "refused"
    case .cutShort: "cut short"
    case .tls: CoreStrings.notTrusted
    case .paused: "paused"
    case .status: status.map { "status \($0)" } ?? "server error"
    case .decoding: "unreadable"
    case .tooLarge: "too large"
    case .redirect: "bad redirect"
    case .insecure: "plain http"
    case .proxy: "proxy error"
    case .cancelled: "cancelled"
    case .address: "bad address"
    case .notAFeed: "not a feed"
    case .secret: "no password"
    case .file: "file error"
    case .store: "not stored"
    case .program: "bad program"
    }
  }
}

extension HealthState {
  /// The condition in a sentence, with a key to change it.
  static func summary(of row: HealthRow, in state: ReaderState) -> (String, DetailLine.Role) {
    if let twin = row.twin, row.condition == .redirected || row.condition == .moved {
      return (
        "You already subscribe to the new address of this feed, as \(twin.displayTitle). \(state.key(.followAdvice)) merges the two feeds.",
        .warning
      )
    }
    switch row.condition {
    case .untrusted, .failing, .waiting:
      guard let error = row.error else {
        return ("Telex waits before it fetches this feed again.", .warning)
      }
      return (
        error.line,
        row.condition == .untrusted ? .alarm : row.condition == .failing ? .error : .warning
      )
    case .gone:
      return (row.error?.line ?? HealthStrings.gone, .error)
    case .redirected:
      let move = state.key(.followAdvice)
      return switch row.newAddress.flatMap(row.feed.stayingHeaders(askedAt:)) {
      case .secret(let header):
        (
          "This feed is redirected to another server, which does not get the secret header \(header). \(move) moves the feed without the secret; telex set FEED --header \(header) sets the secret for the new server.",
          .warning
        )
      case .open:
        (
          "This feed is redirected to another server, which does not get the headers set for the feed. \(move) moves the feed, and its headers with it.",
          .warning
        )
      case nil:
        ("This feed is temporarily redirected. \(HealthStrings.moves(move))", .warning)
      }
    case .moved:
      return (
        "This feed says that it has moved. \(HealthStrings.moves(state.key(.followAdvice)))",
        .warning
      )
    case .remarked: return ("This feed was fetched, with a warning.", .warning)
    case .neverFetched:
      return ("This feed has not been fetched yet. \(state.key(.refresh)) fetches the feed.", .text)
    case .well: return (HealthStrings.healthy, .text)
    }
  }

  static func nextAttempt(of row: HealthRow, in state: ReaderState) -> String {
    let clock = state.clock
    if let wait = row.wait {
      return "attempt \(wait.attempt) of \(wait.maxAttempts) in \(clock.wait(wait.until))"
    }
    let refresh = state.key(.refresh)
    if row.feed.state.isGone {
      return "only when you ask; \(refresh) tries again, \(state.key(.change)) changes the address"
    }
    guard let next = row.next else { return "only when you ask; \(refresh) fetches the feed" }
    let time = next.time.seconds
    guard time > clock.now else { return "with the next refresh: \(next.words)" }
    let isToday = clock.local(time).dayNumber == clock.local(clock.now).dayNumber
    let moment = isToday ? clock.short(time) : clock.long(time)
    return "in \(clock.wait(time)), at \(moment): \(next.words)"
  }
}
