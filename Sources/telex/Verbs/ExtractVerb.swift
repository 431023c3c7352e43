internal import ArgumentParser
internal import News
internal import TelexKit

struct ExtractVerb: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "extract", abstract: "Print the article of a web page as HTML.",
    discussion: """
      What stands around the article is left out: navigation, advertising, lists of other articles. Exits with 1 where \
      the page has no whole article: it is for subscribers, asks for consent to cookies or for a password, is a list of \
      links, or is empty. What there is of it is printed all the same.

      With --url the rules for its site in sites.toml, which lies beside config.toml, are followed.
      """)

  @OptionGroup var shared: SharedOptions
  @Argument(help: "The file; - for standard input.", completion: .file())
  var file: String
  @Option(help: ArgumentHelp("Where the page came from; relative addresses refer to it."))
  var url: String?
  @Option(help: .value("TYPE", "The Content-Type it came with."))
  var contentType: String?

  func perform() async throws {
    let article = try InputDocument.article(
      of: file, url: url, contentType: contentType, config: common.config)
    form.print(.article(ofPage: article), text: article.html)
    guard let complaint = article.kind.complaint else { return }
    form.warn([complaint])
    throw ExitCode(1)
  }
}

extension JSONOutput {
  static func article(ofPage article: PageArticle) -> JSONOutput {
    [
      "kind": .string(article.kind.rawValue), "url": .string(article.url),
      "title": .string(article.title), "byline": .string(article.byline),
      "published": .date(article.published), "language": .string(article.language),
      "picture": .string(article.picture), "siteName": .string(article.siteName),
      "excerpt": .string(article.excerpt), "length": .number(article.length),
      "nextPage": .string(article.nextPage), "html": .string(article.html),
    ]
  }
}
