internal import Foundation
internal import News

/// The pages a browser sees.
extension FeedWriter {
  /// Names every feed for discovery, and the newest articles.
  func frontPage() -> String {
    let newest = archive.page(after: nil, limit: 30, section: section?.slug).articles
    let links = [
      ("application/rss+xml", "rss.xml", "RSS"), ("application/atom+xml", "atom.xml", "Atom"),
      ("application/rdf+xml", "rdf.xml", "RDF"),
      ("application/feed+json", "feed.json", "JSON Feed"),
      ("application/vnd.telex-feed+json", "api", "Feed API"),
    ]
    let alternates = links.map { type, name, label in
      """
      <link rel="alternate" type="\(type)" title="\(label)" href="\(home)/\(name)">

      """
    }
    let items = newest.map { article in
      """
      <li><a href="\(escapedXML(absolute(article.entry.url ?? "")))">\
      \(escapedXML(article.entry.title ?? article.entry.id))</a>
      <time datetime="\(article.published.iso8601)">\(article.published.iso8601)</time></li>

      """
    }
    let sections = archive.sections.map { section in
      """
      <li><a href="\(origin)/\(section.slug)/">\(escapedXML(section.title))</a>: \
      \(escapedXML(section.description))</li>

      """
    }
    return document(
      title: title, head: alternates.joined(),
      body: """
        <h1>\(escapedXML(title))</h1>
        <p>\(escapedXML(description))</p>
        <ul>
        \(section == nil ? sections.joined() : "")</ul>
        <ol>
        \(items.joined())</ol>
        """)
  }

  func page(of article: Archive.Article) -> String {
    let title = article.entry.title ?? article.entry.id
    return document(
      title: title, head: "",
      body: """
        <article>
        <h1>\(escapedXML(title))</h1>
        <p><time datetime="\(article.published.iso8601)">\(article.published.iso8601)</time>
        \(escapedXML(article.entry.authors.map(\.name).joined(separator: ", ")))</p>
        \(content(of: article.entry) ?? "")
        </article>
        """)
  }

  private func document(title: String, head: String, body: String) -> String {
    """
    <!doctype html>
    <html lang="\(archive.language)">
    <head>
    <meta charset="utf-8">
    <title>\(escapedXML(title))</title>
    \(head)</head>
    <body>
    \(body)
    </body>
    </html>

    """
  }
}
