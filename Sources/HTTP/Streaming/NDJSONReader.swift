internal import Foundation

/// Counts of the lines of an NDJSON text so far.
package struct NDJSONReport: Hashable, Sendable {
  /// A line that was skipped.
  package struct Fault: Hashable, Sendable {
    /// The number of the line, from 1.
    package var line: Int
    /// A plain phrase.
    package var reason: String
  }

  /// Lines that are not empty, bad ones included.
  package var lines = 0
  /// Lines that were skipped, too long ones included.
  package var bad = 0
  /// The first of them.
  package var faults: [Fault] = []

  package init() {}

  static let faultLimit = 10

  mutating func note(_ fault: Fault) {
    bad += 1
    if faults.count < Self.faultLimit { faults.append(fault) }
  }
}

/// Values of an NDJSON text (https://github.com/ndjson/ndjson-spec), in batches of lines.
///
/// Only a piece of the stream, a line and a batch are in memory. A line that cannot be decoded is counted
/// in the report and skipped. Where the stream fails, the values before are an element and the error
/// follows. Dropping the iterator before the end drops the stream, which closes its connection.
package struct NDJSONReader<Chunks: AsyncSequence & Sendable, Value: Decodable & Sendable>:
  AsyncSequence, Sendable
where Chunks.Element == [UInt8] {
  package struct Batch: Sendable {
    package var values: [Value]
    /// The counts up to this batch, included.
    package var report: NDJSONReport
  }

  package typealias Element = Batch

  private let chunks: Chunks
  private let batchSize: Int
  private let lineLimit: Int

  /// The size of lines at which a batch ends, in bytes, so that many long lines are not in memory.
  private static var batchWeight: Int { 1 << 20 }

  /// - Parameters:
  ///   - batchSize: values in a batch; the last may have fewer, and so has one of long lines.
  ///   - lineLimit: bytes of the longest line that is read.
  package init(
    _ chunks: Chunks, of type: Value.Type = Value.self, batchSize: Int = 100,
    lineLimit: Int = 1 << 20
  ) {
    self.chunks = chunks
    self.batchSize = Swift.max(1, batchSize)
    self.lineLimit = lineLimit
  }

  package func makeAsyncIterator() -> Iterator {
    Iterator(
      chunks: chunks.makeAsyncIterator(), batchSize: batchSize,
      splitter: LineSplitter(limit: lineLimit))
  }

  package struct Iterator: AsyncIteratorProtocol {
    /// Nil once the stream has ended.
    fileprivate var chunks: Chunks.AsyncIterator?
    fileprivate let batchSize: Int
    fileprivate var splitter: LineSplitter
    private var report = NDJSONReport()
    private var failure: (any Error)?
    private let decoder = HTTPCoding.decoder

    fileprivate init(chunks: Chunks.AsyncIterator, batchSize: Int, splitter: LineSplitter) {
      self.chunks = chunks
      self.batchSize = batchSize
      self.splitter = splitter
    }

    package mutating func next() async throws -> Batch? {
      var values: [Value] = []
      let known = report
      var weight = 0
      while values.count < batchSize, weight < NDJSONReader.batchWeight {
        if let line = splitter.next() {
          weight += line.bytes.count
          read(line, into: &values)
        } else if !(try await receive()) {
          if let line = splitter.finish() { read(line, into: &values) }
          break
        }
      }
      if values.isEmpty, report == known {
        if let failure = failure.take() { throw failure }
        return nil
      }
      return Batch(values: values, report: report)
    }

    /// False at the end of the stream; a failure of it is kept for after what came before.
    private mutating func receive() async throws -> Bool {
      guard chunks != nil else { return false }
      do {
        if let chunk = try await chunks?.next() {
          splitter.append(chunk)
          return true
        }
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        failure = error
        // A line that is cut off is none.
        splitter.drop()
      }
      chunks = nil
      return false
    }

    private mutating func read(_ line: TextLine, into values: inout [Value]) {
      report.lines += 1
      guard !line.isTooLong else {
        return report.note(
          .init(line: line.number, reason: "is longer than \(splitter.limit) bytes"))
      }
      do {
        values.append(try decoder.decode(Value.self, from: Data(line.bytes)))
      } catch {
        report.note(.init(line: line.number, reason: Self.reason(error)))
      }
    }

    private static func reason(_ error: any Error) -> String {
      guard let error = error as? DecodingError else { return "cannot be read" }
      return switch error {
      case .keyNotFound(let key, _): "lacks “\(key.stringValue)”"
      case .dataCorrupted(let context) where context.codingPath.isEmpty: "is no JSON"
      case .typeMismatch(_, let context), .valueNotFound(_, let context),
        .dataCorrupted(let context):
        "has a wrong “\(context.codingPath.last?.stringValue ?? "value")”"
      @unknown default: "cannot be read"
      }
    }
  }
}
