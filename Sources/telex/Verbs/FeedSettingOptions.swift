internal import ArgumentParser
internal import News

struct FeedSettingOptions: ParsableArguments {
  @Option(help: .value("TIME", "Fetch it as often as this: 30min, 2h, 1d."))
  var interval: String?
  @Option(help: .value("yes|no", "Fetch it only when it is named."))
  var paused: String?
  @Option(help: .value("yes|no", "Leave its articles out of All and Unread; queries find them."))
  var hidden: String?
  @Option(help: .value("yes|no", "Tell of its failures in its own list alone."))
  var silent: String?
  @Option(
    help: .value(
      "nothing|unread|changed",
      "What becomes of an article that the feed changes: unread again where it was read, or marked as changed."
    ))
  var update: String?
  @Option(help: .value("yes|no", "Show the pictures of its articles, or their descriptions."))
  var pictures: String?
  @Option(
    help: .value(
      "yes|no", "Show its articles in one row with those of other feeds that tell the same story."))
  var stories: String?
  @Option(help: .value("COMMAND", "Open its pages with this command; %u stands for the address."))
  var browser: String?
  @OptionGroup var agent: UserAgentOption
  @Option(
    help: .value(
      "HEADERS", "Ask for it with these headers, parted by |, as in \"Accept-Language: de\"."))
  var headers: String?

  @Option(help: .value("TIME", "Keep its articles for this time: 90d, 1y, or all for ever."))
  var keepFor: String?
  @Option(help: .value("N", "Keep so many of its articles, or all."))
  var keepAtMost: String?
  @Option(
    help: .value(
      "yes|no", "Fetch the full texts of its unread articles from their pages with each refresh."))
  var fullText: String?

  /// The given settings, in the order of `FeedSetting`.
  var wishes: [(FeedSetting, String)] {
    FeedSetting.allCases.compactMap { setting in
      let text =
        switch setting {
        case .interval: interval
        case .paused: paused
        case .hidden: hidden
        case .silent: silent
        case .update: update
        case .pictures: pictures
        case .stories: stories
        case .browser: browser
        case .userAgent: agent.userAgent
        case .headers: headers
        case .keepFor: keepFor
        case .keepAtMost: keepAtMost
        case .fullText: fullText
        }
      return text.map { (setting, $0) }
    }
  }
}

/// The user agent for one feed, also an option of `add`: some servers refuse others.
struct UserAgentOption: ParsableArguments {
  @Option(help: .value("NAME", "Ask for it as this program."))
  var userAgent: String?
}
