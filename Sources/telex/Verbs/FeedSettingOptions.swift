internal import ArgumentParser
internal import News

/// Options of `set` for what is set for one feed alone.
struct FeedSettingOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Fetch it as often as this: 30min, 2h, 1d.", valueName: "TIME"))
  var interval: String?
  @Option(help: ArgumentHelp("Fetch it only when it is named.", valueName: "yes|no"))
  var paused: String?
  @Option(
    help: ArgumentHelp(
      "Leave its articles out of All and Unread; queries find them.", valueName: "yes|no"))
  var hidden: String?
  @Option(
    help: ArgumentHelp("Tell of its failures in its own list alone.", valueName: "yes|no"))
  var silent: String?
  @Option(
    help: ArgumentHelp(
      "What becomes of an article that the feed changes: unread again where it was read, or marked as changed.",
      valueName: "nothing|unread|changed"))
  var update: String?
  @Option(
    help: ArgumentHelp(
      "Show the pictures of its articles, or their descriptions.", valueName: "yes|no"))
  var pictures: String?
  @Option(
    help: ArgumentHelp(
      "Show its articles in one row with those of other feeds that tell the same story.",
      valueName: "yes|no"))
  var stories: String?
  @Option(
    help: ArgumentHelp(
      "Open its pages with this command; %u stands for the address.", valueName: "COMMAND"))
  var browser: String?
  @OptionGroup var agent: UserAgentOption
  @Option(
    help: ArgumentHelp(
      "Ask for it with these headers, parted by |, as in \"Accept-Language: de\".",
      valueName: "HEADERS"))
  var headers: String?

  @Option(
    help: ArgumentHelp(
      "Keep its articles for this time: 90d, 1y, or all for ever.", valueName: "TIME"))
  var keepFor: String?
  @Option(help: ArgumentHelp("Keep so many of its articles, or all.", valueName: "N"))
  var keepAtMost: String?
  @Option(
    help: ArgumentHelp(
      "Fetch the full texts of its unread articles from their pages with each refresh.",
      valueName: "yes|no"))
  var fullText: String?

  /// What is to be set, in the order of the settings.
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

/// The name that Telex gives itself to one feed's servers, which `add` takes too: some refuse others.
struct UserAgentOption: ParsableArguments {
  @Option(help: ArgumentHelp("Ask for it as this program.", valueName: "NAME"))
  var userAgent: String?
}
