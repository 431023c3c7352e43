package import HTTP
package import News

/// A stretch of articles that came as lines.
package struct ArticleBatch: Sendable {
  package var entries: [Entry]
  /// What follows the batch; nil where nothing has been named.
  package var cursor: Cursor?
  /// Up to and with this batch.
  package var report: NDJSONReport
}

/// Articles of the Feed API, one on each line, a batch at a time: at the same memory however many
/// there are.
///
/// What is no article is passed over and counted. Where the text breaks off, what came before is an
/// element, and a `SourceError` follows. Letting go of the iterator, and cancelling its task, lets go
/// of what the lines come from.
package struct ArticleLines<Chunks: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Chunks.Element == [UInt8] {
  package typealias Element = ArticleBatch
  private typealias Reader = NDJSONReader<Chunks, FeedAPICatalogue.ExportLine>

  private let base: String
  private let reader: Reader

  /// - Parameters:
  ///   - base: what addresses in the articles are relative to, and what an error is about.
  ///   - size: articles in a batch; fewer where they are long.
  init(_ chunks: Chunks, base: String, size: Int) {
    self.base = base
    reader = NDJSONReader(chunks, batchSize: size)
  }

  package func makeAsyncIterator() -> Iterator {
    Iterator(base: base, batches: reader.makeAsyncIterator())
  }

  package struct Iterator: AsyncIteratorProtocol {
    private let base: String
    private var batches: Reader.Iterator
    private var cursor: Cursor?

    fileprivate init(
      base: String, batches: NDJSONReader<Chunks, FeedAPICatalogue.ExportLine>.Iterator
    ) {
      self.base = base
      self.batches = batches
    }

    package mutating func next() async throws -> ArticleBatch? {
      do {
        guard let batch = try await batches.next() else { return nil }
        // A batch may hold bad lines alone: the place before them is still the last one known.
        cursor = batch.values.last?.cursor.map { Cursor($0) } ?? cursor
        return ArticleBatch(
          entries: batch.values.map { Entry($0.item, base: base) }, cursor: cursor,
          report: batch.report)
      } catch let error as HTTPError {
        throw SourceError(error, url: base)
      }
    }
  }
}

extension ArticleLines where Chunks == InputPieces {
  /// The articles in a file, which may be standard input.
  package init(in file: InputFile, base: String, batchSize: Int = 100) {
    self.init(InputPieces(of: file), base: base, size: batchSize)
  }
}
