internal import ArgumentParser
internal import News
internal import TelexKit

struct StatusVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Print how much there is, in a line for a status bar.",
    discussion: """
      --format '{unread}' prints a text with numbers in the places of their names in braces: unread, total,
      starred, feeds, failing (feeds whose last fetch failed), waiting (changes to be sent to servers).
      Nothing is fetched.
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var form: OutputOptions
  @Option(help: ArgumentHelp("The text to print.", valueName: "text"))
  var format: String?

  func run() async throws {
    try await form.reporting {
      let status = try StoreStatus(try await common.compose())
      let json = JSONValue.object(status.values.map { ($0.name, .number($0.value)) })
      let standard = status.failing > 0 ? "{unread} unread, {failing} failing" : "{unread} unread"
      let text = try Self.filled(format ?? standard, status.values)
      form.print(json, text: text)
    }
  }

  /// A text with values in the places of their names.
  private static func filled(
    _ format: String, _ values: [(name: String, value: Int)]
  ) throws -> String {
    var text = ""
    var rest = format[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      let name = rest[rest.index(after: open)..<close]
      guard let value = values.first(where: { $0.name == name })?.value else {
        throw SourceError(
          .address, stage: .arguments, subject: "--format", message: "there is no {\(name)}",
          next: "there are " + values.map { "{\($0.name)}" }.joined(separator: ", "))
      }
      text += rest[..<open] + "\(value)"
      rest = rest[rest.index(after: close)...]
    }
    return text + rest
  }
}
