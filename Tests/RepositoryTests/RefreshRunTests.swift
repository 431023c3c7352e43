internal import Foundation
internal import News
internal import Store
internal import TestSupport
internal import Testing

@testable internal import Repository

/// The refresh as a value: what it wants done after each event, without a store or a network.
@Suite struct RefreshRunTests {
  private static let asked = RefreshRun.Request(
    lane: .asked, waitsForOthers: true, overtakesPaging: true)
  private static let due = RefreshRun.Request(
    lane: .ahead, waitsForOthers: false, overtakesPaging: true)

  private func feed(_ number: Int, attempt: Date? = nil) -> Feed {
    var feed = Feed(id: FeedID(Int64(number)), url: "http://host\(number).example/feed")
    feed.state.lastAttempt = attempt
    return feed
  }

  private func fetched(_ feed: Feed) -> FetchedFeed {
    FetchedFeed(outcome: outcome(feed)) { _ in .init() }
  }

  private func outcome(_ feed: Feed) -> RefreshReport.Outcome {
    RefreshReport.Outcome(
      feed: feed, inserted: 0, updated: 0, isUnchanged: false, warnings: [])
  }

  private func run(concurrent: Int = 16) -> RefreshRun {
    RefreshRun(concurrent: concurrent, perHost: 2)
  }

  /// A run in which these feeds are claimed, with what it wants done then.
  private func begun(
    _ feeds: [Feed], _ request: RefreshRun.Request = asked, free: [Feed]? = nil,
    concurrent: Int = 16
  ) -> (RefreshRun, [String]) {
    var run = run(concurrent: concurrent)
    _ = run.handle(.asked(feeds, request))
    let actions = run.handle(.claimed(feeds, free: Set((free ?? feeds).map(\.id)), request))
    return (run, names(actions))
  }

  /// Actions in words: "fetch 1".
  private func names(_ actions: [RefreshRun.Action]) -> [String] {
    func ids(_ feeds: [Feed]) -> String {
      feeds.map { "\($0.id.rawValue)" }.joined(separator: " ")
    }
    return actions.map { action in
      switch action {
      case .overtakePaging(let feeds): "overtake " + ids(feeds)
      case .claim(let feeds, _): "claim " + ids(feeds)
      case .fetch(let feed): "fetch " + ids([feed])
      case .store(let batch): "store " + ids(batch.map(\.outcome.feed))
      case .timeBatch(let number): "time \(number)"
      case .awaitOthers(let feeds): "await " + ids(feeds)
      }
    }
  }

  @Test func `A feed is claimed, fetched, stored and reported, in this order`() {
    let feed = feed(1)
    var run = run()
    #expect(names(run.handle(.asked([feed], Self.asked))) == ["overtake 1", "claim 1"])
    #expect(!run.isOver)
    #expect(names(run.handle(.claimed([feed], free: [feed.id], Self.asked))) == ["fetch 1"])
    #expect(names(run.handle(.fetched(feed, fetched(feed)))) == ["time 0", "store 1"])
    #expect(!run.isOver)
    #expect(names(run.handle(.stored([outcome(feed)]))) == [])
    #expect(run.isOver && !run.report.isCut)
    #expect(run.report.outcomes.map(\.feed.id) == [feed.id])
  }

  @Test func `A feed that is in the run already is not fetched twice`() {
    var (run, _) = begun([feed(1), feed(2)])
    #expect(names(run.handle(.asked([feed(1)], Self.asked))) == [])
    #expect(
      names(run.handle(.asked([feed(2), feed(3)], Self.asked))) == ["overtake 3", "claim 3"])
  }

  @Test func `A feed whose address has changed may be asked for again`() {
    var (run, _) = begun([feed(1)])
    _ = run.handle(.moved(FeedID(1)))
    #expect(names(run.handle(.asked([feed(1)], Self.asked))) == ["overtake 1", "claim 1"])
  }

  @Test func `News that a server has told of overtakes no older pages`() {
    var run = run()
    let told = RefreshScope.told([FeedID(1)]).request
    #expect(names(run.handle(.asked([feed(1)], told))) == ["claim 1"])
  }

  @Test func `What others fetch is left to them by a refresh that nobody asked for`() {
    let (run, actions) = begun([feed(1), feed(2)], Self.due, free: [feed(2)])
    #expect(actions == ["fetch 2"])
    #expect(run.members == [FeedID(2)])
  }

  @Test func `What others fetch is waited for, and done when they have fetched it`() {
    let (mine, other, stuck) = (feed(1), feed(2), feed(3))
    var (run, actions) = begun([mine, other, stuck], free: [mine])
    #expect(actions == ["fetch 1", "await 2 3"])
    _ = run.handle(.fetched(mine, fetched(mine)))
    _ = run.handle(.stored([outcome(mine)]))
    #expect(!run.isOver)
    // One was fetched; the other process has let go of the second without fetching it.
    let done = feed(2, attempt: Date(timeIntervalSince1970: 1))
    #expect(names(run.handle(.released([done, stuck], removed: []))) == ["claim 3"])
    #expect(run.report.outcomes.map(\.isByAnother) == [false, true])
    #expect(
      names(run.handle(.claimed([stuck], free: [stuck.id], Self.asked))) == ["fetch 3"])
  }

  @Test func `The wait for others ends with a feed that was removed`() {
    var (run, _) = begun([feed(1)], free: [])
    #expect(names(run.handle(.released([], removed: [FeedID(1)]))) == [])
    #expect(run.isOver && run.members.isEmpty && run.report.outcomes.isEmpty)
  }

  @Test func `At the deadline what others hold is reported with who holds it`() {
    var (run, _) = begun([feed(1), feed(2)], free: [])
    _ = run.handle(.gaveUp(holders: [FeedID(1): "telex refresh (process 7)"]))
    #expect(run.isOver)
    let messages = run.report.outcomes.map { $0.error?.message ?? "" }
    #expect(
      messages == [
        "telex refresh (process 7) is still fetching it.", "Another Telex is still fetching it.",
      ])
  }

  @Test func `A batch that is not full waits for others or for its time`() {
    var (run, _) = begun([feed(1), feed(2)])
    #expect(names(run.handle(.fetched(feed(1), fetched(feed(1))))) == ["time 0"])
    #expect(names(run.handle(.batchGrewOld(7))) == [])
    #expect(names(run.handle(.batchGrewOld(0))) == ["store 1"])
    // Nothing is left to wait for.
    #expect(names(run.handle(.fetched(feed(2), fetched(feed(2))))) == ["time 1"])
    #expect(names(run.handle(.stored([outcome(feed(1))]))) == ["store 2"])
  }

  @Test func `A cancelled run fetches nothing more and stores what has come`() {
    let feeds = [feed(1), feed(2), feed(3)]
    var (run, actions) = begun(feeds, concurrent: 2)
    #expect(actions == ["fetch 1", "fetch 2"])
    _ = run.handle(.fetched(feed(1), fetched(feed(1))))
    #expect(names(run.handle(.cancelled)) == ["store 1"])
    #expect(names(run.handle(.fetched(feed(2), nil))) == [])
    #expect(names(run.handle(.asked([feed(4)], Self.asked))) == [])
    _ = run.handle(.stored([outcome(feed(1))]))
    #expect(run.report.isCut && !run.isDone && !run.isOver)
    #expect(run.report.outcomes.map(\.feed.id) == [FeedID(1)])
  }

  @Test func `A request that comes to a cancelled run is known to be left over`() {
    var (run, _) = begun([feed(1)])
    _ = run.handle(.cancelled)
    _ = run.handle(.fetched(feed(1), fetched(feed(1))))
    _ = run.handle(.stored([outcome(feed(1))]))
    #expect(!run.report.isCut)
    _ = run.handle(.asked([feed(2)], Self.asked))
    #expect(run.report.isCut)
  }

  /// Answers the actions in any order, with claims of others, failures and wishes in between.
  @Test(arguments: 0..<200)
  func `Whatever the order, each feed is fetched once at a time, is reported, and the run ends`(
    seed: Int
  ) {
    var random = SplitMix(seed: UInt64(seed))
    var run = run(concurrent: 3)
    var pending: [RefreshRun.Action] = []
    var underWay: Set<FeedID> = []
    func begin(_ actions: [RefreshRun.Action]) {
      for case .fetch(let feed) in actions { #expect(underWay.insert(feed.id).inserted) }
      #expect(underWay.count <= 3)
      pending += actions
    }
    begin(run.handle(.asked((1...8).map { feed($0) }, Self.asked)))
    var wishes = [[9, 3], [10], [1, 11, 12]]
    var steps = 0
    while !run.isOver {
      steps += 1
      guard steps < 1_000, let index = pending.indices.randomElement(using: &random) else {
        Issue.record("it does not end: \(names(pending))")
        return
      }
      switch pending.remove(at: index) {
      case .overtakePaging: break
      case .claim(let feeds, let request):
        let free = feeds.map(\.id).filter { _ in Bool.random(using: &random) }
        begin(run.handle(.claimed(feeds, free: Set(free), request)))
      case .fetch(let feed):
        underWay.remove(feed.id)
        begin(run.handle(.fetched(feed, fetched(feed))))
      case .store(let batch): begin(run.handle(.stored(batch.map(\.outcome))))
      case .timeBatch(let number): begin(run.handle(.batchGrewOld(number)))
      case .awaitOthers(let feeds):
        let time = Bool.random(using: &random) ? Date(timeIntervalSince1970: 5) : nil
        let freed = feeds.prefix(1).map { feed(Int($0.id.rawValue), attempt: time) }
        begin(run.handle(.released(freed, removed: [])))
      }
      if !run.isOver, !wishes.isEmpty, Int.random(in: 0..<4, using: &random) == 0 {
        begin(run.handle(.asked(wishes.removeLast().map { feed($0) }, Self.asked)))
      }
    }
    #expect(Set(run.report.outcomes.map(\.feed.id)) == run.members)
    #expect(run.report.outcomes.count == run.members.count)
    #expect(!run.report.isCut)
  }
}
