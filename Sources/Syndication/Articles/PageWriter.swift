internal import News
internal import Text

/// Articles as one HTML page after a list of contents. The page loads nothing.
package struct PageWriter: ArticleWriter {
  private let level: Int

  package init(level: Int = 2) { self.level = level }

  package let hasContents = true
  package let endOfContents = "</ol>\n</nav>\n<main>\n"
  package let end = "</main>\n</body>\n</html>\n"

  package func beginning(of list: WrittenList) -> String {
    head(of: list) + "<h1>\(XMLText.line(list.title))</h1>\n<nav>\n<ol>\n"
  }

  /// Beginning of the page of a single article, without a list of contents.
  package func beginningOfOne(_ list: WrittenList) -> String { head(of: list) + "<main>\n" }

  private func head(of list: WrittenList) -> String {
    let title = XMLText.line(list.title)
    return """
      <!DOCTYPE html>
      <html>
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
      <meta name="referrer" content="no-referrer">
      <title>\(title)</title>
      <style>
      :root { color-scheme: light dark; }
      body { max-width: 42em; margin: 2em auto; padding: 0 1em; line-height: 1.5; font-family: serif; }
      article { border-top: 1px solid; margin-top: 3em; }
      .about { opacity: 0.75; font-size: 0.9em; }
      pre { overflow-x: auto; }
      img { max-width: 100%; height: auto; }
      figure { margin: 1em 0; }
      figcaption { opacity: 0.75; font-size: 0.9em; }
      table { border-collapse: collapse; }
      th, td { border: 1px solid; padding: 0.2em 0.5em; text-align: start; }
      </style>
      </head>
      <body>

      """
  }

  package func contents(of article: WrittenArticle) -> String {
    "<li><a href=\"#\(article.anchor)\">\(XMLText.line(article.title))</a>"
      + " <span class=\"about\">\(XMLText.line(article.listed.row.feedTitle))</span></li>\n"
  }

  package func text(of article: WrittenArticle) -> String {
    let language = XMLText.attribute("lang", XMLText.language(article.entry.language))
    let files = article.list { XMLText.link(XMLText.line($0.title ?? $0.url), to: $0.url) }
    return """
      <article id="\(article.anchor)"\(language)>
      <h\(level)>\(XMLText.link(XMLText.line(article.title), to: article.page))</h\(level)>
      <p class="about">\(article.about(XMLText.line))</p>
      \(article.html)\(files)</article>

      """
  }

  package func contentsSection(_ title: String) -> String { "<li>\(XMLText.line(title))\n<ol>\n" }

  package func contentsLine(of article: WrittenArticle) -> String {
    "<li><a href=\"#\(article.anchor)\">\(XMLText.line(article.title))</a></li>\n"
  }

  package let endOfContentsSection = "</ol>\n</li>\n"

  package func section(_ title: String) -> String { "<h2>\(XMLText.line(title))</h2>\n" }
}
