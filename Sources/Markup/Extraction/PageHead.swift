internal import Text

/// Metadata of a page about its article: Open Graph, Twitter cards, microdata, Dublin Core, `<time>`.
///
/// None of it is sanitised. Dates are as they are written.
package struct PageHead: Sendable {
  package var title: String?
  package var byline: String?
  package var published: String?
  package var language: String?
  /// The address of the lead picture, as it stands in the page.
  package var picture: String?
  package var siteName: String?
  package var excerpt: String?
  /// Whether it says that not everybody may read the article.
  package var isForSubscribers = false

  /// In bytes; what is longer is cut.
  private static let longest = 4_000
  private static let mostNames = 500

  init(_ nodes: [HTMLPage.Node]) {
    var names: [String: String] = [:]
    /// The headings of the page, and whether they are links: the name of the site is one.
    var headings: [(text: String, isLinked: Bool)] = []
    var author: String?
    var date: String?
    var titleText: String?
    for (index, node) in nodes.enumerated() where !node.name.isEmpty {
      func value(_ name: String) -> String? {
        node[name].map { String($0.prefix(Self.longest)) }
      }
      let property = value("itemprop")?.lowercased()
      switch node.name {
      case "meta":
        guard names.count < Self.mostNames, let content = value("content"),
          !WebAddress.isBlank(content)
        else { continue }
        for name in ["property", "name", "itemprop", "http-equiv"] {
          for word in (value(name) ?? "").lowercased().split(separator: " ") {
            let key = name == "itemprop" ? "itemprop:\(word)" : String(word)
            if names[key] == nil { names[key] = content }
          }
        }
      case "link":
        guard let href = value("href") else { continue }
        for word in (value("rel") ?? "").lowercased().split(separator: " ") {
          if names["link:\(word)"] == nil { names["link:\(word)"] = href }
        }
      case "html": language = value("lang") ?? value("xml:lang")
      case "title":
        if titleText == nil { titleText = Self.text(nodes, index) }
      case "h1", "h2":
        if headings.count < 12, let text = Self.text(nodes, index) {
          headings.append((text, Self.isLinked(nodes, index)))
        }
      case "time":
        if date == nil || property == "datepublished" || value("pubdate") != nil {
          date = value("datetime") ?? date
        }
      case "a", "span", "div", "p":
        let isAuthor =
          property == "author" || (value("rel")?.lowercased()).map { $0 == "author" } ?? false
        if isAuthor, author == nil { author = Self.text(nodes, index) }
      default: break
      }
      if property == "datepublished", names["itemprop:datepublished"] == nil {
        names["itemprop:datepublished"] =
          value("content") ?? value("datetime") ?? Self.text(nodes, index)
      }
    }
    func first(_ keys: String...) -> String? {
      keys.lazy.compactMap { names[$0] }.first
    }
    siteName = first("og:site_name", "application-name", "twitter:site")
    if siteName?.hasPrefix("@") == true { siteName = nil }
    // The name of the site may be a heading too.
    let known = headings.filter { titleText?.contains($0.text) == true && $0.text != siteName }
    let heading =
      (known.filter { titleText?.hasPrefix($0.text) == true }.max { $0.text.count < $1.text.count }
      ?? known.filter { !$0.isLinked }.max { $0.text.count < $1.text.count }
      ?? headings.first { !$0.isLinked } ?? headings.first)?.text
    title =
      Self.withoutEnd(
        first(
          "og:title", "twitter:title", "dc.title", "dcterms.title", "citation_title",
          "itemprop:headline"), known.map(\.text), site: siteName)
      ?? titleText.map { Self.withoutSite($0, site: siteName, heading: heading) } ?? heading
    byline =
      first(
        "author", "dc.creator", "dcterms.creator", "citation_author", "parsely-author",
        "itemprop:author", "sailthru.author", "byl")
      ?? first("article:author").flatMap { WebAddress.isWeb($0) ? nil : $0 } ?? author
    published =
      first(
        "article:published_time", "og:published_time", "itemprop:datepublished",
        "parsely-pub-date", "citation_publication_date", "dc.date.issued", "dcterms.created",
        "dc.date", "date", "pubdate", "publishdate", "sailthru.date") ?? date
    language =
      language.flatMap { $0.isEmpty ? nil : $0 } ?? first("content-language", "dc.language")
      ?? first("og:locale")?.replacing("_", with: "-")
    picture = first(
      "og:image:secure_url", "og:image:url", "og:image", "twitter:image", "twitter:image:src",
      "itemprop:image", "link:image_src")
    excerpt = first(
      "og:description", "description", "twitter:description", "dc.description",
      "itemprop:description")
    let tier = first("article:content_tier", "content_tier", "article.content_tier")
    isForSubscribers = tier.map { ["locked", "metered"].contains($0.lowercased()) } ?? false
  }

  private static func isLinked(_ nodes: [HTMLPage.Node], _ index: Int) -> Bool {
    (index..<nodes[index].end).prefix(8).contains { inner in
      nodes[inner].name == "a" && nodes[inner]["href"]?.hasPrefix("#") == false
    }
  }

  private static func text(_ nodes: [HTMLPage.Node], _ index: Int) -> String? {
    var text = ""
    for inner in index..<nodes[index].end where nodes[inner].name.isEmpty {
      text += nodes[inner].text
      if text.utf8.count > longest { break }
    }
    var collapsed = text.collapsed()
    while let last = collapsed.last, "¶§ ".contains(last) { collapsed.removeLast() }
    return collapsed.isEmpty ? nil : collapsed
  }

  /// A title that a page gives itself, as the heading that it begins with, where only a name follows.
  ///
  /// Removes an end that is shorter than the heading, or the name of the site: `Opinion | The Case for Trains` is a title.
  private static func withoutEnd(_ title: String?, _ headings: [String], site: String?) -> String? {
    guard let title else { return nil }
    let found = headings.filter { heading in
      guard heading.count >= 4, title.hasPrefix(heading) else { return false }
      let end = title.dropFirst(heading.count)
      return [" - ", " | ", " – ", " — ", " · ", " :: "].contains { separator in
        guard end.hasPrefix(separator) else { return false }
        let name = end.dropFirst(separator.count)
        return name.count < heading.count || site.map { name == $0 } == true
      }
    }
    return found.max { $0.count < $1.count } ?? title
  }

  private static let separators = [
    " | ", " – ", " — ", " - ", " · ", " » ", " :: ", " / ", " \\ ",
  ]

  /// The title of a page without the name of its site: `A headline | The Paper`.
  private static func withoutSite(_ title: String, site: String?, heading: String?) -> String {
    if let heading, heading.count > 8, title.contains(heading) { return heading }
    for separator in separators {
      guard let place = title.ranges(of: separator).last else { continue }
      let (before, behind) = (title[..<place.lowerBound], title[place.upperBound...])
      if let site, behind == site { return String(before) }
      if let site, before == site { return String(behind) }
      let words = before.split(separator: " ").count
      if words >= 3 || before.count > behind.count { return String(before) }
    }
    // Names of files stand for titles in some wikis.
    let lower = title.lowercased()
    if let heading, !separators.contains(where: title.contains),
      heading.lowercased().split(separator: " ").contains(where: {
        $0.count > 3 && lower.contains($0)
      })
    {
      return heading
    }
    return title
  }
}
