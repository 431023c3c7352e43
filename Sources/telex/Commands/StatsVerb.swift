internal import ArgumentParser
internal import News
internal import Reader
internal import TelexKit

struct StatsVerb: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats", abstract: "Print statistics of feeds: articles, share read, suggestions.",
    discussion: """
      One line for each feed, the most articles first: articles of each of the last 14 days and \
      of each week, articles a day, share read, starred, date of the newest, disk space. Below \
      are suggestions for silent, unopened, noisy, failing and slow feeds, with the command for \
      each; none for feeds of the last two weeks. Nothing is fetched.
      """)

  @OptionGroup var shared: SharedOptions
  @Option(help: .value("TIME", "The time until now: 4w, 1y. Default: 90d."))
  var since: String?
  @Option(help: .value("GROUP", "List only silent, unopened, noisy, failing or slow feeds."))
  var group: FeedGroup?

  private var span: Int64? {
    guard let since else { return ReadingStatistics.usualSpan }
    guard let span = ArticleQuery.seconds(of: since),
      (ReadingStatistics.day...ReadingStatistics.longestSpan).contains(span)
    else { return nil }
    return span
  }

  func validate() throws {
    try refuse(span == nil, "--since takes a time from 1d to 10y, such as 90d or 1y.")
  }

  func perform() async throws {
    guard let span else { return }
    let composition = try await common.compose()
    let report = ReadingReport(composition)
    let statistics = try await report.adding(sizesTo: report.numbers(over: span))
    show(statistics, isASCII: ReaderSettings.usesAsciiSigns(composition.settings.screen))
  }

  private func show(_ statistics: ReadingStatistics, isASCII: Bool) {
    let clock = WallClock.local()
    var table = Table([
      .init("NUMBER", isNumber: true), .init("DAYS"),
      .init("WEEKS", .ifWide), .init("A DAY", isNumber: true),
      .init("ARTICLES", isNumber: true), .init("READ", isNumber: true),
      .init("STARRED", .pipeOnly), .init("NEWEST"), .init("SIZE", isNumber: true),
      .init("GROUP", .limited), .init("FEED", .rest),
    ])
    let feeds = statistics.feeds.sorted { ($0.articles, $1.id) > ($1.articles, $0.id) }
    for feed in feeds {
      let groups = FeedGroup.allCases.filter(statistics.groups(of: feed).contains)
      if let group, !groups.contains(group) { continue }
      form.print(
        json(feed, groups, statistics), in: &table,
        [
          "\(feed.id.rawValue)",
          Sparkline.text(Array(feed.days.suffix(14)), columns: 14, isASCII: isASCII),
          Sparkline.text(feed.weeks, columns: 13, isASCII: isASCII),
          statistics.perDay(feed.articles), "\(feed.articles)",
          feed.readShare.map { "\($0)%" } ?? "", "\(feed.starred)",
          feed.newest.map { clock.short($0) } ?? "", feed.bytes.map(Measures.bytes) ?? "",
          groups.map(\.rawValue).joined(separator: ","), feed.feed.displayTitle,
        ])
    }
    form.finish(&table, empty: "No feeds match.")
    guard group == nil else { return }
    let total = statistics.total
    form.print(
      [
        "feeds": .number(feeds.count), "days": .number(statistics.span / ReadingStatistics.day),
        "articles": .number(total.articles), "read": .number(total.read),
        "unread": .number(total.unread), "starred": .number(total.starred),
        "opened": .number(total.opened), "weeks": .numbers(total.weeks),
        "daily": .numbers(total.days), "openedByWeek": .numbers(statistics.opened),
        "journalSince": .date(seconds: statistics.journalStart), "bytes": .number(total.bytes),
        "suggestions": .array(
          statistics.suggestions.map { suggestion in
            [
              "group": .string(suggestion.group.rawValue), "text": .string(suggestion.words),
              "feeds": .array(suggestion.feeds.map { .number($0.rawValue) }),
              "command": .string(suggestion.command),
            ]
          }),
        "error": .null,
      ],
      text: ([
        "\(Measures.counted(feeds.count, "feed")), "
          + "\(statistics.span / ReadingStatistics.day) days: "
          + "\(Measures.counted(total.articles, "article")) "
          + "(\(statistics.perDay(total.articles)) a day), \(total.read) read, "
          + "\(total.unread) unread, \(total.starred) starred, \(total.opened) opened here "
          + Sparkline.text(statistics.opened, columns: 26, isASCII: isASCII)
      ]
        + statistics.suggestions.map { suggestion in
          let others = suggestion.feeds.count > 1 ? " (\(suggestion.listing) lists them)" : ""
          return "\(suggestion.words): \(suggestion.command)\(others)"
        }).joined(separator: "\n"))
  }

  private func json(
    _ feed: FeedStatistics, _ groups: [FeedGroup], _ statistics: ReadingStatistics
  ) -> JSONOutput {
    let state = feed.feed.state
    return [
      "feedID": .number(feed.id.rawValue), "feed": .string(feed.feed.displayTitle),
      "articles": .number(feed.articles), "read": .number(feed.read),
      "unread": .number(feed.unread), "starred": .number(feed.starred),
      "opened": .number(feed.opened), "readPercent": .number(feed.readShare),
      "weeks": .numbers(feed.weeks), "daily": .numbers(feed.days),
      "newest": .date(seconds: feed.newest), "bytes": .number(feed.bytes),
      "interval": .number(feed.feed.settings.interval), "lastAttempt": .date(state.lastAttempt),
      "lastSuccess": .date(state.lastSuccess), "attempts": .number(state.exchange?.attempts),
      "failingSince": .date(state.failing?.since), "failures": .number(state.failing?.count ?? 0),
      "groups": .strings(groups.map(\.rawValue)),
    ]
  }
}

extension FeedGroup: ExpressibleByArgument {}
