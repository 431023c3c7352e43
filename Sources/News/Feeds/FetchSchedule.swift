package import struct Foundation.Date

/// How often feeds are fetched without being asked.
package enum FetchInterval: Hashable, Sendable {
  /// By the publishing times of each feed.
  case adaptive
  /// In seconds.
  case fixed(Int64)
  case never
}

/// How often a feed publishes, by the times of its newest articles.
package struct PublishingPace: Hashable, Sendable {
  /// The articles that count.
  package static let articles = 20

  /// The median gap between two distinct times, in seconds; nil where there is one time only.
  package var gap: Int64?
  package var newest: Date

  package init(gap: Int64?, newest: Date) {
    self.gap = gap
    self.newest = newest
  }

  /// - Parameters:
  ///   - times: in seconds since 1970, in any order; equal ones count once, and those after `now` not.
  package init?(_ times: [Int64], now: Int64) {
    let times = Set(times).filter { $0 <= now }.sorted()
    guard let newest = times.last else { return nil }
    let gaps = zip(times.dropFirst(), times).map { Double($0) - Double($1) }.sorted()
    // Of an even number, the mean of the two in the middle.
    let median = gaps.isEmpty ? nil : (gaps[(gaps.count - 1) / 2] + gaps[gaps.count / 2]) / 2
    self.init(
      gap: median.flatMap { Int64(exactly: $0.rounded()) },
      newest: Date(timeIntervalSince1970: Double(newest)))
  }
}

/// Hours and days at which a feed asks not to be fetched (RSS 2.0, `skipHours` and `skipDays`), in UTC.
package struct SkippedTimes: Hashable, Sendable {
  /// A bit for each hour, and from bit 24 on for each day, Monday first.
  package private(set) var rawValue: Int

  package init(rawValue: Int = 0) { self.rawValue = rawValue & 0x7FFF_FFFF }

  package mutating func add(hour: Int) {
    // Midnight is 24 in RSS 0.91, and 0 in 2.0.
    if (0...24).contains(hour) { rawValue |= 1 << (hour % 24) }
  }

  package mutating func add(day name: String) {
    let days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    if let day = days.firstIndex(of: name.lowercased()) { rawValue |= 1 << (24 + day) }
  }

  /// The first moment from `time` on that is not skipped; `time` where all are.
  package func end(from time: Date) -> Date {
    guard rawValue != 0, let seconds = Int64(exactly: time.timeIntervalSince1970.rounded(.down))
    else { return time }
    let first = Int(seconds.quotientAndRemainder(dividingBy: 3_600).quotient)
    let free = (first...first + 8 * 24).first { hour in
      // 1 January 1970 was a Thursday.
      rawValue & (1 << (hour % 24) | 1 << (24 + (hour / 24 + 3) % 7)) == 0
    }
    guard let free, free > first else { return time }
    return Date(timeIntervalSince1970: Double(free) * 3_600)
  }
}

/// When something is fetched next without being asked, and why then.
package struct NextFetch: Hashable, Sendable {
  package enum Reason: Hashable, Sendable {
    case new
    /// The interval of the settings, in seconds.
    case set(Int64)
    /// Half the gap between articles, or the least or longest interval.
    case pace(interval: Int64, gap: Int64)
    /// A part of the age of the newest article, or the longest interval.
    case quiet(interval: Int64, age: Int64)
    /// The least interval: nothing is known of when it publishes.
    case unknown(interval: Int64)
    /// The feed or its server names a longer interval, in seconds.
    case asked(Int64)
    /// It falls into the hours or days that the feed names.
    case skipped
    case failed(Int)
    /// Its host was asked too often.
    case rest
    case retryAfter
    /// The server failed too often.
    case paused
  }

  /// In the past for what is due.
  package var time: Date
  package var reason: Reason

  package init(time: Date, reason: Reason) {
    self.time = time
    self.reason = reason
  }

  package var words: String {
    switch reason {
    case .new: "never fetched"
    case .set(let seconds): "set to \(Self.words(seconds))"
    case .pace(let interval, let gap):
      "every \(Self.words(interval)): publishes about every \(Self.words(gap))"
    case .quiet(let interval, let age):
      "every \(Self.words(interval)): no article for \(Self.words(age))"
    case .unknown(let interval): "every \(Self.words(interval))"
    case .asked(let seconds): "the feed asks for \(Self.words(seconds))"
    case .skipped: "the feed asks not to be fetched before"
    case .failed(let count): count == 1 ? "failed once" : "failed \(count) times"
    case .rest: "its server got too many requests and asked for a pause"
    case .retryAfter: "its server asked for this wait (Retry-After)"
    case .paused: "its server failed too often, so Telex waits"
    }
  }

  /// In seconds; nil where something else is the reason.
  package var interval: Int64? {
    switch reason {
    case .set(let seconds), .pace(let seconds, _), .quiet(let seconds, _), .unknown(let seconds),
      .asked(let seconds):
      seconds
    case .new, .skipped, .failed, .rest, .retryAfter, .paused: nil
    }
  }

  /// `30 min`, `3 h`, `2 days`.
  package static func words(_ seconds: Int64) -> String {
    switch seconds {
    case 172_800...: "\(seconds / 86_400) days"
    case 5_400..., 3_600: "\((seconds + 1_800) / 3_600) h"
    default: "\(max(1, seconds / 60)) min"
    }
  }
}

/// The conditions of an automatic fetch of a feed, or of a whole account.
package struct FetchSchedule: Hashable, Sendable {
  package var lastAttempt: Date?
  package var nextAttempt: Date?
  /// The end of the pause that its host asks for; part of `nextAttempt`.
  package var restsUntil: Date?
  /// Failed attempts since the last success.
  package var failures: Int
  package var error: SourceError?
  package var minutesToLive: Int?
  package var skips: SkippedTimes?
  package var pace: PublishingPace?

  package init(
    lastAttempt: Date?, nextAttempt: Date?, restsUntil: Date? = nil, failures: Int,
    error: SourceError?, minutesToLive: Int? = nil, skips: SkippedTimes? = nil,
    pace: PublishingPace? = nil
  ) {
    self.lastAttempt = lastAttempt
    self.nextAttempt = nextAttempt
    self.restsUntil = restsUntil
    self.failures = failures
    self.error = error
    self.minutesToLive = minutesToLive
    self.skips = skips
    self.pace = pace
  }

  /// The shortest and the longest interval that adapts to a feed, in seconds.
  private static let (least, longest): (Int64, Int64) = (3_600, 86_400)

  /// The longest pause that servers are granted, in seconds, plus a minute for clocks: a longer one
  /// comes from a wrong clock.
  package static let longestPause: Double = 86_460

  /// Nil where it is fetched only when asked for.
  package func next(at time: Date, interval: FetchInterval) -> NextFetch? {
    guard var next = regular(at: time, interval: interval) else { return nil }
    if lastAttempt != nil, let skips {
      let start = max(next.time, time)
      let end = skips.end(from: start)
      if end > start { next = NextFetch(time: end, reason: .skipped) }
    }
    guard let named = believedNext(at: time) else { return next }
    let reason = pauseReason(until: named)
    // With a failure, the server named the time of the next attempt (`Retry-After`).
    if error != nil { return NextFetch(time: named, reason: reason) }
    return named > time ? NextFetch(time: max(named, next.time), reason: reason) : next
  }

  private func regular(at time: Date, interval: FetchInterval) -> NextFetch? {
    guard interval != .never else { return nil }
    guard let last = lastAttempt else { return NextFetch(time: time, reason: .new) }
    var (seconds, reason) = wanted(at: time, interval: interval)
    if error != nil {
      // Tried sooner than a quiet feed is fetched, and each time later.
      let backoff = Self.least << min(max(0, failures - 1), 10)
      if interval == .adaptive { seconds = min(seconds, backoff) }
      reason = .failed(max(1, failures))
    }
    let asked = Double(min(minutesToLive ?? 0, FeedDescription.longestMinutesToLive)) * 60
    if asked > Double(seconds) { reason = .asked(Int64(asked)) }
    // A clock that was set back must not stop the feed for years.
    let due = isAhead(last, of: time) ? time : last.addingTimeInterval(max(asked, Double(seconds)))
    return NextFetch(time: due, reason: reason)
  }

  /// In seconds.
  private func wanted(
    at time: Date, interval: FetchInterval
  ) -> (seconds: Int64, reason: NextFetch.Reason) {
    if case .fixed(let seconds) = interval { return (seconds, .set(seconds)) }
    func clamped(_ seconds: Int64) -> Int64 { min(max(seconds, Self.least), Self.longest) }
    guard let pace else { return (Self.least, .unknown(interval: Self.least)) }
    let age = Int64(exactly: time.timeIntervalSince(pace.newest).rounded()) ?? 0
    if let gap = pace.gap, gap / 2 >= age / 20 {
      return (clamped(gap / 2), .pace(interval: clamped(gap / 2), gap: gap))
    }
    return (clamped(age / 20), .quiet(interval: clamped(age / 20), age: max(0, age)))
  }

  private func pauseReason(until named: Date) -> NextFetch.Reason {
    if named == restsUntil { return .rest }
    // An error that was stored before a pause stays; what it asked for is over by then.
    let isAsked = error?.retryAfter.map { abs($0.timeIntervalSince(named)) < 2 } ?? false
    return isAsked ? .retryAfter : .paused
  }

  /// The time of the next attempt, unless it comes from a clock that was set back.
  private func believedNext(at time: Date) -> Date? {
    guard let next = nextAttempt, next <= time.addingTimeInterval(Self.longestPause),
      lastAttempt.map({ !isAhead($0, of: time) }) ?? true
    else { return nil }
    return next
  }

  private func isAhead(_ last: Date, of time: Date) -> Bool { last > time.addingTimeInterval(60) }
}

extension Feed {
  package var schedule: FetchSchedule {
    // Feeds that an account syncs are fetched with it.
    let isOwn = !account.capabilities.contains(.items)
    return FetchSchedule(
      lastAttempt: state.lastAttempt, nextAttempt: state.nextAttempt, restsUntil: state.restsUntil,
      failures: state.failing?.count ?? 1, error: state.error,
      minutesToLive: isOwn ? state.minutesToLive : nil, skips: isOwn ? state.skips : nil,
      pace: isOwn ? state.pace : nil)
  }

  /// When it is fetched next without being asked; nil for never.
  ///
  /// - Parameter interval: of feeds that have none of their own.
  package func nextFetch(at time: Date, interval: FetchInterval) -> NextFetch? {
    // With automatic fetches off, the interval of a single feed does not count.
    guard interval != .never, !state.isGone, !settings.isPaused else { return nil }
    let own = settings.interval.map { $0 == 0 ? FetchInterval.never : .fixed($0) }
    return schedule.next(at: time, interval: own ?? interval)
  }
}
