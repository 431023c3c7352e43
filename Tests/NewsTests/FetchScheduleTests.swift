import Foundation
import News
import Testing

struct FetchScheduleTests {
  private static let hour: Int64 = 3_600
  private static let day: Int64 = 86_400
  /// 14 November 2023, 22:13:20 UTC, a Tuesday.
  private let now = Date(timeIntervalSince1970: 1_700_000_000)

  @Test(
    arguments: [
      ([], nil, nil), ([0], nil, 0), ([-10, -40, -20], 15, -10), ([-10, -20, -50], 20, -10),
      // Equal times count once.
      ([-60, -60, -60, 0, 0], 60, 0), ([-5, -5], nil, -5),
      // Those in the future do not count.
      ([100, 200], nil, nil), ([100, -100, -200], 100, -100),
      // The extremes of what a store may hold.
      ([.min, 0], nil, 0),
    ] as [([Int64], Int64?, Int64?)])
  func `The pace is the median gap of distinct times`(
    times: [Int64], gap: Int64?, newest: Int64?
  ) {
    let start: Int64 = 1_000_000
    let pace = PublishingPace(
      times.map { $0 == .min ? .min : start + $0 }, now: start)
    #expect(pace?.newest == newest.map { Date(timeIntervalSince1970: Double(start + $0)) })
    #expect(pace?.gap == gap)
  }

  private func feed(
    last: Int64? = 0, gap: Int64? = nil, age: Int64? = nil, ttl: Int? = nil, failures: Int = 0,
    own: Int64? = nil
  ) -> Feed {
    func ago(_ seconds: Int64) -> Date { now.addingTimeInterval(-Double(seconds)) }
    var settings = FeedSettings()
    settings.interval = own
    let error = SourceError(.status, stage: .fetch, subject: "e.org", message: "busy")
    return Feed(
      id: FeedID(1), url: "http://e.org", settings: settings,
      state: FeedState(
        lastAttempt: last.map(ago), error: failures > 0 ? error : nil, minutesToLive: ttl,
        pace: age.map { PublishingPace(gap: gap, newest: ago($0)) },
        failing: failures > 0 ? FailureRun(since: now, count: failures) : nil))
  }

  private func check(
    _ feed: Feed, _ interval: FetchInterval = .adaptive, in seconds: Int64?, _ words: String?,
    _ place: SourceLocation = #_sourceLocation
  ) {
    let next = feed.nextFetch(at: now, interval: interval)
    #expect(
      next?.time == seconds.map { now.addingTimeInterval(Double($0)) }, sourceLocation: place)
    #expect(next?.words == words, sourceLocation: place)
  }

  @Test func `A feed is fetched about twice for each article`() {
    let (hour, day) = (Self.hour, Self.day)
    check(feed(gap: 6 * hour, age: hour), in: 3 * hour, "every 3 h: publishes about every 6 h")
    check(feed(gap: 60, age: 60), in: hour, "every 1 h: publishes about every 1 min")
    check(feed(gap: 30 * day, age: day), in: day, "every 24 h: publishes about every 30 days")
    check(
      feed(last: hour, gap: 6 * hour, age: hour), in: 2 * hour,
      "every 3 h: publishes about every 6 h")
  }

  @Test func `A quiet feed is fetched less and less, once a day at least`() {
    let (hour, day) = (Self.hour, Self.day)
    check(feed(gap: hour, age: 5 * day), in: 6 * hour, "every 6 h: no article for 5 days")
    check(feed(gap: hour, age: 4_000 * day), in: day, "every 24 h: no article for 4000 days")
    check(feed(age: 5 * day), in: 6 * hour, "every 6 h: no article for 5 days")
    // A clock that was set back makes articles newer than now.
    check(feed(gap: hour, age: -5 * day), in: hour, "every 1 h: publishes about every 1 h")
  }

  @Test func `A feed without dates is fetched each hour`() {
    check(feed(), in: Self.hour, "every 1 h")
    check(feed(last: nil), in: 0, "never fetched")
  }

  @Test func `A longer interval that the feed names is kept`() {
    let hour = Self.hour
    check(feed(gap: 6 * hour, age: 0, ttl: 720), in: 12 * hour, "the feed asks for 12 h")
    check(
      feed(gap: 6 * hour, age: 0, ttl: 30), in: 3 * hour, "every 3 h: publishes about every 6 h")
    check(
      feed(ttl: .max), in: Int64(FeedDescription.longestMinutesToLive) * 60,
      "the feed asks for 366 days")
  }

  @Test func `A set interval does not adapt`() {
    let (hour, day) = (Self.hour, Self.day)
    let quiet = feed(gap: hour, age: 5 * day)
    check(quiet, .fixed(1_800), in: 1_800, "set to 30 min")
    check(quiet, .never, in: nil, nil)
    let own = feed(gap: hour, age: 5 * day, own: 1_800)
    check(own, in: 1_800, "set to 30 min")
    check(own, .fixed(day), in: 1_800, "set to 30 min")
    check(own, .never, in: nil, nil)
    check(feed(own: 0), in: nil, nil)
    check(feed(own: 0), .fixed(60), in: nil, nil)
  }

  @Test(arguments: [(1, 1), (2, 2), (3, 4), (4, 8), (5, 12), (1_000, 12)] as [(Int, Int64)])
  func `A failing feed is tried sooner than it is fetched, and each time later`(
    failures: Int, hours: Int64
  ) {
    let words = failures == 1 ? "failed once" : "failed \(failures) times"
    let pace = (gap: 24 * Self.hour, age: Self.hour)
    check(
      feed(gap: pace.gap, age: pace.age, failures: failures), in: hours * Self.hour, words)
    // One that publishes all the time keeps its hour, and a set interval stays.
    check(feed(gap: 60, age: 60, failures: failures), in: Self.hour, words)
    check(feed(failures: failures), .fixed(600), in: 600, words)
  }

  @Test func `Feeds that are gone or paused are not fetched by themselves`() {
    var gone = feed()
    gone.state.isGone = true
    check(gone, in: nil, nil)
    var paused = feed()
    paused.settings.isPaused = true
    check(paused, in: nil, nil)
  }

  @Test func `A rest of the host is waited for, and the interval after it`() {
    var resting = feed(last: 2 * Self.hour)
    resting.state.restsUntil = now.addingTimeInterval(900)
    resting.state.nextAttempt = resting.state.restsUntil
    check(resting, in: 900, "its server got too many requests and asked for a pause")
    resting.state.lastAttempt = now
    check(resting, in: Self.hour, "its server got too many requests and asked for a pause")
  }

  @Test func `Skipped hours and days move a fetch to their end`() {
    var skips = SkippedTimes()
    #expect(skips.end(from: now) == now)
    // It is 22:13 on a Tuesday. Midnight has two numbers.
    for hour in [22, 23, 24, 25, -1] { skips.add(hour: hour) }
    #expect(skips.end(from: now) == Date(timeIntervalSince1970: 1_700_010_000))
    skips.add(day: "Wednesday")
    skips.add(day: "Mittwoch")
    // Thursday begins with the hour 0, which is skipped.
    #expect(skips.end(from: now) == Date(timeIntervalSince1970: 1_700_096_400))
    #expect(SkippedTimes(rawValue: skips.rawValue) == skips)
    // A feed that skips all is fetched all the same.
    for hour in 0..<24 { skips.add(hour: hour) }
    #expect(skips.end(from: now) == now)

    var skipping = feed(last: Self.hour)
    skipping.state.skips = SkippedTimes(rawValue: 1 << 22)
    check(skipping, in: 2_800, "the feed asks not to be fetched before")
    skipping.state.lastAttempt = nil
    check(skipping, in: 0, "never fetched")
  }
}
