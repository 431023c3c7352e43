internal import Foundation
internal import Testing

@testable internal import Services

@Suite struct GoogleReaderItemIDTests {
  private static let tag = "tag:google.com,2005:reader/item/"

  @Test(arguments: [
    ("1", "0000000000000001"), ("1773000000000001", "00064c88bb2fd001"),
    ("9223372036854775807", "7fffffffffffffff"), ("-1", "ffffffffffffffff"),
    ("-9223372036854775808", "8000000000000000"), ("0", "0000000000000000"),
  ])
  func `The two spellings of a number are one id`(decimal: String, hex: String) throws {
    let short = try #require(GoogleReaderItemID(decimal))
    let long = try #require(GoogleReaderItemID(Self.tag + hex))
    #expect(short == long)
    #expect(short.text == decimal && long.text == decimal)
    #expect(short.tag == Self.tag + hex && long.tag == Self.tag + hex)
  }

  @Test func `Sixteen digits without a tag are a decimal`() throws {
    let bare = try #require(GoogleReaderItemID("1000000000000001"))
    #expect(bare.number == 1_000_000_000_000_001)
    #expect(bare != GoogleReaderItemID(Self.tag + "1000000000000001"))
  }

  @Test(arguments: [
    "00064c88bb2fd001", "64c88bb2fd001", "64C88BB2FD001", tag + "64c88bb2fd001",
    tag + "00064c88bb2fd001", "1773000000000001",
  ])
  func `A number without a tag or leading zeros is the id with them`(text: String) throws {
    let id = try #require(GoogleReaderItemID(text))
    #expect(id.number == 1_773_000_000_000_001 && id.tag == Self.tag + "00064c88bb2fd001")
  }

  @Test(arguments: ["-1", tag + "-1", tag + "ffffffffffffffff", "ffffffffffffffff"])
  func `A negative number is one id in each spelling`(text: String) {
    #expect(GoogleReaderItemID(text)?.number == -1)
  }

  @Test func `An unsigned number means the same bits as the negative one`() throws {
    #expect(GoogleReaderItemID("18446744073709551615") == GoogleReaderItemID("-1"))
  }

  @Test(arguments: ["5fd1c0de0000000000000001", "123456789012345678901234"])
  func `What is no number is kept as it came`(text: String) throws {
    let id = try #require(GoogleReaderItemID(text))
    #expect(id.text == text && id.number == nil)
    #expect(GoogleReaderItemID(Self.tag + text) == id && id.tag == Self.tag + text)
  }

  @Test(arguments: ["", "a b", "a\u{1B}[2J", Self.tag, String(repeating: "x", count: 201)])
  func `What cannot be an id is none`(text: String) {
    #expect(GoogleReaderItemID(text) == nil)
  }

  @Test(arguments: [
    ("user/-/label/A/B", GoogleReaderStream.label("A/B")),
    ("user/1/state/com.google/read", .read), ("user/ada/state/com.google/starred", .starred),
    ("user/-/state/com.google/reading-list", .readingList),
  ])
  func `A stream is known by what follows the user`(text: String, stream: GoogleReaderStream) {
    #expect(GoogleReaderStream(text) == stream)
  }

  @Test(arguments: [
    "feed/1", "user/-/label/", "user/-/state/com.google/fresh", "user/-/label/a\u{7}",
  ])
  func `Anything else is no stream`(text: String) {
    #expect(GoogleReaderStream(text) == nil)
  }
}

@Suite struct GoogleReaderBatchSizeTests {
  @Test func `A quick server gets more marks a call, up to its bound`() {
    var size = GoogleReaderBatchSize(largest: 1_000)
    var (left, calls) = (10_000, 0)
    while left > 0 {
      let marks = min(left, size.count)
      size.answered(marks, in: .milliseconds(10))
      (left, calls) = (left - marks, calls + 1)
    }
    #expect(size.count == 1_000)
    #expect(calls <= 13)
  }

  @Test func `A slow one gets what it does in five seconds`() {
    var size = GoogleReaderBatchSize(largest: 1_000)
    // 14 ms each, as FreshRSS over SQLite.
    for _ in 0..<10 { size.answered(size.count, in: .milliseconds(14 * size.count)) }
    #expect((150...400).contains(size.count))
  }

  @Test func `A lost answer makes calls smaller, but never empty`() {
    var size = GoogleReaderBatchSize(largest: 1_000)
    size.timedOut(200)
    #expect(size.count == 50)
    for _ in 0..<5 { size.timedOut(size.count) }
    #expect(size.count == 20)
    size.answered(20, in: .seconds(1_000_000_000))
    #expect(size.count == 20)
  }

  @Test func `A small call says nothing of larger ones`() {
    var size = GoogleReaderBatchSize(largest: 1_000)
    size.answered(3, in: .milliseconds(1))
    #expect(size.count == 200)
  }
}

/// The walk through pages of ids, against servers that are functions.
@Suite struct GoogleReaderIDWalkTests {
  private typealias Page = GoogleReaderIDPage

  private static func ids(_ numbers: some Sequence<Int64>) -> [GoogleReaderItemID] {
    numbers.map { GoogleReaderItemID($0) }
  }

  /// - Parameter answer: gets the continuation and how many pages came before.
  private func walk(
    _ product: GoogleReaderProduct = .freshRSS, pageSize: Int = 3, limit: Int = 1_000,
    _ answer: (String?, Int) -> GoogleReaderIDPage
  ) -> (set: GoogleReaderIDSet, asked: [String?]) {
    var walk = GoogleReaderIDWalk(of: product, pageSize: pageSize, limit: limit)
    var step = walk.begin()
    var asked: [String?] = []
    while asked.count < 10_000 {
      switch step {
      case .end(let set): return (set, asked)
      case .ask(let continuation):
        step = walk.received(answer(continuation, asked.count))
        asked.append(continuation)
      }
    }
    Issue.record("The walk does not end.")
    return (GoogleReaderIDSet(ids: [], doubts: []), asked)
  }

  @Test func `A set is whole when its last page names no other`() {
    let (set, asked) = walk { continuation, _ in
      continuation == nil
        ? Page(ids: Self.ids([6, 5, 4]), continuation: "4") : Page(ids: Self.ids([3, 2]))
    }
    #expect(set.ids == Self.ids([6, 5, 4, 3, 2]))
    #expect(set.isWhole && asked == [nil, "4"])
  }

  @Test func `An empty page at the end is an end`() {
    let (set, _) = walk { continuation, _ in
      continuation == nil ? Page(ids: Self.ids([6, 5, 4]), continuation: "4") : Page(ids: [])
    }
    #expect(set.ids.count == 3 && set.isWhole)
  }

  @Test func `A continuation that comes again ends the walk, and the set is not whole`() {
    let (set, asked) = walk { _, page in
      Page(
        ids: Self.ids([Int64(page) * 3, Int64(page) * 3 + 1, Int64(page) * 3 + 2]),
        continuation: "x")
    }
    #expect(set.doubts == [.repeatedContinuation])
    #expect(asked.count == 2)
  }

  @Test func `A page that brings nothing new ends the walk, and the set is not whole`() {
    let (set, asked) = walk { _, page in
      Page(ids: Self.ids([6, 5, 4]), continuation: "\(page)x")
    }
    #expect(set.ids.count == 3 && set.doubts == [.nothingNew] && asked.count == 2)
  }

  @Test func `Items of an earlier page on a later one have moved, and the walk begins anew`() {
    let (set, asked) = walk { continuation, page in
      switch (continuation, page) {
      case (nil, _): Page(ids: Self.ids([6, 5, 4]), continuation: "4")
      case (_, 1): Page(ids: Self.ids([6, 5, 3]), continuation: "3")
      default: Page(ids: Self.ids([3, 2]))
      }
    }
    #expect(set.ids == Self.ids([6, 5, 4, 3, 2]) && set.isWhole)
    #expect(asked == [nil, "4", nil, "4"])
    // A page may begin with the last item of the one before.
    let (other, askedOnce) = walk { continuation, _ in
      continuation == nil
        ? Page(ids: Self.ids([6, 5, 4]), continuation: "4") : Page(ids: Self.ids([4, 3, 2]))
    }
    #expect(other.ids.count == 5 && other.isWhole && askedOnce == [nil, "4"])
    let (moving, _) = walk { continuation, page in
      continuation == nil
        ? Page(ids: Self.ids([6, 5, 4]), continuation: "4")
        : Page(ids: Self.ids([6, 5, 3]), continuation: "3")
    }
    #expect(moving.doubts == [.shiftingPositions])
  }

  @Test func `A server that never ends is left at a bound`() {
    let (set, asked) = walk(limit: 30) { _, page in
      Page(ids: Self.ids((0..<3).map { Int64(page * 3 + $0) }), continuation: "\(page)x")
    }
    #expect(set.ids.count == 30 && set.doubts == [.tooMany] && asked.count == 10)
  }

  @Test func `Ids that come twice are there once, which is no doubt`() {
    let (set, _) = walk(pageSize: 10) { _, _ in Page(ids: Self.ids([3, 3, 2, 2])) }
    #expect(set.ids == Self.ids([3, 2]) && set.isWhole)
  }

  @Test func `A page in the middle that is short makes the set doubtful`() {
    let (set, _) = walk { continuation, _ in
      continuation == nil
        ? Page(ids: Self.ids([6]), continuation: "4") : Page(ids: Self.ids([3, 2, 1]))
    }
    #expect(set.doubts == [.shortPage])
  }

  @Test func `A server that keeps its pages shorter than it is asked for gives whole sets`() {
    let (set, _) = walk(pageSize: 1_000) { continuation, page in
      page < 3
        ? Page(ids: Self.ids((0..<7).map { Int64(page * 7 + $0) }), continuation: "\(page)x")
        : Page(ids: Self.ids([99]))
    }
    #expect(set.ids.count == 22 && set.isWhole)
  }

  @Test func `Where a continuation counts, pages overlap by an item`() {
    let all = Self.ids((1...8).reversed())
    let (set, asked) = walk(.miniflux) { continuation, _ in
      let offset = continuation.flatMap { Int($0) } ?? 0
      let page = Array(all.dropFirst(offset).prefix(3))
      let end = offset + page.count
      return Page(ids: page, continuation: end < all.count ? String(end) : nil)
    }
    #expect(asked == [nil, "2", "4", "6"])
    #expect(set.ids == all && set.isWhole)
  }

  @Test func `Items that leave on the way are seen, and the walk begins anew`() {
    var all = Self.ids((1...8).reversed())
    let (set, asked) = walk(.miniflux) { continuation, page in
      // Read elsewhere between the first page and the second.
      if page == 1 { all.removeFirst(2) }
      let offset = continuation.flatMap { Int($0) } ?? 0
      let part = Array(all.dropFirst(offset).prefix(3))
      let end = offset + part.count
      return Page(ids: part, continuation: end < all.count ? String(end) : nil)
    }
    #expect(Set(set.ids) == Set(all) && set.isWhole)
    #expect(asked.filter { $0 == nil }.count == 2)
  }

  @Test func `Items that never stay where they are make the set doubtful`() {
    let (set, asked) = walk(.miniflux) { _, page in
      Page(
        ids: Self.ids((0..<3).map { Int64(page * 10 + $0) }),
        continuation: page.isMultiple(of: 2) ? "3" : "5")
    }
    #expect(set.doubts == [.shiftingPositions] && asked.count < 20)
  }

  @Test func `An unknown server that counts is found out`() {
    let all = Self.ids((101...108).reversed())
    let (set, asked) = walk(.other) { continuation, _ in
      let offset = continuation.flatMap { Int($0) } ?? 0
      let page = Array(all.dropFirst(offset).prefix(3))
      let end = offset + page.count
      return Page(ids: page, continuation: end < all.count ? String(end) : nil)
    }
    #expect(asked == [nil, "2", "4", "6"] && set.ids == all && set.isWhole)
  }

  @Test func `An unknown server that ends with a full page may have had more`() {
    let (set, _) = walk(.other) { _, _ in Page(ids: Self.ids([3, 2, 1])) }
    #expect(set.doubts == [.maybeCapped])
    let (capped, _) = walk(.other, pageSize: 1_000) { _, _ in Page(ids: Self.ids(1...500)) }
    #expect(capped.doubts == [.maybeCapped])
    let (known, _) = walk(.miniflux) { _, _ in Page(ids: Self.ids([3, 2, 1])) }
    #expect(known.isWhole)
  }

  @Test func `What is no list and what is no id make the set doubtful`() {
    let (none, _) = walk { _, _ in Page(ids: [], hasList: false) }
    #expect(none.doubts == [.noList])
    let (bad, _) = walk { _, _ in Page(ids: Self.ids([1]), badEntries: 1) }
    #expect(bad.doubts == [.badEntry])
  }

  @Test func `Pages of a server that loses items between them are not whole together`() {
    let (one, _) = walk(.commaFeed) { _, _ in Page(ids: Self.ids([2, 1])) }
    #expect(one.isWhole)
    let (two, _) = walk(.commaFeed) { continuation, _ in
      continuation == nil
        ? Page(ids: Self.ids([6, 5, 4]), continuation: "4") : Page(ids: Self.ids([3]))
    }
    #expect(two.doubts == [.lossyPages])
  }
}
