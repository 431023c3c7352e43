internal import News
internal import Screen
internal import Testing

@testable internal import Reader

/// The screen of what the feeds bring, and how much of it is read.
@Suite struct StatisticsTests {
  private func session(
    _ keys: String = "", width: Int = 100, height: Int = 24,
    _ statistics: ReadingStatistics = .sample
  ) -> Session {
    var session = Session(width: width, height: height)
    session.showStatistics(keys, statistics)
    return session
  }

  private func without(_ group: FeedGroup) -> ReadingStatistics {
    var statistics = ReadingStatistics.sample
    statistics.feeds.removeAll { ReadingStatistics.sample.groups(of: $0).contains(group) }
    return statistics
  }

  @Test func `A suggestion names the feeds and the command, and not a feed that is paused`() {
    let silent = [1, 2].map { id in
      FeedStatistics(
        feed: Feed(id: FeedID(id), url: "https://example.org/\(id)"), weeks: [0, 0],
        newest: Sample.now - 400 * ReadingStatistics.day)
    }
    func statistics(_ feed: FeedStatistics) -> ReadingStatistics {
      ReadingStatistics(now: Sample.now, span: 14 * ReadingStatistics.day, feeds: silent + [feed])
    }
    var paused = FeedStatistics(
      feed: Feed(id: FeedID(9), url: "https://example.org/9"), weeks: [30, 30], unread: 60)
    #expect(
      statistics(paused).suggestions.map(\.command) == [
        "telex remove 1 2", "telex set 9 --paused yes",
      ])
    var settings = FeedSettings()
    settings.isPaused = true
    paused = FeedStatistics(
      feed: Feed(id: FeedID(9), url: "https://example.org/9", settings: settings),
      weeks: [30, 30], unread: 60)
    #expect(statistics(paused).suggestions.map(\.feeds) == [[FeedID(1), FeedID(2)]])
  }

  @Test func `Selected rows are one set of feeds`() {
    var session = session("vGV")
    session.send(keys: "d")
    #expect(session.lines.last?.contains("Unsubscribe from 6 feeds") == true)
    session.send(keys: "n<Esc>")
    #expect(session.state.front is StatisticsState && !session.lines[0].contains("selected"))
  }

  @Test func `A suggestion names its numbers`() {
    let day = ReadingStatistics.day
    let feed = Feed(id: FeedID(9), url: "https://example.org/9")
    func words(days: Int64, _ feeds: FeedStatistics...) -> [String] {
      ReadingStatistics(now: Sample.now, span: days * day, feeds: feeds).suggestions.map(\.words)
    }
    let unopened = FeedStatistics(
      feed: feed, added: Sample.now - 57 * day, weeks: [30, 34], unread: 64)
    #expect(words(days: 90, unopened) == ["1 feed: 0 of 64 articles opened in 8 weeks"])
    #expect(words(days: 28, unopened) == ["1 feed: 0 of 64 articles opened in 4 weeks"])
    #expect(words(days: 28, unopened, unopened) == ["2 feeds: 0 of 128 articles opened in 4 weeks"])
    let noisy = FeedStatistics(feed: feed, weeks: [200, 226], unread: 10)
    #expect(words(days: 14, noisy) == ["1 feed with 30.4 articles a day"])
    #expect(
      ReadingStatistics.sample.suggestions.map(\.words).contains("1 feed failing, 4 times in a row")
    )
  }

  @Test func `Its key has the numbers counted, and leaving it gives that up`() {
    var session = Session(Sample.rows(1...3))
    #expect(session.send(keys: "S") == [.statistics(.count(span: ReadingStatistics.usualSpan))])
    #expect(session.lines.contains { $0.contains("Counting …") })
    #expect(session.send(keys: "q") == [.cancel(.statistics)])
    #expect(session.state.stack.topPage == nil)
    // What comes too late shows nowhere.
    _ = session.state.reduce(.statistics(.counted(.sample, .sample)))
    #expect(session.state.stack.topPage == nil)
  }

  @Test func `A feed shows a bar for each day, articles a day, and the share that is read`() throws
  {
    let session = session()
    let row = try #require(session.lines.first { $0.contains("A quiet journal") })
    #expect(row.contains(" ▅▁▃▇▁▁█▅"), "\(row)")
    #expect(row.contains("1.0") && row.contains("86%") && row.contains("1.2 MB"), "\(row)")
    let all = try #require(session.lines.first { $0.contains("All feeds") })
    #expect(all.contains("25.0 MB"), "\(all)")
  }

  @Test func `What the cache holds comes last, and the rest does not wait for it`() {
    var session = Session(width: 80, height: 40)
    _ = session.state.reduce(.subscriptions(.arrived(.counted)))
    session.send(keys: "S")
    _ = session.state.reduce(.statistics(.counted(without(.failing), nil)))
    #expect(session.lines[0].contains("adding up sizes …"))
    #expect(session.lines.contains { $0.contains("A quiet journal") })
    #expect(session.lines.contains { $0.contains("Cache") && $0.contains("adding up sizes …") })
    _ = session.state.reduce(.statistics(.counted(.sample, .sample)))
    session.send(keys: "<C-e><C-e><C-e><C-e><C-e><C-e><C-e><C-e>")
    #expect(session.lines.contains { $0.contains("Pictures") && $0.contains("━ 31.0 MB") })
    #expect(session.lines.contains { $0.contains("Pages") && $0.contains("─ 6.0 MB") })
  }

  @Test func `A suggestion names the key that acts, which asks before it changes anything`() throws
  {
    var session = session("j")
    let row = try #require(session.lines.first { $0.contains("2 feeds silent for a year") })
    #expect(row.contains("x unsubscribe"))
    #expect(session.send(keys: "x") == [])
    #expect(
      session.lines.last?.contains("Unsubscribe from 2 feeds and delete their articles") == true)
    #expect(session.send(keys: "y") == [.subscriptions(.remove([FeedID(4), FeedID(5)]))])
    // The numbers are counted again, and the way back is told.
    let effects = session.state.reduce(
      .subscriptions(.removed([FeedID(4), FeedID(5)], count: 2)))
    #expect(effects.contains(.statistics(.count(span: ReadingStatistics.usualSpan))))
    #expect(session.lines.last?.contains("Unsubscribed from 2 feeds. u undoes this.") == true)
    #expect(session.send(keys: "u") == [.apply(.undoAsking(agreedTo: nil))])
  }

  @Test(
    arguments: [
      ("jj", FeedSetting.paused, FeedID(3), "Pause 日本語のブログ"),
      ("jjj", .hidden, FeedID(2), "Hide The Everything Wire"),
    ] as [(String, FeedSetting, FeedID, String)])
  func `Feeds are paused and hidden after a question`(
    _ keys: String, _ setting: FeedSetting, _ feed: FeedID, _ question: String
  ) {
    var session = session(keys)
    #expect(session.send(keys: "x") == [])
    #expect(session.lines.last?.contains(question) == true, "\(session.lines.last ?? "")")
    #expect(session.send(keys: "y") == [.subscriptions(.set([feed], setting, to: "yes"))])
  }

  @Test func `Feeds that fail are tried at once`() {
    var session = session("jjjj")
    #expect(session.send(keys: "x").contains(.refresh(.askedFeeds([FeedID(6)]))))
  }

  @Test func `Enter goes to the articles of a feed, and picks the feeds of a suggestion`() {
    var feed = session("jjjjj")
    #expect(feed.send(keys: "<Enter>").contains(.cancel(.statistics)))
    #expect(feed.state.stack.topPage == nil && feed.state.focus == .list)
    #expect(feed.state.list.query.timeline == .feed(FeedID(2)))

    var several = session("j")
    #expect(several.send(keys: "<Enter>").contains(.cancel(.statistics)))
    #expect(several.state.focus == .sidebar)
    #expect(several.state.sidebar.picked.ids == [FeedID(4), FeedID(5)])
    #expect(several.state.sidebar.selected == .feed(FeedID(4)))
  }

  @Test func `The time is made longer and shorter, and numbers of another one are dropped`() {
    var session = session()
    let day = ReadingStatistics.day
    #expect(session.send(keys: "+") == [.statistics(.count(span: 365 * day))])
    var late = ReadingStatistics.sample
    late.feeds = []
    _ = session.state.reduce(.statistics(.counted(late, .sample)))
    #expect(session.lines.contains { $0.contains("A quiet journal") })
    #expect(
      session.send(keys: "--") == [
        .statistics(.count(span: 90 * day)), .statistics(.count(span: 28 * day)),
      ])
    session.send(keys: "-")
    session.send(keys: "-")
    #expect(session.lines.last?.contains("This is the shortest time.") == true)
  }

  @Test func `Why nothing was counted is told, with the key that tries again`() {
    var session = Session(Sample.rows(1...3))
    session.send(keys: "S")
    _ = session.state.reduce(.statistics(.failed(Sample.unavailable)))
    #expect(session.lines.contains { $0.contains("replied 503") })
    #expect(session.lines.contains { $0.contains("r counts again") })
    #expect(session.send(keys: "r") == [.statistics(.count(span: ReadingStatistics.usualSpan))])
  }

  @Test func `It is drawn at any size, also without Unicode`() throws {
    for width in [1, 5, 11, 29, 40, 57, 90, 130, 250] {
      for height in [1, 2, 5, 9, 30] {
        _ = session("jj", width: width, height: height).state.render()
      }
    }
    var session = session()
    session.state.settings.usesAsciiSigns = true
    let row = try #require(session.lines.first { $0.contains("All feeds") })
    #expect(!row.contains { !$0.isASCII }, "\(row)")
  }
}
