internal import ArgumentParser
internal import Foundation
internal import News
internal import TelexKit

struct StatusVerb: SimpleCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Print counts in one line, for a status bar.",
    discussion: """
      --format '{unread}' replaces these names in braces with numbers: unread, total, starred, \
      feeds, failing (feeds whose last fetch failed), waiting (changes to be sent to servers). \
      --feeds prints a line for each feed instead: its number, its next automatic fetch, its \
      title, and the reason for that time. Nothing is fetched.
      """)

  @OptionGroup var shared: SharedOptions
  @Option(help: .value("text", "The text to print."))
  var format: String?
  @Flag(help: "Print when each feed is fetched next, soonest first.")
  var feeds = false

  func validate() throws {
    try refuse(feeds && format != nil, "Give --feeds or --format, not both.")
  }

  func perform() async throws {
    let composition = try await composeForReading()
    if feeds { return try printFeeds(of: composition) }
    let status = try StoreStatus(composition)
    let json = JSONOutput.object(status.values.map { ($0.name, .number($0.value)) })
    let standard = status.failing > 0 ? "{unread} unread, {failing} failing" : "{unread} unread"
    let values = Dictionary(uniqueKeysWithValues: status.values.map { ($0.name, $0.value) })
    let template = try LineTemplate(format ?? standard, names: status.values.map(\.name))
    form.print(json, text: template.filled { name, _ in values[name].map { "\($0)" } ?? "" })
  }

  private func printFeeds(of composition: Composition) throws {
    let (now, interval) = (Date.now, composition.settings.screen.preferences.interval)
    let feeds = try Subscriptions(composition).feeds()
      .map { (feed: $0, next: $0.nextFetch(at: now, interval: interval)) }
      .sorted {
        ($0.next?.time ?? .distantFuture, $0.feed.id) < (
          $1.next?.time ?? .distantFuture, $1.feed.id
        )
      }
    var table = Table([
      .init("NUMBER", isNumber: true), .init("NEXT"), .init("TITLE", .rest), .init("WHY", .limited),
    ])
    for (feed, next) in feeds {
      let why = next?.words ?? (feed.state.isGone ? "gone" : "only when you ask")
      let seconds = next.map { Int64(max(0, $0.time.timeIntervalSince(now))) }
      form.print(
        [
          "id": .number(feed.id.rawValue), "title": .string(feed.displayTitle),
          "next": .date(next?.time), "why": .string(why),
        ], in: &table,
        [
          "\(feed.id.rawValue)",
          seconds.map { $0 == 0 ? "now" : "in \(NextFetch.words($0))" } ?? "never",
          feed.displayTitle, why,
        ])
    }
    table.finish()
  }
}

extension StatusVerb {
  static func read(_ words: inout SimpleWords) -> Self {
    var command = Self()
    command.shared = .read(&words)
    command.format = words.value("--format")
    command.feeds = words.flag("--feeds")
    return command
  }
}
