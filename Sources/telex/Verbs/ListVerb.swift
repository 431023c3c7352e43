internal import ArgumentParser
internal import News
internal import TelexKit
internal import Text

struct ListVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the subscriptions, one on each line.")

  @OptionGroup var common: CommonOptions
  @OptionGroup var form: OutputOptions

  func run() async throws {
    try await form.reporting {
      for feed in try Subscriptions(try await common.compose()).feeds() {
        let failure = feed.state.error.map { "  ! \($0.message)" } ?? ""
        form.print(
          .feed(feed),
          text: "\(feed.id.rawValue)\t\(feed.counts.unread)/\(feed.counts.total)\t"
            + "\(feed.displayTitle)\t\(WebAddress.withoutUser(feed.url))\(failure)")
      }
    }
  }
}
