internal import ArgumentParser
internal import News
internal import TelexKit

struct ListVerb: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the subscriptions, one on each line.",
    discussion: """
      With their folders, those without feeds last, and with what is wrong where the last fetch has failed. --format prints a text with values \
      in the places of their names, as in '{id}\\t{title}\\t{url}'; an unknown name lists those that there are.
      """)

  @OptionGroup var shared: SharedOptions
  @OptionGroup var lines: LineOptions
  @Option(help: .value("FOLDER", "Only the feeds in this folder."), completion: .folders)
  var folder: String?
  @Option(
    help: .value("URL", "Whose folder, where several accounts have it: at this server, or local."),
    completion: .accounts)
  var account: String?
  @Flag(help: "Only feeds whose last fetch failed, without those that are gone for good.")
  var failing = false
  @Flag(help: "Only feeds with unread articles.")
  var unread = false

  func validate() throws {
    try lines.check(form)
    try refuse(account != nil && folder == nil, "--account goes with --folder.")
  }

  func perform() async throws {
    var printer = try FeedPrinter(form, format: lines.format)
    let composition = try await common.compose()
    if form.json { printer.packed = try await PackedShelf(composition).packed() }
    let subscriptions = Subscriptions(composition)
    let folder = try folder.map { try subscriptions.folder(named: $0, at: account) }
    for feed in try subscriptions.feeds() {
      if let folder, !feed.folderIDs.contains(where: folder.contains) { continue }
      if failing, feed.standing != .failing { continue }
      if unread, feed.counts.unread == 0 { continue }
      printer.print(feed)
    }
    if !failing, !unread {
      for empty in try subscriptions.folders() where empty.feeds == 0 {
        if folder?.contains(empty.id) ?? true { printer.print(empty: empty.id) }
      }
    }
    printer.finish()
  }
}
