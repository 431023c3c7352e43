package import HTTP
package import News

/// All articles of a feed of the Feed API, newest first, in batches. After a lost connection,
/// another export can begin at the cursor of the last batch.
package typealias ArticleExport = ArticleLines<HTTPStream>

extension Sources {
  /// Starts the export of all articles of a feed, without retries. Returns when the head of the
  /// response has arrived.
  ///
  /// - Parameter cursor: of the last batch that was received; nil for a complete export.
  /// - Throws: `SourceError`, with status 404 where the server offers no export, or
  ///   `CancellationError`.
  package func export(
    of feed: Feed, after cursor: Cursor? = nil, batchSize: Int = 100
  ) async throws -> ArticleExport {
    try await SourceError.mapping(feed.url) {
      let fetcher = fetcher(for: feed)
      var request = try FeedAPICatalogue.export(cursor: cursor?.rawValue).request(base: feed.url)
      request.limits = fetcher.limits
      // An export may take hours: only the limit on silence applies.
      request.limits.total = nil
      request.limits.maxBodyBytes = nil
      request.connections = connections(of: feed)
      let stream = try await fetcher.stream(request)
      if stream.head.statusClass.isError {
        _ = try HTTPResponse(head: stream.head, body: try await stream.firstBytes()).validated()
      }
      return ArticleExport(stream, base: feed.url, size: batchSize)
    }
  }
}

extension HTTPStream {
  /// The first 64 KiB of the body, at least: enough for an error message.
  fileprivate func firstBytes() async throws -> [UInt8] {
    var bytes: [UInt8] = []
    for try await chunk in self {
      bytes += chunk
      if bytes.count > 64 << 10 { break }
    }
    return bytes
  }
}
