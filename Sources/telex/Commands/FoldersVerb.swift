internal import ArgumentParser
internal import News
internal import TelexKit

struct FoldersVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "folders", abstract: "List, add, rename or remove folders.",
    subcommands: [List.self, Add.self, Rename.self, Remove.self], defaultSubcommand: List.self,
    aliases: ["folder"])

  struct List: StoreCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the folders with their feeds and unread articles.")

    @OptionGroup var shared: SharedOptions

    func perform() async throws {
      var table = Table([
        .init("FOLDER", .rest), .init("FEEDS"), .init("UNREAD"),
      ])
      for folder in try Subscriptions(try await common.compose()).folders() {
        let account = folder.account.map { "  at \($0.displayName)" } ?? ""
        form.print(
          [
            "folder": .string(folder.id.path), "account": .string(folder.account?.base),
            "feeds": .number(folder.feeds), "unread": .number(folder.counts.unread),
            "total": .number(folder.counts.total),
          ],
          in: &table,
          [
            folder.id.path, Measures.counted(folder.feeds, "feed"),
            "\(folder.counts.unread) unread\(account)",
          ])
      }
      form.finish(&table, empty: "No folders.")
    }
  }

  struct Add: StoreCommand {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Add a folder, which may be empty.",
      discussion: """
        The folder is on this device. On a server a folder exists as long as it has feeds. telex \
        undo undoes it.
        """)

    @OptionGroup var shared: SharedOptions
    @Argument(help: "The folder, such as News/World.", completion: .folders)
    var folder: String

    func perform() async throws {
      let id = try await Subscriptions(try await common.compose()).addFolder(folder)
      form.print(
        ["folder": .string(id.path), "feeds": .number(0), "error": .null],
        text: "created the folder \(id.path)")
    }
  }

  struct Rename: StoreCommand {
    static let configuration = CommandConfiguration(
      commandName: "rename", abstract: "Rename, move or merge a folder.",
      discussion: """
        The new path may be that of another folder, which then gets the feeds. Subfolders move \
        too. telex undo undoes it.
        """)

    @OptionGroup var shared: SharedOptions
    @OptionGroup var named: FolderOptions
    @Argument(help: "The new path.")
    var path: String

    func perform() async throws {
      let subscriptions = Subscriptions(try await common.compose())
      let id = try named.folder(subscriptions)
      let count = try await subscriptions.move(id, to: path)
      try await named.finish(
        subscriptions, id, count,
        count == 0
          ? "the folder is now \(path)" : "moved \(Measures.counted(count, "feed")) to \(path)",
        form)
    }
  }

  struct Remove: StoreCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Remove a folder; its feeds stay.",
      discussion: """
        The feeds move to the parent folder, if there is one. telex undo undoes it.
        """)

    @OptionGroup var shared: SharedOptions
    @OptionGroup var named: FolderOptions

    func perform() async throws {
      let subscriptions = Subscriptions(try await common.compose())
      let id = try named.folder(subscriptions)
      let count = try await subscriptions.removeFolder(id)
      try await named.finish(
        subscriptions, id, count,
        "removed the folder \(id.path)"
          + (count == 0 ? "" : ", not its \(Measures.counted(count, "feed"))"),
        form)
    }
  }
}

/// A folder, and the account that has it.
struct FolderOptions: ParsableArguments {
  @Option(help: .value("URL", "The account of the folder, by its server, or local."))
  var account: String?
  @Option(help: .value("USER", "The user of the account."))
  var user: String?
  @Argument(help: "The folder, such as News/World.", completion: .folders)
  var folder: String

  func validate() throws {
    try refuse(user != nil && account == nil, "--user goes with --account.")
  }

  fileprivate func folder(_ subscriptions: Subscriptions) throws -> FolderID {
    try subscriptions.folder(named: folder, at: account, user: user)
  }

  /// Sends the change to the server, and prints the result.
  fileprivate func finish(
    _ subscriptions: Subscriptions, _ folder: FolderID, _ count: Int, _ text: String,
    _ form: OutputOptions
  ) async throws {
    if folder.account != .local {
      let left = try await untilInterrupted {
        try await subscriptions.deliver(to: [folder.account])
      }.first { change in
        guard case .subscription(let change) = change.kind, case .file = change.kind else {
          return false
        }
        return true
      }
      if let left {
        let account = try await subscriptions.account(of: folder)?.displayName ?? "the server"
        form.complain(undelivered: left, to: account)
      }
    }
    form.print(
      ["folder": .string(folder.path), "feeds": .number(count), "error": .null], text: text)
  }
}
