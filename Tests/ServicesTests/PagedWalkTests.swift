import News
import Synchronization
import Testing

@Suite struct PagedWalkTests {
  /// Pages by their cursors, and what was asked for.
  private final class Book: PageSource {
    let next: [String: String]
    let asked = Mutex<[String]>([])
    let failing: Mutex<Set<String>>

    init(_ next: [String: String], failing: Set<String> = []) {
      self.next = next
      self.failing = Mutex(failing)
    }

    func page(after cursor: Cursor?, known: KnownPage) async throws -> PageAnswer {
      let name = cursor?.rawValue ?? "newest"
      asked.withLock { $0.append(name) }
      if failing.withLock({ $0.remove(name) }) != nil {
        throw SourceError(.timeout, stage: .fetch, subject: name, message: "too late")
      }
      return PageAnswer(
        .page(Page(entries: [Entry(id: name)], nextCursor: next[name].map { Cursor($0) })))
    }
  }

  private static let chain = ["newest": "b", "b": "c", "c": "d"]

  @Test func `Each page is asked once, to the end`() async throws {
    let book = Book(Self.chain)
    var walked: [WalkedPage] = []
    for try await page in book.pages() { walked.append(page) }
    #expect(walked.map(\.number) == [1, 2, 3, 4])
    #expect(walked.map { $0.page.entries.first?.id } == ["newest", "b", "c", "d"])
    #expect(walked.map(\.cursor) == [nil, Cursor("b"), Cursor("c"), Cursor("d")])
    #expect(walked.map(\.ending) == [nil, nil, nil, .end])
    #expect(walked.allSatisfy { $0.warning == nil })
    #expect(book.asked.withLock { $0 } == ["newest", "b", "c", "d"])
  }

  @Test func `A walk may begin anywhere`() async throws {
    let book = Book(Self.chain)
    for try await _ in book.pages(from: Cursor("c")) {}
    #expect(book.asked.withLock { $0 } == ["c", "d"])
  }

  @Test(arguments: ["b", "c", "d"])
  func `A cursor that comes again ends the walk with a warning`(back: String) async throws {
    let book = Book(Self.chain.merging(["d": back]) { $1 })
    var last: WalkedPage?
    for try await page in book.pages() { last = page }
    #expect(book.asked.withLock { $0 } == ["newest", "b", "c", "d"])
    #expect(last?.ending == .circle(Cursor(back)))
    #expect(last?.page.nextCursor == nil)
    #expect(last?.page.entries.map(\.id) == ["d"])
    #expect(last?.warning?.contains("page 4") == true)
  }

  @Test func `A failure ends the walk, and another goes on where it was`() async throws {
    let book = Book(Self.chain, failing: ["c"])
    var walk = book.pages().makeAsyncIterator()
    _ = try await walk.next()
    let second = try #require(try await walk.next())
    await #expect(throws: SourceError.self) { try await walk.next() }
    #expect(try await walk.next() == nil)
    for try await _ in book.pages(from: second.page.nextCursor) {}
    #expect(book.asked.withLock { $0 } == ["newest", "b", "c", "c", "d"])
  }

  @Test func `Nothing is asked ahead of whoever walks, nor after they are cancelled`() async throws
  {
    let book = Book(Self.chain)
    for try await page in book.pages() where page.number == 2 { break }
    #expect(book.asked.withLock { $0 } == ["newest", "b"])

    let other = Book(Self.chain)
    let task = Task {
      var count = 0
      for try await page in other.pages() {
        count += 1
        if page.number == 2 { withUnsafeCurrentTask { $0?.cancel() } }
      }
      return count
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(other.asked.withLock { $0 } == ["newest", "b"])
  }
}
