internal import HTTP
internal import News

/// A feed behind the cursor-paged JSON API. The cursor is the server's `nextCursor`.
struct FeedAPISource: NewsSource {
  /// Articles asked for at once.
  static let pageSize = 50

  let base: String
  let fetcher: Fetcher
  let connections: ConnectionPolicy

  func page(after cursor: Cursor?, known: KnownPage) async throws -> PageAnswer {
    let endpoint = FeedAPICatalogue.articles(cursor: cursor?.rawValue, limit: Self.pageSize)
    do {
      var request = try endpoint.request(base: base)
      request.limits = fetcher.limits
      request.connections = connections
      if cursor == nil {
        request.headers["If-None-Match"] = known.validators.etag
        request.headers["If-Modified-Since"] = known.validators.lastModified
      }
      let response = try await fetcher.response(to: request)
      if response.head.status == 304 { return PageAnswer(.unchanged(response.validators)) }
      let digest = response.bodyDigest
      if cursor == nil, digest == known.bodyDigest {
        return PageAnswer(.unchanged(response.validators))
      }
      var page = Page(try endpoint.value(of: response), base: base)
      page.validators = response.validators
      page.bodyDigest = digest
      page.description?.minutesToLive = response.minutesFresh
      return PageAnswer(.page(page))
    } catch let error as HTTPError {
      throw SourceError(error, url: base)
    }
  }
}

extension Page {
  /// Text and addresses of the API pass what those of any feed pass.
  init(_ wire: FeedAPICatalogue.ArticlePage, base: String) {
    self.init(
      description: wire.feed.map { head in
        FeedDescription(
          format: .api, title: head.title.map(PlainText.sanitized),
          link: head.link.flatMap { WebAddress.resolve($0, against: base) },
          description: head.description.map(PlainText.sanitized),
          language: head.language.map(PlainText.sanitized))
      },
      entries: wire.items.map { Entry($0, base: base) },
      nextCursor: wire.nextCursor.map { Cursor($0) })
  }
}

extension Entry {
  fileprivate init(_ item: FeedAPICatalogue.Item, base: String) {
    let url = item.url.flatMap { WebAddress.resolve($0, against: base) }
    self.init(
      id: item.id, url: url, title: item.title.map(PlainText.sanitized),
      authors: (item.authors ?? []).map(PlainText.sanitized), published: item.published,
      updated: item.updated,
      contentHTML: item.contentHTML.map {
        MarkupLinks.absolutized(PlainText.sanitizedMarkup($0), base: url ?? base)
      },
      summary: item.summary.map(PlainText.sanitized),
      enclosures: (item.enclosures ?? []).compactMap { file in
        WebAddress.resolve(file.url, against: base).map {
          Enclosure(
            url: $0, type: file.type.map(PlainText.sanitized),
            length: file.length.flatMap { $0 >= 0 ? $0 : nil })
        }
      },
      categories: (item.categories ?? []).map(PlainText.sanitized))
  }
}
