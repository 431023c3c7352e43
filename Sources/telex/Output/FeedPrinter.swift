internal import Foundation
internal import News
internal import Reader
internal import Text

/// The values of a feed for `--format`.
enum FeedField: String, CaseIterable {
  case id, title, url, link, folders, account, format, unread, total, starred, state, error, since
  case updated, attempted

  static let dates: Set<String> = [since.rawValue, updated.rawValue, attempted.rawValue]

  func text(of feed: Feed, _ clock: WallClock, _ format: DateFormat?) -> String {
    func time(_ date: Date?) -> String {
      guard let date else { return "" }
      guard let format else { return Timestamp.text(of: date) }
      return clock.text(Int64(date.timeIntervalSince1970), format)
    }
    switch self {
    case .id: return "\(feed.id.rawValue)"
    case .title: return feed.displayTitle
    case .url: return WebAddress.withoutUser(feed.url)
    case .link: return feed.link ?? ""
    case .folders: return feed.folders.joined(separator: ", ")
    case .account: return feed.account.id == .local ? "local" : feed.account.base
    case .format: return feed.format?.rawValue ?? ""
    case .unread: return "\(feed.counts.unread)"
    case .total: return "\(feed.counts.total)"
    case .starred: return "\(feed.counts.starred)"
    case .state: return feed.standing.rawValue
    case .error: return feed.state.error?.message ?? ""
    case .since: return time(feed.state.failing?.since)
    case .updated: return time(feed.state.lastSuccess)
    case .attempted: return time(feed.state.lastAttempt)
    }
  }
}

/// The state of the fetches of a feed.
enum FeedStanding: String {
  case fetched
  case unfetched = "never fetched"
  case failing
  /// Status 410.
  case gone
}

extension Feed {
  var standing: FeedStanding {
    if state.isGone { return .gone }
    if awaitsNetwork { return .unfetched }
    if state.error != nil { return .failing }
    // Sync servers deliver articles by account, not by feed.
    let isFetched =
      state.lastAttempt != nil || state.lastSuccess != nil || counts.total > 0
      || account.capabilities.contains(.items)
    return isFetched ? .fetched : .unfetched
  }

  /// The problem of a feed, for lists; empty without one.
  fileprivate func remark(_ clock: WallClock) -> String {
    let pause = state.restsUntil.map { Int64($0.timeIntervalSince1970) }.flatMap { end in
      end > clock.now ? "Its server wants a pause until \(clock.long(end))." : nil
    }
    switch standing {
    case .fetched: return pause ?? ""
    case .unfetched:
      return pause
        ?? (awaitsNetwork ? "waiting for the network to find the feed" : "never fetched")
    case .failing, .gone:
      let since = state.failing.map { run in
        " Since \(clock.long(Int64(run.since.timeIntervalSince1970)))"
          + (run.count > 1 ? ", \(run.count) times." : ".")
      }
      return "! \(state.error?.message ?? "The feed is gone.")\(since ?? "")"
        + (pause.map { " \($0)" } ?? "")
    }
  }
}

/// Prints feeds as a table, as JSON or with `--format`. Call `finish` after the last.
struct FeedPrinter {
  private let template: LineTemplate?
  private let isJSON: Bool
  private let clock = WallClock.local()
  /// For JSON.
  var packed = PackedArticles()
  private var isEmpty = true
  private var table = Table([
    .init("NUMBER", isNumber: true), .init("UNREAD", isNumber: true), .init("TITLE", .rest),
    .init("URL", .pipeOnly), .init("FOLDER", .limited), .init("STATE", .limited),
  ])

  /// - Throws: `SourceError` of stage `.arguments` for a mistake in the format.
  init(_ form: OutputOptions, format: String?) throws {
    template = try format.map {
      try LineTemplate($0, names: FeedField.allCases.map(\.rawValue), dates: FeedField.dates)
    }
    isJSON = form.json
  }

  mutating func print(_ feed: Feed) {
    isEmpty = false
    if isJSON {
      return Output.line(.joined(.feed(feed), ["packed": .number(packed.counts[feed.id] ?? 0)]))
    }
    if let template {
      return Output.line(
        template.filled { name, format in
          FeedField(rawValue: name)?.text(of: feed, clock, format) ?? ""
        })
    }
    table.add([
      "\(feed.id.rawValue)", "\(feed.counts.unread)/\(feed.counts.total)", feed.displayTitle,
      WebAddress.withoutUser(feed.url), feed.folders.joined(separator: ", "), feed.remark(clock),
    ])
  }

  /// Prints an empty folder as a row of the table; not with JSON or `--format`.
  mutating func print(empty folder: FolderID) {
    guard !isJSON, template == nil else { return }
    isEmpty = false
    table.add(["", "0/0", "", "", folder.path, "no feeds"])
  }

  mutating func finish() {
    table.finish()
    if isEmpty, !isJSON { Output.note("No feeds match.") }
  }
}
