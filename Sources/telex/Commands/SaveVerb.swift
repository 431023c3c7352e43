internal import ArgumentParser
internal import News
internal import TelexKit

struct SaveVerb: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "save", abstract: "Keep the articles of web pages in Saved, to read them later.",
    discussion: """
      Saved is a feed of its own, whose articles are searched, tagged and starred as all others, and are never trimmed. \
      The pictures of a page are fetched with it, but not where each byte costs. A page is kept before it is fetched: what \
      cannot be fetched now is fetched by a later refresh, and the exit status is 1.
      """)

  @OptionGroup var shared: SharedOptions
  @Argument(help: "The addresses of the pages.")
  var url: [String]
  @Option(help: .value("TAG", "Give them this tag; may be given several times."), completion: .tags)
  var tag: [String] = []
  @OptionGroup var limit: TimeLimitOptions

  func perform() async throws {
    let composition = try await common.compose(deadline: limit.deadline())
    var isFailed = false
    for url in url {
      let saved = try await untilInterrupted {
        try await FullTexts(composition).save(url, isTyped: true)
      }
      for tag in tag {
        try await Articles(composition).apply(.setTag([saved.article], tag, true))
      }
      let article = try Articles(composition).article(saved.article)
      form.complain(saved.error)
      isFailed = isFailed || saved.error != nil
      form.print(
        [
          "articleID": .number(saved.article.rawValue), "url": .string(article.entry.url),
          "title": .string(article.entry.title), "hasText": .bool(saved.error == nil),
          "packed": .bool(saved.isWhole), "error": .error(saved.error),
        ],
        text: "\(saved.article.rawValue)\t\(article.entry.title ?? "")"
          + (saved.error == nil ? "" : "\twaits for its text"))
    }
    if isFailed { throw ExitCode(1) }
  }
}
