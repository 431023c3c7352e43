internal import ArgumentParser
internal import News
internal import TelexKit

struct ExtractVerb: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "extract", abstract: "Print the article of a web page as HTML.",
    discussion: """
      Leaves out navigation, advertising and lists of other articles. The exit status is 1 if \
      the page has no whole article: it is for subscribers, asks for consent or a password, is a \
      list of links, or is empty. What was found is printed anyway.

      With --url the rules of its site in sites.toml, beside config.toml, apply.
      """)

  @OptionGroup var shared: SharedOptions
  @Argument(help: "The file; - for standard input.", completion: .file())
  var file: String
  @Option(help: "The address of the page, for relative addresses.")
  var url: String?
  @Option(help: .value("TYPE", "The Content-Type of the page."))
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
