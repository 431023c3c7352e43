internal import ArgumentParser
internal import News

struct FeedSettingOptions: ParsableArguments {
  @Option(help: .value("TIME", "Fetch the feed this often: 30min, 2h, 1d; 0: only when asked."))
  var interval: String?
  @Option(help: .value("yes|no", "Fetch the feed only when named."))
  var paused: String?
  @Option(help: .value("yes|no", "Hide its articles from All and Unread; queries find them."))
  var hidden: String?
  @Option(help: .value("yes|no", "Show its failures only in its own list."))
  var silent: String?
  @Option(
    help: .value(
      "nothing|unread|changed",
      "When an article changes: mark it as unread, or keep its versions."
    ))
  var update: String?
  @Option(help: .value("yes|no", "Show pictures in its articles."))
  var pictures: String?
  @Option(
    help: .value(
      "yes|no", "Group its articles with those of other feeds on the same story."))
  var stories: String?
  @Option(
    help: .value("nothing|text|pictures|all", "Fetch this automatically on a metered connection."))
  var metered: String?
  @Option(help: .value("COMMAND", "Open its pages with this command; %u is the address."))
  var browser: String?
  @OptionGroup var agent: UserAgentOption
  @Option(
    help: .value(
      "HEADERS", "Send these headers, separated by |: \"Accept-Language: de\"."))
  var headers: String?

  @Option(help: .value("TIME", "Keep its articles for this time: 90d, 1y; all: for ever."))
  var keepFor: String?
  @Option(help: .value("N", "Keep this many of its articles, or all."))
  var keepAtMost: String?
  @Option(
    help: .value(
      "yes|no", "Fetch the full text of its articles at each refresh."))
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
        case .metered: metered
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
  @Option(help: .value("NAME", "Send this user agent."))
  var userAgent: String?
}
