package import HTTP
package import News

/// A line of an export: an article, and what the line says beside it.
package struct ArticleLine: Sendable {
  /// With marks, tags and dates where the line has any.
  package var article: ImportedArticle
  /// The address of the article's feed, in lines that Telex has exported.
  package var feedURL: String?
  /// The address of the account that has the feed; nil for the local one.
  package var account: String?
}

/// Batch of consecutive articles of an export.
package struct ArticleBatch: Sendable {
  package var lines: [ArticleLine]
  /// Where an export continues after this batch; nil while the server has named no cursor.
  package var cursor: Cursor?
  /// Counts of lines read and skipped, from the start of the export up to this batch.
  package var report: NDJSONReport

  package var entries: [Entry] { lines.map(\.article.entry) }
}

/// Articles of the Feed API from NDJSON, one article a line, in batches: memory does not grow with
/// the number of articles.
///
/// Lines that are no article are skipped and counted. Where the text breaks off, the articles
/// before are an element and a `SourceError` follows. Dropping the iterator, or cancelling its
/// task, closes the connection or file that the lines come from.
package struct ArticleLines<Chunks: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Chunks.Element == [UInt8] {
  package typealias Element = ArticleBatch
  private typealias Reader = NDJSONReader<Chunks, FeedAPICatalogue.ExportLine>

  private let base: String
  private let reader: Reader

  /// - Parameters:
  ///   - base: the address of the feed, which relative addresses resolve against; the subject of errors.
  ///   - size: articles in a batch; fewer where they are long.
  ///   - lineLimit: bytes of the longest line that is read.
  init(_ chunks: Chunks, base: String, size: Int, lineLimit: Int = 1 << 20) {
    self.base = base
    reader = NDJSONReader(chunks, batchSize: size, lineLimit: lineLimit)
  }

  package func makeAsyncIterator() -> Iterator {
    Iterator(base: base, batches: reader.makeAsyncIterator())
  }

  /// Reads the next batch when it is asked for; holds one at a time.
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
        // A batch of nothing but bad lines has no cursor: the one before it stays the last known.
        cursor = batch.values.last?.cursor.map { Cursor($0) } ?? cursor
        return ArticleBatch(
          lines: batch.values.map { $0.line(base: base) }, cursor: cursor,
          report: batch.report)
      } catch let error as HTTPError {
        throw SourceError(error, url: base)
      }
    }
  }
}

extension ArticleLines where Chunks == InputPieces {
  /// Articles of an NDJSON file, or of standard input.
  ///
  /// - Parameters:
  ///   - base: the address of the feed, which relative addresses resolve against.
  ///   - batchSize: articles a batch at most.
  package init(in file: InputFile, base: String, batchSize: Int = 100) {
    // An article is as long as it is: what a store has exported is read again.
    self.init(InputPieces(of: file), base: base, size: batchSize, lineLimit: 64 << 20)
  }
}
