import HTTP
import Testing

@Suite struct NDJSONReaderTests {
  struct Row: Decodable, Sendable, Equatable {
    var id: Int
    var name: String?
  }

  /// Pieces of a text, and how they end.
  struct Pieces: AsyncSequence, Sendable {
    var bytes: [UInt8]
    var size = 7
    var failure: HTTPError?

    struct Iterator: AsyncIteratorProtocol {
      var rest: ArraySlice<UInt8>
      let size: Int
      let failure: HTTPError?

      mutating func next() async throws -> [UInt8]? {
        if rest.isEmpty, let failure { throw failure }
        if rest.isEmpty { return nil }
        defer { rest = rest.dropFirst(size) }
        return Array(rest.prefix(size))
      }
    }

    func makeAsyncIterator() -> Iterator {
      Iterator(rest: bytes[...], size: size, failure: failure)
    }
  }

  @Test func `Values come in batches, in order`() async throws {
    let text = (1...7).map { "{\"id\": \($0)}" }.joined(separator: "\n")
    let reader = NDJSONReader(Pieces(bytes: Array(text.utf8)), of: Row.self, batchSize: 3)
    var batches: [[Int]] = []
    for try await batch in reader {
      batches.append(batch.values.map(\.id))
      #expect(batch.report.lines == batches.joined().count)
    }
    #expect(batches == [[1, 2, 3], [4, 5, 6], [7]])
  }

  @Test func `A text whose lines fill the last batch has no empty one behind it`() async throws {
    let reader = NDJSONReader(
      Pieces(bytes: Array("{\"id\":1}\n{\"id\":2}\n".utf8)), of: Row.self, batchSize: 2)
    var count = 0
    for try await batch in reader {
      #expect(batch.values.count == 2)
      count += 1
    }
    #expect(count == 1)
  }

  @Test func `Bad lines are counted with their numbers and reasons`() async throws {
    let text = """
      \u{FEFF}{"id": 1}\r
      {"id": "one"}
      not json

      {"name": "x"}
      {"id": 2, "name": "\(String(repeating: "x", count: 200))"}
      {"id": 3
      [1, 2]
      {"id": 4}
      """
    var values: [Row] = []
    var report = NDJSONReport()
    let pieces = Pieces(bytes: Array(text.utf8))
    for try await batch in NDJSONReader(pieces, of: Row.self, lineLimit: 100) {
      values += batch.values
      report = batch.report
    }
    #expect(values.map(\.id) == [1, 4])
    #expect(report.lines == 8)
    #expect(report.bad == 6)
    #expect(report.faults.map(\.line) == [2, 3, 5, 6, 7, 8])
    #expect(
      report.faults.prefix(5).map(\.reason) == [
        "has a wrong “id”", "is no JSON", "lacks “id”", "is longer than 100 bytes", "is no JSON",
      ])
    #expect(report.faults.last?.reason.isEmpty == false)
  }

  @Test func `Of many bad lines all are counted and the first are kept`() async throws {
    let text = String(repeating: "x\n", count: 5_000)
    var last: NDJSONReport?
    for try await batch in NDJSONReader(Pieces(bytes: Array(text.utf8), size: 999), of: Row.self) {
      #expect(batch.values.isEmpty)
      last = batch.report
    }
    #expect(last?.bad == 5_000)
    #expect(last?.faults.map(\.line) == Array(1...10))
  }

  @Test func `Where the stream fails, what came before is an element`() async throws {
    let pieces = Pieces(
      bytes: Array("{\"id\":1}\n{\"id\":2}\n{\"id\":3}".utf8), failure: HTTPError(.cutShort, "cut"))
    var batches = NDJSONReader(pieces, of: Row.self).makeAsyncIterator()
    // The third may be cut: nobody can say.
    #expect(try await batches.next()?.values.map(\.id) == [1, 2])
    let error = await #expect(throws: HTTPError.self) { try await batches.next() }
    #expect(error?.kind == .cutShort)
    #expect(try await batches.next() == nil)
  }

  @Test func `A stream that fails at once has no element`() async throws {
    var batches = NDJSONReader(
      Pieces(bytes: [], failure: HTTPError(.cutShort, "cut")), of: Row.self
    )
    .makeAsyncIterator()
    await #expect(throws: HTTPError.self) { try await batches.next() }
  }
}
