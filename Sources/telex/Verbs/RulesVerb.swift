internal import ArgumentParser
internal import Foundation
internal import News
internal import Reader
internal import TelexKit

struct RulesVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rules",
    abstract: "List what is done with new articles by themselves, or change it.",
    subcommands: [List.self, Add.self, Remove.self, Test.self], defaultSubcommand: List.self)

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the rules.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var form: OutputOptions

    func run() async throws {
      try await form.reporting {
        for rule in try Rules(try await common.compose()).all() { form.print(rule) }
      }
    }
  }

  struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Add a rule for the articles to come.",
      discussion: """
        telex rules add --hide 'feed:HN -title:rust' keeps only one subject of a feed. What is there already
        stays as it is; telex read QUERY and its like change that.
        """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var form: OutputOptions
    @Flag(help: "Mark them as read.")
    var read = false
    @Flag(help: "Star them.")
    var star = false
    @Flag(help: "Do not keep them; those of an account's server are marked as read.")
    var hide = false
    @Option(help: ArgumentHelp("Give them this tag.", valueName: "name"))
    var tag: String?
    @Option(name: .customLong("for"), help: "How long: 12h, 3d, 2w, 6m; for ever without it.")
    var time: String?
    @Argument(help: ArgumentHelp("The query, best in quotes.", valueName: "query"))
    var query: [String]

    private var actions: [RuleAction] {
      (read ? [.read] : []) + (star ? [.star] : []) + (hide ? [.hide] : [])
        + (tag.map { [.tag($0)] } ?? [])
    }

    func validate() throws {
      guard actions.count == 1 else {
        throw ValidationError("Give one of --read, --star, --tag NAME, --hide.")
      }
      guard time.map({ ArticleQuery.seconds(of: $0) != nil }) ?? true else {
        throw ValidationError("--for takes a time such as 12h, 3d, 2w or 6m.")
      }
    }

    func run() async throws {
      try await form.reporting {
        let query = try ArticleQuery(typed: query.joined(separator: " "), needsCondition: true)
        guard !query.isEmpty, let action = actions.first else {
          throw SourceError(
            .address, stage: .arguments, subject: "rules add", message: "the query is empty",
            next: "name the articles, as in 'feed:HN title:rust'")
        }
        let rules = Rules(try await common.compose())
        let id = try await rules.add(query, action, for: time.flatMap(ArticleQuery.seconds))
        form.print(try rules.rule(id.rawValue))
      }
    }
  }

  struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove",
      abstract: "End rules; what they have hidden comes again where its feed still lists it.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var form: OutputOptions
    @Argument(help: "The numbers of the rules.")
    var numbers: [Int64]

    func run() async throws {
      try await form.reporting {
        let rules = Rules(try await common.compose())
        try await rules.remove(numbers.map { RuleID($0) })
        form.print(
          .object([("removed", .array(numbers.map { .number($0) })), ("error", .null)]),
          text: "removed \(numbers.map { "\($0)" }.joined(separator: ", "))")
      }
    }
  }

  struct Test: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "test",
      abstract: "Print which of the last thousand articles a rule or a query would have meant.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var form: OutputOptions
    @Argument(help: ArgumentHelp("The number of a rule, or a query.", valueName: "rule"))
    var words: [String]

    func run() async throws {
      try await form.reporting {
        let composition = try await common.compose()
        let rules = Rules(composition)
        let query =
          if words.count == 1, let number = Int64(words[0]) {
            try ArticleQuery(typed: try rules.rule(number).text)
          } else {
            try ArticleQuery(typed: words.joined(separator: " "))
          }
        let rows = try rules.matches(of: query, amongLast: 1_000)
        var printer = try ArticlePrinter(form, format: nil)
        for article in try Articles(composition).listed(rows) { printer.print(article) }
        printer.finish()
        if !form.json { Output.line("\(rows.count) of the last 1000 articles") }
      }
    }
  }
}

extension OutputOptions {
  fileprivate func print(_ rule: ArticleRule) {
    let until = rule.until.map { "until " + $0.formatted(.iso8601.year().month().day()) }
    let state = rule.query == nil ? "cannot be read" : until ?? ""
    print(
      .object([
        ("id", .number(rule.id.rawValue)), ("action", .string(rule.action.name)),
        ("tag", .string(rule.action.tag)), ("query", .string(rule.text)),
        ("until", .date(rule.until)), ("readable", .bool(rule.query != nil)),
      ]),
      text: "\(rule.id.rawValue)\t\(rule.action.title)\t\(rule.text)"
        + (state.isEmpty ? "" : "\t\(state)"))
  }
}
