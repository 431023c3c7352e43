internal import News
internal import Text

enum EPUBPages {
  static let container = """
    <?xml version="1.0" encoding="UTF-8"?>
    <container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
    <rootfiles>
    <rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/>
    </rootfiles>
    </container>

    """

  /// Minimal: fonts, sizes and margins are left to the reading program.
  static let style = """
    h1, h2, h3, h4, h5, h6 { text-align: start; line-height: 1.2; }
    .about { font-size: 0.85em; opacity: 0.75; }
    .indented { margin-inline-start: 2em; }
    img { max-width: 100%; max-height: 95vh; height: auto; }
    figure { margin: 1em 0; }
    figcaption { font-size: 0.85em; }
    pre { white-space: pre-wrap; font-size: 0.85em; }
    table { border-collapse: collapse; }
    th, td { border: 1px solid; padding: 0.2em 0.5em; text-align: start; vertical-align: top; }
    nav ol { list-style-type: none; padding-inline-start: 1em; }

    """

  /// One line, escaped; never empty, because reading programs refuse empty entries of a list.
  static func line(_ text: String) -> String {
    let line = XMLText.line(text)
    return line.allSatisfy(\.isWhitespace) ? "Untitled" : line
  }

  /// - Parameter title: escaped.
  static func head(_ title: String, language: String?) -> String {
    let language = XMLText.language(language).map { " xml:lang=\"\($0)\" lang=\"\($0)\"" } ?? ""
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE html>
      <html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"\(language)>
      <head>
      <meta charset="UTF-8"/>
      <title>\(title)</title>
      <link rel="stylesheet" type="text/css" href="style.css"/>
      </head>
      <body>

      """
  }

  static let foot = "</body>\n</html>\n"

  static func page(of article: WrittenArticle) -> String {
    let title = line(article.title)
    let about = article.about(XMLText.line)
    return head(title, language: article.entry.language)
      + "<h1>\(link(title, to: article.page))</h1>\n<p class=\"about\">\(about)</p>\n"
      + article.html + article.list { link(line($0.title ?? $0.url), to: $0.url) } + foot
  }

  /// - Parameter text: escaped.
  private static func link(_ text: String, to url: String?) -> String {
    XMLText.link(text, to: url.map(XMLText.address))
  }
}
