internal import ArgumentParser
internal import News
internal import TelexKit
internal import Text

/// Settings of single feeds, an option each. Only those that are given are changed.
struct SetVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Set something for one feed.",
    discussion: """
      What is not named stays as it is. The password of a proxy is asked for at the terminal, or read \
      from standard input; it is kept with the other secrets, for this feed and this proxy only.
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var form: OutputOptions
  @Argument(help: "A feed by its number or its address.")
  var feed: String
  @OptionGroup var proxy: ProxyOptions

  func validate() throws {
    if proxy.proxy == nil { throw ValidationError("Say what is to be set: --proxy PROXY.") }
  }

  func run() async throws {
    try await form.reporting {
      let subscriptions = Subscriptions(try await common.compose(namesSecretFile: true))
      var feed = try subscriptions.feed(named: feed)
      if let wish = try proxy.wish() { feed = try await subscriptions.setProxy(wish, of: feed) }
      form.print(
        .object([("feed", .feed(feed)), ("error", .null)]),
        text: "\(feed.displayTitle): \(sentence(feed))")
    }
  }

  private func sentence(_ feed: Feed) -> String {
    switch feed.proxy {
    case nil: "reached as the settings say"
    case .direct?: "reached directly"
    case .via(let proxy)?: "reached by the proxy \(WebAddress.redacted(proxy))"
    }
  }
}
