internal import News
internal import Text

/// Articles as an Atom feed (RFC 4287), with the HTML of their feeds, not sanitised.
package struct AtomWriter: ArticleWriter {
  package init() {}

  package let end = "</feed>\n"

  package func beginning(of list: WrittenList) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <feed xmlns="http://www.w3.org/2005/Atom">
      <id>\(Self.id(WrittenArticle.key(of: [list.title])))</id>
      <title>\(XMLText.line(list.title))</title>
      <updated>\(Timestamp.text(of: list.updated))</updated>
      <generator>Telex</generator>

    """
  }

  package func text(of article: WrittenArticle) -> String {
    let entry = article.entry
    let language = XMLText.attribute("xml:lang", XMLText.language(entry.language))
    var text = "  <entry\(language)>\n"
    func add(_ name: String, _ value: String, _ attributes: String = "") {
      text += "    <\(name)\(attributes)>\(value)</\(name)>\n"
    }
    add("id", Self.id(article.key))
    add("title", XMLText.line(article.title))
    add("updated", Timestamp.text(of: article.updated))
    if let published = entry.published { add("published", Timestamp.text(of: published)) }
    if let page = article.page {
      text += "    <link rel=\"alternate\"\(XMLText.attribute("href", page))/>\n"
    }
    for file in article.files {
      let type = file.type.flatMap { $0.contains("/") ? $0 : nil }
      text +=
        "    <link rel=\"enclosure\"" + XMLText.attribute("href", file.url)
        + XMLText.attribute("type", type)
        + XMLText.attribute("length", file.length.map(String.init))
        + XMLText.attribute("title", file.title) + "/>\n"
    }
    // An entry has an author (RFC 4287 §4.1.2).
    let authors = entry.authors.isEmpty ? [Author(article.listed.row.feedTitle)] : entry.authors
    for author in authors {
      text += "    <author><name>\(XMLText.line(author.name))</name>"
      if let page = author.url.flatMap(AddressText.web) {
        text += "<uri>\(XMLText.line(page))</uri>"
      }
      if let email = author.email, email.contains("@") {
        text += "<email>\(XMLText.line(email))</email>"
      }
      text += "</author>\n"
    }
    for category in entry.categories {
      text +=
        "    <category" + XMLText.attribute("term", category.term)
        + XMLText.attribute("scheme", category.scheme.flatMap(AddressText.web))
        + XMLText.attribute("label", category.label) + "/>\n"
    }
    if let rights = entry.rights { add("rights", XMLText.line(rights)) }
    let feed = XMLText.line(article.listed.feedURL)
    text += """
          <source>
            <id>\(feed)</id>
            <title>\(XMLText.line(article.listed.row.feedTitle))</title>
            <updated>\(Timestamp.text(of: article.updated))</updated>

      """
    if WebAddress.isWeb(article.listed.feedURL) {
      text += "      <link rel=\"self\" href=\"\(feed)\"/>\n"
    }
    text += "    </source>\n"
    if let summary = entry.summary { add("summary", XMLText.line(summary)) }
    // Without a link there has to be a content (RFC 4287 §4.1.2).
    if let html = entry.contentHTML ?? (article.page == nil ? "" : nil) {
      add("content", XMLText.block(html), " type=\"html\"")
    }
    return text + "  </entry>\n"
  }

  /// A UUID made of a key (RFC 9562 §5.8, version 8).
  static func id(_ key: String) -> String {
    var digits = Array(key)
    digits[12] = "8"
    digits[16] = "8"
    let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
    return "urn:uuid:" + parts.joined(separator: "-")
  }
}
