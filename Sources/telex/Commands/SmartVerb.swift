internal import ArgumentParser
internal import News
internal import TelexKit

struct SmartVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "smart",
    abstract: "List, add, rename or remove smart feeds, which are saved queries.",
    subcommands: [List.self, Add.self, Rename.self, Remove.self], defaultSubcommand: List.self)

  struct List: StoreCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the smart feeds.")

    @OptionGroup var shared: SharedOptions

    func perform() async throws {
      var table = Table([.init("NAME", .limited), .init("QUERY", .rest)])
      for feed in try Subscriptions(try await common.compose()).smartFeeds() {
        form.print(
          ["name": .string(feed.name), "query": .string(feed.text)], in: &table,
          [feed.name, feed.text])
      }
      form.finish(&table, empty: "No smart feeds.")
    }
  }

  struct Add: StoreCommand {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Save a query as a smart feed.",
      discussion: """
        A smart feed of the same name gets the new query.
        """)

    @OptionGroup var shared: SharedOptions
    @Argument(help: "The name of the smart feed.")
    var name: String
    @Argument(help: .value("query", "The query, in quotes."))
    var query: [String]

    func perform() async throws {
      let query = try ArticleQuery(typed: query)
      let subscriptions = Subscriptions(try await common.compose())
      try await subscriptions.saveSmartFeed(name, query)
      form.print(
        ["name": .string(name), "query": .string(query.text), "error": .null], text: "kept \(name)")
    }
  }

  struct Rename: StoreCommand {
    static let configuration = CommandConfiguration(
      commandName: "rename", abstract: "Rename a smart feed.")

    @OptionGroup var shared: SharedOptions
    @Argument(help: "The current name.", completion: .smartFeeds)
    var name: String
    @Argument(help: .value("new-name", "The new name."))
    var newName: String

    func perform() async throws {
      let subscriptions = Subscriptions(try await common.compose())
      let feed = try subscriptions.smartFeed(named: name)
      try await subscriptions.renameSmartFeed(feed.id, to: newName)
      form.print(
        ["name": .string(newName), "error": .null], text: "\(feed.name) is \(newName) now")
    }
  }

  struct Remove: StoreCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Remove smart feeds; their articles stay.")

    @OptionGroup var shared: SharedOptions
    @Argument(help: "The names.", completion: .smartFeeds)
    var names: [String]

    func perform() async throws {
      let subscriptions = Subscriptions(try await common.compose())
      let feeds = try names.map { try subscriptions.smartFeed(named: $0) }
      for feed in feeds { try await subscriptions.removeSmartFeed(feed.id) }
      form.print(
        ["removed": .strings(feeds.map(\.name)), "error": .null],
        text: feeds.map { "removed \($0.name)" }.joined(separator: "\n"))
    }
  }
}
