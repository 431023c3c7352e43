package import Markup
package import News
internal import Text

/// Reader of the article of a web page, with its metadata.
package enum PageArticleReader {
  /// Maximum number of characters of a title, name or excerpt.
  private static let longestLine = 1_000

  /// - Parameters:
  ///   - bytes: the page in its own encoding.
  ///   - number: number of the page within the article, from 1.
  ///   - rules: the user's rules for the site.
  /// - Throws: `SourceError` if a selector of the rules takes too long.
  package static func read(
    _ bytes: [UInt8], contentType: String?, url: String?, number: Int = 1,
    rules: PageArticleRules? = nil
  ) throws(SourceError) -> PageArticle {
    let page = HTMLPage(forExtraction: PageText.utf8(bytes, contentType: contentType))
    let linked = LinkedData(page.linkedData)
    let found: PageArticleMarkup
    do {
      found = try page.article(
        url: url, number: number, rules: rules, isForSubscribers: linked.isForSubscribers)
    } catch {
      throw SourceError(
        .decoding, stage: .parse, subject: url.map(WebAddress.redacted) ?? "the page",
        message: "a selector of the rules for this site takes too long on the page",
        next: "name fewer steps in it")
    }
    let head = found.head
    let base = page.address(against: url)
    var article = PageArticle(
      kind: kind(found.obstacle), url: url, html: PlainText.sanitizedMarkup(found.html),
      length: found.letters, nextPage: found.nextPage)
    article.title = line(linked.title ?? head.title)
    article.byline = line(linked.byline ?? head.byline).map(withoutBy)
    article.published =
      linked.published.flatMap(FeedDate.parse) ?? head.published.flatMap(FeedDate.parse)
    article.language = line(head.language ?? linked.language).flatMap {
      $0.utf8.count <= 35 ? $0 : nil
    }
    article.picture = (head.picture ?? linked.picture).flatMap {
      WebAddress.resolve(AddressText.mended($0), against: base).flatMap(AddressText.web)
    }
    article.siteName = line(head.siteName ?? linked.siteName)
    article.excerpt = line(head.excerpt ?? linked.excerpt) ?? beginning(of: article.html)
    if article.kind != .article, let body = linked.body, body.count > 2 * article.length,
      article.kind == .empty || article.kind == .consent
    {
      // Articles that scripts load are in the page for search engines.
      article.html = paragraphs(of: body)
      article.length = body.unicodeScalars.count { $0.value > 0x20 }
      article.kind = .article
    }
    // An https page may lead to https only.
    if article.kind != .article, let target = found.refresh,
      target != base, base?.hasPrefix("https:") != true || target.hasPrefix("https:")
    {
      article.refresh = target
    }
    return article
  }

  private static func kind(_ obstacle: PageObstacle?) -> PageArticle.Kind {
    switch obstacle {
    case nil: .article
    case .paywall: .paywall
    case .consent: .consent
    case .login: .login
    case .links: .links
    case .empty: .empty
    }
  }

  private static func beginning(of html: String) -> String? {
    // Bounds the work on markup.
    PlainText.line(Markup.document(html: String(html.prefix(50_000))).excerpt(limit: 300))
  }

  private static func line(_ text: String?) -> String? {
    guard let text else { return nil }
    let line = PlainText.title(html: String(text.prefix(longestLine)))
    return line.isEmpty ? nil : line
  }

  private static func withoutBy(_ name: String) -> String {
    for word in ["By ", "by ", "BY ", "Von ", "Par ", "Por ", "Di ", "Door "]
    where name.hasPrefix(word) && name.count > word.count {
      return String(name.dropFirst(word.count))
    }
    return name
  }

  private static func paragraphs(of text: String) -> String {
    PlainText.sanitizedBlock(text).split(separator: "\n")
      .map { "<p>\($0.replacing("&", with: "&amp;").replacing("<", with: "&lt;"))</p>" }.joined()
  }
}
