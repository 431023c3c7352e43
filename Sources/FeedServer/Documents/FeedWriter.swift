internal import Foundation
internal import News
internal import Text

/// Writes the archive, or a section of it, in each of the formats the server speaks.
struct FeedWriter {
  let archive: Archive
  let section: Archive.Section?
  /// Scheme, host and port as the client sees them, without a slash at the end.
  let origin: String
  /// How many comments an article has.
  var commentCount: @Sendable (Archive.Article) -> Int = { _ in 0 }

  var title: String { section.map { "\(archive.title): \($0.title)" } ?? archive.title }
  var description: String { section?.description ?? archive.description }
  /// Where the pages and feeds of this section begin.
  var home: String { section.map { "\(origin)/\($0.slug)" } ?? origin }

  /// - Parameters:
  ///   - name: `rss.xml`, `atom.xml`, `rdf.xml` or `feed.json`.
  ///   - path: of the request, for the addresses of this page and the next.
  func feed(_ name: String, _ page: ArticlePage, path: String) -> WireReply {
    let address = origin + path
    let next = page.next.map { "\(address)?cursor=\($0)&limit=\(page.limit)" }
    switch name {
    case "atom.xml":
      let links = next.map { [("next", $0)] } ?? []
      return xml("application/atom+xml", atom(page.articles, address: address, links: links))
    case "rdf.xml":
      return xml("application/rdf+xml", rdf(page.articles, address: address))
    case "feed.json":
      return WireReply(
        headers: [("Content-Type", "application/feed+json; charset=utf-8")],
        body: jsonFeed(page.articles, address: address, next: next).bytes)
    default:
      return xml("application/rss+xml", rss(page.articles, address: address, next: next))
    }
  }

  /// A feed with archives, or one of them (RFC 5005 §4).
  ///
  /// - Parameters:
  ///   - number: of the archive, 1 for the oldest; nil for the feed itself.
  ///   - count: of all archives.
  func archivedFeed(
    _ articles: [Archive.Article], number: Int?, of count: Int, path: String
  ) -> WireReply {
    let folder = "\(home)/archive"
    var links: [(String, String)] = []
    let older = number.map { $0 - 1 } ?? count
    if older > 0 { links.append(("prev-archive", "\(folder)/atom-\(older).xml")) }
    if let number {
      links.append(("current", "\(folder)/atom.xml"))
      if number < count { links.append(("next-archive", "\(folder)/atom-\(number + 1).xml")) }
    }
    return xml(
      "application/atom+xml",
      atom(articles, address: origin + path, links: links, isArchive: number != nil))
  }

  /// A page of a feed as WordPress writes it.
  func weblog(_ articles: [Archive.Article], address: String) -> WireReply {
    xml(
      "application/rss+xml",
      rss(articles, address: address, next: nil, generator: "https://wordpress.org/?v=6.8"))
  }

  func absolute(_ address: String) -> String {
    address.hasPrefix("/") ? origin + address : address
  }

  /// The body with the server's own addresses made absolute.
  func content(of entry: Entry) -> String? {
    entry.contentHTML?.replacing("=\"/", with: "=\"\(origin)/")
  }

  private func xml(_ type: String, _ text: String) -> WireReply {
    WireReply(type: type + "; charset=utf-8", text: text)
  }

  // MARK: RSS 2.0

  private func rss(
    _ articles: [Archive.Article], address: String, next: String?, generator: String? = nil
  ) -> String {
    var out = XMLText()
    out.raw(
      """
      <rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" \
      xmlns:content="http://purl.org/rss/1.0/modules/content/" \
      xmlns:dc="http://purl.org/dc/elements/1.1/" \
      xmlns:slash="http://purl.org/rss/1.0/modules/slash/" \
      xmlns:wfw="http://wellformedweb.org/CommentAPI/">
      <channel>

      """)
    out.element("title", title)
    out.element("link", home + "/")
    out.element("description", description)
    out.element("language", archive.language)
    out.element("lastBuildDate", articles.first?.published.rssDate)
    out.element("generator", generator)
    out.empty("atom:link", [("rel", "self"), ("href", address), ("type", "application/rss+xml")])
    // RFC 5005 §3: the older articles.
    if let next { out.empty("atom:link", [("rel", "next"), ("href", next)]) }
    for article in articles {
      let entry = article.entry
      out.raw("<item>\n")
      out.element("title", entry.title)
      out.element("link", entry.url.map(absolute))
      out.element("guid", entry.id, [("isPermaLink", "false")])
      out.element("pubDate", article.published.rssDate)
      for author in entry.authors { out.element("dc:creator", author.name) }
      for category in entry.categories { out.element("category", category.term) }
      out.element("description", entry.summary)
      out.element("content:encoded", content(of: entry))
      if generator != nil {
        out.element("comments", entry.url.map { absolute($0) + "#comments" })
        out.element("wfw:commentRss", commentFeedAddress(of: article, "comments.xml"))
        out.element("slash:comments", "\(commentCount(article))")
      }
      // RSS 2.0 allows one enclosure an item; feed readers accept more, and so does Telex.
      for enclosure in entry.enclosures {
        out.empty(
          "enclosure",
          [
            ("url", absolute(enclosure.url)), ("length", "\(enclosure.length ?? 0)"),
            ("type", enclosure.type ?? "application/octet-stream"),
          ])
      }
      out.raw("</item>\n")
    }
    out.raw("</channel>\n</rss>\n")
    return out.text
  }

  // MARK: Atom 1.0 (RFC 4287)

  private func atom(
    _ articles: [Archive.Article], address: String, links: [(rel: String, href: String)],
    isArchive: Bool = false
  ) -> String {
    var out = XMLText()
    let history = isArchive ? " xmlns:fh=\"http://purl.org/syndication/history/1.0\"" : ""
    let thread = " xmlns:thr=\"http://purl.org/syndication/thread/1.0\""
    out.raw(
      "<feed xmlns=\"http://www.w3.org/2005/Atom\"\(history)\(thread) xml:lang=\"\(archive.language)\">\n"
    )
    if isArchive { out.empty("fh:archive", []) }
    out.element("id", home + "/")
    out.element("title", title)
    out.element("subtitle", description)
    let newest = articles.map { $0.entry.updated ?? $0.published }.max()
    out.element("updated", (newest ?? Date(timeIntervalSince1970: 0)).iso8601)
    // RFC 4287 §4.1.1: entries without an author take the feed's.
    out.raw("<author>")
    out.element("name", archive.title)
    out.raw("</author>\n")
    out.empty("link", [("rel", "alternate"), ("type", "text/html"), ("href", home + "/")])
    out.empty("link", [("rel", "self"), ("type", "application/atom+xml"), ("href", address)])
    for (rel, href) in links { out.empty("link", [("rel", rel), ("href", href)]) }
    for article in articles {
      let entry = article.entry
      out.raw("<entry>\n")
      // §4.2.6: an id is an IRI; the bare id of the archive is not.
      out.element("id", "\(origin)/id/" + percentEncoded(entry.id))
      out.element("title", entry.title ?? "")
      out.element("published", article.published.iso8601)
      out.element("updated", (entry.updated ?? article.published).iso8601)
      for author in entry.authors {
        out.raw("<author>")
        out.element("name", author.name)
        out.raw("</author>\n")
      }
      if let url = entry.url.map(absolute) {
        out.empty("link", [("rel", "alternate"), ("type", "text/html"), ("href", url)])
      }
      out.empty(
        "link",
        [
          ("rel", "replies"), ("type", "application/atom+xml"),
          ("href", commentFeedAddress(of: article, "comments-atom.xml")),
          ("thr:count", "\(commentCount(article))"),
        ])
      for enclosure in entry.enclosures {
        out.empty(
          "link",
          [("rel", "enclosure"), ("href", absolute(enclosure.url))]
            + (enclosure.type.map { [("type", $0)] } ?? [])
            + (enclosure.length.map { [("length", "\($0)")] } ?? []))
      }
      for category in entry.categories { out.empty("category", [("term", category.term)]) }
      out.element("summary", entry.summary)
      out.element("content", content(of: entry), [("type", "html")])
      out.raw("</entry>\n")
    }
    out.raw("</feed>\n")
    return out.text
  }

  // MARK: RSS 1.0

  private func rdf(_ articles: [Archive.Article], address: String) -> String {
    var out = XMLText()
    out.raw(
      """
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" \
      xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/" \
      xmlns:content="http://purl.org/rss/1.0/modules/content/">

      """)
    out.raw("<channel rdf:about=\"\(escapedXML(address))\">\n")
    out.element("title", title)
    out.element("link", home + "/")
    out.element("description", description)
    out.element("dc:language", archive.language)
    let addresses = articles.map { absolute($0.entry.url ?? "/read/" + $0.entry.id) }
    out.raw("<items><rdf:Seq>\n")
    for address in addresses { out.empty("rdf:li", [("rdf:resource", address)]) }
    out.raw("</rdf:Seq></items>\n</channel>\n")
    for (article, address) in zip(articles, addresses) {
      let entry = article.entry
      out.raw("<item rdf:about=\"\(escapedXML(address))\">\n")
      out.element("title", entry.title ?? "")
      out.element("link", address)
      out.element("dc:identifier", entry.id)
      out.element("dc:date", article.published.iso8601)
      for author in entry.authors { out.element("dc:creator", author.name) }
      for category in entry.categories { out.element("dc:subject", category.term) }
      out.element("description", entry.summary)
      out.element("content:encoded", content(of: entry))
      out.raw("</item>\n")
    }
    out.raw("</rdf:RDF>\n")
    return out.text
  }

  // MARK: JSON Feed 1.1

  private func jsonFeed(_ articles: [Archive.Article], address: String, next: String?) -> JSONText {
    var feed: [(String, JSONText)] = [
      ("version", .string("https://jsonfeed.org/version/1.1")), ("title", .string(title)),
      ("home_page_url", .string(home + "/")), ("feed_url", .string(address)),
      ("description", .string(description)), ("language", .string(archive.language)),
    ]
    if let next { feed.append(("next_url", .string(next))) }
    feed.append(("items", .array(articles.map(jsonItem))))
    return .object(feed)
  }

  // JSON Feed leaves absent members out.
  private func jsonItem(_ article: Archive.Article) -> JSONText {
    let entry = article.entry
    var item: [(String, JSONText)] = [("id", .string(entry.id))]
    if let url = entry.url { item.append(("url", .string(absolute(url)))) }
    if let title = entry.title { item.append(("title", .string(title))) }
    item.append(("content_html", .string(content(of: entry) ?? "")))
    if let summary = entry.summary { item.append(("summary", .string(summary))) }
    item.append(("date_published", .string(article.published.iso8601)))
    if let updated = entry.updated { item.append(("date_modified", .string(updated.iso8601))) }
    if !entry.authors.isEmpty {
      item.append(("authors", .array(entry.authors.map { .object([("name", .string($0.name))]) })))
    }
    if !entry.categories.isEmpty { item.append(("tags", .strings(entry.categories.map(\.term)))) }
    if !entry.enclosures.isEmpty {
      item.append(
        (
          "attachments",
          .array(
            entry.enclosures.map {
              var attachment: [(String, JSONText)] = [
                ("url", .string(absolute($0.url))),
                ("mime_type", .string($0.type ?? "application/octet-stream")),
              ]
              if let length = $0.length {
                attachment.append(("size_in_bytes", .number(length)))
              }
              return .object(attachment)
            })
        ))
    }
    return .object(item)
  }
}
