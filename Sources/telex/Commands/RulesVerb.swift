internal import ArgumentParser
internal import Foundation
internal import News
internal import Reader
internal import TelexKit

struct RulesVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rules", abstract: "List, add, remove or test rules for new articles.",
    subcommands: [List.self, Add.self, Remove.self, Test.self], defaultSubcommand: List.self)

  struct List: StoreCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the rules.")

    @OptionGroup var shared: SharedOptions

    func perform() async throws {
      var table = Table([
        .init("NUMBER", isNumber: true), .init("ACTION", .limited), .init("QUERY", .rest),
        .init("STATE"),
      ])
      for rule in try Rules(try await common.compose()).all() {
        form.print(rule.json, in: &table, rule.columns)
      }
      form.finish(&table, empty: "No rules.")
    }
  }

  struct Add: StoreCommand {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Add a rule for new articles.",
      discussion: """
        telex rules add --keep-only feed:HN title:rust keeps one subject of a feed. Existing \
        articles do not change; telex read QUERY and similar commands change them.

        --replace-title REGEX --with TEMPLATE rewrites matches in titles; $1 is the first group: \
        --replace-title '^\\[ad\\] ' --with ''. --replace-url rewrites the address, unless the \
        result is not a web address. Later changes by the feed are rewritten too.

        --score 5 raises the score of an article by 5, --score -3 lowers it by 3. The scores of \
        several rules add up, between -1000 and 1000. The query score>0 finds such articles; \
        sort:score lists the highest first.
        """)

    @OptionGroup var shared: SharedOptions
    @OptionGroup var action: RuleActionOptions
    @Option(name: .customLong("for"), help: "The rule ends after this time: 12h, 3d, 2w, 6m.")
    var time: String?
    @Argument(help: .value("query", "The articles, as a query in quotes."))
    var query: [String]

    func validate() throws {
      try refuse(action.count != 1, RuleActionOptions.oneOfThem)
      guard time.map({ ArticleQuery.seconds(of: $0) != nil }) ?? true else {
        throw ValidationError("--for takes a time such as 12h, 3d, 2w or 6m.")
      }
    }

    func perform() async throws {
      let query = try ArticleQuery(typed: query, needsCondition: true)
      guard let action = try action.action() else {
        throw SourceError.arguments(
          "rules add", "the query is empty", next: "name the articles, as in 'feed:HN title:rust'")
      }
      _ = try action.condition(query)
      let rules = Rules(try await common.compose())
      let id = try await rules.add(query, action, for: time.flatMap(ArticleQuery.seconds))
      form.print(try rules.rule(id.rawValue))
    }
  }

  struct Remove: StoreCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Remove rules.",
      discussion: """
        Articles hidden by a rule return if their feed still lists them.
        """)

    @OptionGroup var shared: SharedOptions
    @Argument(help: "The numbers of the rules.")
    var numbers: [Int64]

    func perform() async throws {
      let rules = Rules(try await common.compose())
      try await rules.remove(numbers.map { RuleID($0) })
      form.print(
        ["removed": .array(numbers.map { .number($0) }), "error": .null],
        text: "removed \(numbers.map { "\($0)" }.joined(separator: ", "))")
    }
  }

  struct Test: StoreCommand {
    static let configuration = CommandConfiguration(
      commandName: "test", abstract: "Print the effect of a rule on the last thousand articles.",
      discussion: """
        With a query: the articles that match. With a query and an action of telex rules add: the \
        effect of that rule. Without arguments: the number of matches of each rule.
        """)

    @OptionGroup var shared: SharedOptions
    @OptionGroup var action: RuleActionOptions
    @Argument(help: .value("rule", "The number of a rule, or a query."))
    var words: [String] = []

    private static let count = 1_000

    func validate() throws {
      try refuse(action.count > 1, RuleActionOptions.oneOfThem)
      try refuse(action.count > 0 && words.isEmpty, "Give a query with the action.")
    }

    func perform() async throws {
      let composition = try await common.compose()
      let rules = Rules(composition)
      if words.isEmpty { return try countAll(rules) }
      var tried = try action.action()
      var text: String?
      if words.count == 1, let number = Int64(words[0]) {
        let rule = try rules.rule(number)
        tried = tried ?? rule.action
        text = rule.text
      }
      let query = try ArticleQuery(typed: text ?? words.joined(separator: " "))
      let trials = try rules.trials(of: tried, query, amongLast: Self.count)
      var printer = try ArticlePrinter(form, format: nil)
      let unchanged = trials.filter { $0.rewritten == nil && $0.score == nil }.map(\.row)
      for article in try Articles(composition).listed(unchanged) { printer.print(article) }
      if !unchanged.isEmpty { printer.finish() }
      for trial in trials {
        if let score = trial.score {
          form.print(
            [
              "id": .number(trial.row.id.rawValue), "title": .string(trial.row.title),
              "before": .number(trial.row.score), "after": .number(score),
            ],
            text: "\(trial.row.id.rawValue)\t\(trial.row.score) → \(score)\t\(trial.row.title)")
        }
        guard let (before, after) = trial.rewritten else { continue }
        form.print(
          [
            "id": .number(trial.row.id.rawValue), "title": .string(trial.row.title),
            "before": .string(before), "after": .string(after),
          ], text: "\(trial.row.id.rawValue)\t\(before)\n\t→ \(after)")
      }
      let what = tried.map { " would have come to: \($0.title)" } ?? ""
      if !form.json { Output.line("\(trials.count) of the last \(Self.count) articles\(what)") }
    }

    private func countAll(_ rules: Rules) throws {
      for rule in try rules.all() {
        guard let query = rule.query else {
          form.print(rule)
          continue
        }
        let count = try rules.trials(of: rule.action, query, amongLast: Self.count).count
        form.print(
          [
            "id": .number(rule.id.rawValue), "action": .string(rule.action.name),
            "argument": .string(rule.action.argument), "query": .string(rule.text),
            "articles": .number(count),
          ],
          text:
            "\(rule.id.rawValue)\t\(rule.action.title)\t\(rule.text)\t\(count) of the last \(Self.count)"
        )
      }
    }
  }
}

/// The action of a rule.
struct RuleActionOptions: ParsableArguments {
  @Flag(help: "Mark the articles as read.")
  var read = false
  @Flag(help: "Star the articles.")
  var star = false
  @Flag(help: "Discard the articles; mark those of an account as read.")
  var hide = false
  @Option(help: .value("name", "Tag the articles."), completion: .tags)
  var tag: String?
  @Option(
    help: .value("query", "Hide all other articles of this query, such as feed:HN."))
  var keepOnly: String?
  @Option(help: .value("regex", "Rewrite matches in titles."))
  var replaceTitle: String?
  @Option(help: .value("regex", "Rewrite matches in addresses."))
  var replaceURL: String?
  @Option(
    help: .value(
      "template",
      "With --replace-title or --replace-url: the replacement."))
  var with: String?
  // A negative score begins with a minus.
  @Option(
    parsing: .unconditional,
    help: .value("number", "Raise the score, or lower it: --score -3."))
  var score: Int?

  static let oneOfThem = """
    Give one of --read, --star, --tag NAME, --hide, --keep-only QUERY, --replace-title REGEX --with TEMPLATE, \
    --replace-url REGEX --with TEMPLATE, --score NUMBER.
    """

  /// The number of given actions.
  var count: Int {
    [read, star, hide].count { $0 } + [tag, keepOnly, replaceTitle, replaceURL].count { $0 != nil }
      + (score == nil ? 0 : 1)
  }

  func validate() throws {
    try refuse(
      with != nil && replaceTitle == nil && replaceURL == nil,
      "--with belongs to --replace-title or --replace-url.")
    try refuse(
      with == nil && (replaceTitle != nil || replaceURL != nil),
      "Say what comes in place of it: --with TEMPLATE, or --with ''.")
    if let score, score == 0 || !ArticleScore.bounds.contains(score) {
      throw ValidationError("--score takes a number from -1000 to 1000, and not 0.")
    }
  }

  /// - Throws: `SourceError` for a query or an expression that cannot be read.
  func action() throws -> RuleAction? {
    if read { return .read }
    if star { return .star }
    if hide { return .hide }
    if let tag { return .tag(tag) }
    if let score { return .score(score) }
    if let keepOnly { return .keepOnly(of: try ArticleQuery(typed: keepOnly).text) }
    func replacement(_ pattern: String) throws -> TextReplacement {
      do throws(QueryError) { return try TextReplacement(pattern, with: with ?? "") } catch {
        throw SourceError.arguments(
          "the replacement", error.message,
          next: "the manual describes rules; telex rules test shows what one would do")
      }
    }
    if let replaceTitle { return .replaceTitle(try replacement(replaceTitle)) }
    return try replaceURL.map { .replaceAddress(try replacement($0)) }
  }
}

extension OutputOptions {
  fileprivate func print(_ rule: ArticleRule) {
    print(rule.json, text: rule.columns.joined(separator: "\t"))
  }
}

extension ArticleRule {
  fileprivate var json: JSONOutput {
    [
      "id": .number(id.rawValue), "action": .string(action.name), "tag": .string(action.tag),
      "argument": .string(action.argument), "query": .string(text), "until": .date(until),
      "readable": .bool(query != nil),
    ]
  }

  fileprivate var columns: [String] {
    let until = until.map { "until " + $0.formatted(.iso8601.year().month().day()) }
    let state = query == nil ? "cannot be read" : until
    return ["\(id.rawValue)", action.title, text] + (state.map { [$0] } ?? [])
  }
}
