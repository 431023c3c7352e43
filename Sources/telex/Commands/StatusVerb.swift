internal import ArgumentParser
internal import News
internal import TelexKit

struct StatusVerb: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Print how much there is, in a line for a status bar.",
    discussion: """
      --format '{unread}' prints a text with numbers in the places of their names in braces: unread, total, \
      starred, feeds, failing (feeds whose last fetch failed), waiting (changes to be sent to servers). \
      Nothing is fetched.
      """)

  @OptionGroup var shared: SharedOptions
  @Option(help: .value("text", "The text to print."))
  var format: String?

  func perform() async throws {
    let status = try StoreStatus(try await common.compose())
    let json = JSONOutput.object(status.values.map { ($0.name, .number($0.value)) })
    let standard = status.failing > 0 ? "{unread} unread, {failing} failing" : "{unread} unread"
    let values = Dictionary(uniqueKeysWithValues: status.values.map { ($0.name, $0.value) })
    let template = try LineTemplate(format ?? standard, names: status.values.map(\.name))
    form.print(json, text: template.filled { name, _ in values[name].map { "\($0)" } ?? "" })
  }
}
