internal import ArgumentParser
internal import News
internal import TelexKit

struct ListVerb: SimpleCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the subscriptions.",
    discussion: """
      Each line has the folders of a feed, and the error if the last fetch failed. Empty folders \
      are at the end.

      --format fills in a template for each line: '{id}\\t{title}\\t{url}'. An unknown name \
      prints the known ones.
      """)

  @OptionGroup var shared: SharedOptions
  @OptionGroup var lines: LineOptions
  @Option(help: .value("FOLDER", "List only the feeds in this folder."), completion: .folders)
  var folder: String?
  @Option(
    help: .value("URL", "The account of the folder, by its server, or local."),
    completion: .accounts)
  var account: String?
  @Flag(help: "List only feeds whose last fetch failed.")
  var failing = false
  @Flag(help: "List only feeds with unread articles.")
  var unread = false

  func validate() throws {
    try lines.check(form)
    try refuse(account != nil && folder == nil, "--account goes with --folder.")
  }

  func perform() async throws {
    var printer = try FeedPrinter(form, format: lines.format)
    let composition = try await composeForReading()
    if form.json { printer.packed = try await PackStore(composition).packed() }
    let subscriptions = Subscriptions(composition)
    let folder = try folder.map { try subscriptions.folder(named: $0, at: account) }
    let (feeds, folders) = try subscriptions.feedsAndFolders()
    for feed in feeds {
      if let folder, !feed.folderIDs.contains(where: folder.contains) { continue }
      if failing, feed.standing != .failing { continue }
      if unread, feed.counts.unread == 0 { continue }
      printer.print(feed)
    }
    if !failing, !unread {
      for empty in folders where empty.feeds == 0 {
        if folder?.contains(empty.id) ?? true { printer.print(empty: empty.id) }
      }
    }
    printer.finish()
  }
}

extension ListVerb {
  static func read(_ words: inout SimpleWords) -> Self {
    var command = Self()
    command.shared = .read(&words)
    command.lines = .read(&words)
    command.folder = words.value("--folder")
    command.account = words.value("--account")
    command.failing = words.flag("--failing")
    command.unread = words.flag("--unread")
    return command
  }
}
