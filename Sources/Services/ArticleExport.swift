package import HTTP
package import News

/// All the articles of a feed of the Feed API, as its server streams them: newest first, a batch at a
/// time, at the same memory however many there are.
///
/// What is no article is passed over and counted. Where the answer breaks off, what came before is an
/// element, and a `SourceError` follows; another export may begin at the last batch's cursor. Letting
/// go of the iterator, and cancelling its task, closes the connection.
package struct ArticleExport: AsyncSequence, Sendable {
  package struct Batch: Sendable {
    package var entries: [Entry]
    /// What follows the batch; nil where the server has named nothing.
    package var cursor: Cursor?
    /// Up to and with this batch.
    package var report: NDJSONReport
  }

  package typealias Element = Batch

  fileprivate typealias Reader = NDJSONReader<HTTPStream, FeedAPICatalogue.ExportLine>

  private let base: String
  private let reader: Reader

  fileprivate init(base: String, reader: Reader) {
    self.base = base
    self.reader = reader
  }

  package func makeAsyncIterator() -> Iterator {
    Iterator(base: base, batches: reader.makeAsyncIterator())
  }

  package struct Iterator: AsyncIteratorProtocol {
    private let base: String
    private var batches: Reader.Iterator
    private var cursor: Cursor?

    fileprivate init(base: String, batches: Reader.Iterator) {
      self.base = base
      self.batches = batches
    }

    package mutating func next() async throws -> Batch? {
      do {
        guard let batch = try await batches.next() else { return nil }
        // A batch may hold bad lines alone: the place before them is still the last one known.
        cursor = batch.values.last?.cursor.map { Cursor($0) } ?? cursor
        return Batch(
          entries: batch.values.map { Entry($0.item, base: base) }, cursor: cursor,
          report: batch.report)
      } catch let error as HTTPError {
        throw SourceError(error, url: base)
      }
    }
  }
}

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
      var request = try FeedAPICatalogue.export(cursor: cursor?.rawValue).request(base: feed.url)
      request.limits = fetcher.limits
      // It takes as long as it takes; only silence ends it.
      request.limits.total = nil
      request.limits.maxBodyBytes = nil
      request.deadline = fetcher.deadline
      request.connections = connections(to: feed.url, isTyped: feed.isTyped)
      let stream = try await fetcher.client.stream(for: request)
      if stream.head.statusClass.isError {
        _ = try HTTPResponse(head: stream.head, body: try await stream.firstBytes()).validated()
      }
      return ArticleExport(base: feed.url, reader: NDJSONReader(stream, batchSize: batchSize))
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
