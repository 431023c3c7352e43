package import Foundation
internal import HTTP
package import News
internal import Repository
internal import Text

extension Subscriptions {
  /// The values in force where these feeds have none of their own. The proxy is that of the first one.
  ///
  /// - Parameter browser: the command that opens pages.
  package func defaults(of feeds: [FeedID], browser: String) throws -> FeedDefaults {
    composition.settings.defaults(of: try known(feeds), browser: browser, now: Date())
  }
}

extension Settings {
  package func defaults(of feeds: [Feed], browser: String, now: Date) -> FeedDefaults {
    var words = Dictionary(
      uniqueKeysWithValues: FeedSetting.allCases.map { setting in
        (setting, "\(FeedSetting.none): \(value(of: setting, browser: browser))")
      })
    words[.interval] = interval(of: feeds, now: now)
    let proxy = feeds.first.map(proxyText) ?? "none"
    return FeedDefaults(settings: words, proxy: "\(FeedSetting.none): \(proxy)")
  }

  private func value(of setting: FeedSetting, browser: String) -> String {
    switch setting {
    case .paused, .hidden, .silent, .fullText: "no"
    case .pictures: pictures.areShown ? "yes" : "no"
    case .stories: joinsStories ? "yes" : "no"
    case .update: FeedSettings().update.rawValue
    case .metered: refresh.metered.rawValue
    case .browser: browser
    case .userAgent: Version.userAgent
    // The interval is that of the feeds.
    case .headers, .interval: "none"
    case .keepFor: Self.count(retention.age.map { $0 / 86_400 }, "day")
    case .keepAtMost: Self.count(retention.articlesPerFeed.map { Int64($0) }, "article")
    }
  }

  private static func count(_ count: Int64?, _ noun: String) -> String {
    count.map { "\($0) \(noun)\($0 == 1 ? "" : "s")" } ?? "all"
  }

  /// Feeds that an account syncs are fetched with it.
  private func interval(of feeds: [Feed], now: Date) -> String {
    let isSynced = !feeds.isEmpty && feeds.allSatisfy { $0.account.capabilities.contains(.items) }
    let source = isSynced ? "account" : FeedSetting.none
    guard refresh.interval != .never else { return "\(source): only when you ask" }
    let intervals = Set(
      feeds.map { feed -> Int64 in
        // As if it had been fetched now, without a failure.
        var schedule = feed.schedule
        (schedule.lastAttempt, schedule.nextAttempt, schedule.error) = (now, nil, nil)
        schedule.skips = nil
        return schedule.next(at: now, interval: refresh.interval)?.interval ?? 0
      })
    guard let interval = intervals.first, intervals.count == 1 else {
      return "\(source): as often as each publishes"
    }
    let isAdaptive = refresh.interval == .adaptive && !isSynced
    return "\(source): \(NextFetch.words(interval))"
      + (isAdaptive ? " (as often as it publishes)" : "")
  }

  private func proxyText(of feed: Feed) -> String {
    guard let url = try? HTTPURL(feed.url), case .via(let proxy) = proxies.choice(for: url) else {
      return "none"
    }
    return WebAddress.redacted(proxy)
  }
}
