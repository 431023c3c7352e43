package import HTTP
package import News

/// Line of an export.
package struct ArticleLine: Sendable {
  /// With marks, tags and dates where the line has any.
  package var article: ImportedArticle
  /// The article's feed, in lines that Telex has exported.
  package var feedURL: String?
  /// The account of the feed; nil for the local one.
  package var account: String?
}

/// Batch of consecutive articles of an export.
package struct ArticleBatch: Sendable {
  package var lines: [ArticleLine]
  /// Where an export continues after this batch; nil until the server has named a cursor.
  package var cursor: Cursor?
  /// Lines read and skipped from the start of the export.
  package var report: NDJSONReport

  package var entries: [Entry] { lines.map(\.article.entry) }
}

/// Articles of the Feed API from NDJSON, one article a line, in batches, so that memory does not
/// grow with their number.
///
/// Other lines are skipped and counted. Where the text breaks off, the articles before are an
/// element and a `SourceError` follows. Dropping the iterator, or cancelling its task, closes the
/// connection or file.
package struct ArticleLines<Chunks: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Chunks.Element == [UInt8] {
  package typealias Element = ArticleBatch
  private typealias Reader = NDJSONReader<Chunks, FeedAPICatalogue.ExportLine>

  private let base: String
  private let reader: Reader

  /// - Parameters:
  ///   - base: the address of the feed, for relative addresses and errors.
  ///   - size: articles in a batch; fewer where they are long.
  ///   - lineLimit: bytes of the longest line that is read.
  init(_ chunks: Chunks, base: String, size: Int, lineLimit: Int = 1 << 20) {
    self.base = base
    reader = NDJSONReader(chunks, batchSize: size, lineLimit: lineLimit)
  }

  package func makeAsyncIterator() -> Iterator {
    Iterator(base: base, batches: reader.makeAsyncIterator())
  }

  /// Reads batches on demand; holds one at a time.
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
        // A batch of bad lines only has no cursor: the one before it stays the last known.
        cursor = batch.values.last?.cursor.map { Cursor($0) } ?? cursor
        return ArticleBatch(
          lines: batch.values.map { $0.line(base: base) }, cursor: cursor, report: batch.report)
      } catch let error as HTTPError {
        throw SourceError(error, url: base)
      }
    }
  }
}

extension ArticleLines where Chunks == InputPieces {
  /// Articles of an NDJSON file, or of standard input.
  ///
  /// - Parameter base: the address of the feed, for relative addresses.
  package init(in file: InputFile, base: String, batchSize: Int = 100) {
    // Articles of any length that a store has exported can be read again.
    self.init(InputPieces(of: file), base: base, size: batchSize, lineLimit: 64 << 20)
  }
}
