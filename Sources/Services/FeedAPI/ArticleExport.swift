package import HTTP
package import News

/// All the articles of a feed of the Feed API, as its server streams them: newest first. Where the
/// answer breaks off, another export may begin at the last batch's cursor.
package typealias ArticleExport = ArticleLines<HTTPStream>

extension Sources {
  /// Begins an export of a feed of the Feed API. Returns when the server has begun to answer; tried
  /// once, since an export that breaks off can go on where it ended.
  ///
  /// - Parameter cursor: of the last batch that is had; nil for everything.
  /// - Throws: `SourceError`, with status 404 where the server has no exports, or
  ///   `CancellationError`.
  package func export(
    of feed: Feed, after cursor: Cursor? = nil, batchSize: Int = 100
  ) async throws -> ArticleExport {
    do {
      let fetcher = fetcher(for: feed)
      var request = try FeedAPICatalogue.export(cursor: cursor?.rawValue).request(base: feed.url)
      request.limits = fetcher.limits
      // It takes as long as it takes; only silence ends it.
      request.limits.total = nil
      request.limits.maxBodyBytes = nil
      request.connections = connections(to: feed.url, isUserEntered: feed.isUserEntered)
      let stream = try await fetcher.stream(request)
      if stream.head.statusClass.isError {
        _ = try HTTPResponse(head: stream.head, body: try await stream.firstBytes()).validated()
      }
      return ArticleExport(stream, base: feed.url, size: batchSize)
    } catch let error as HTTPError {
      throw SourceError(error, url: feed.url)
    }
  }
}

extension HTTPStream {
  /// As much of the body as an error message can be.
  fileprivate func firstBytes() async throws -> [UInt8] {
    var bytes: [UInt8] = []
    for try await chunk in self {
      bytes += chunk
      if bytes.count > 64 << 10 { break }
    }
    return bytes
  }
}
