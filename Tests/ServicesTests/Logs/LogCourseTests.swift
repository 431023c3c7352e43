internal import Foundation
internal import News
internal import TestSupport
internal import Testing

@testable internal import Services

/// Random courses of changes on machines that share a folder: files that are carried late, in part and in any
/// order, clocks that are years off, kills in the middle of an append, logs written anew, and a store that was
/// copied to another machine. In the end all agree, and nothing that a user has overwritten comes back.
///
/// `TELEX_COURSES` is how many courses are done, `TELEX_COURSE_SEED` the first seed, and
/// `TELEX_COURSE_SECONDS` for how long instead of how many.
@Suite(.timeLimit(.minutes(60)))
struct LogCourseTests {
  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }

  @Test func `All machines agree in the end, and nothing comes back`() {
    let end = Self.number("TELEX_COURSE_SECONDS").map { ContinuousClock.now + .seconds($0) }
    let first = Self.number("TELEX_COURSE_SEED") ?? 0
    let count = Self.number("TELEX_COURSES") ?? 1_500
    var seed = first
    while end.map({ ContinuousClock.now < $0 }) ?? (seed < first + count) {
      let course = LogCourse(seed: seed)
      if LogWorld.failure(of: course) != nil {
        let smallest = course.shrunk { LogWorld.failure(of: $0) != nil }
        Issue.record("seed \(seed): \(LogWorld.failure(of: smallest) ?? "")\n\(smallest)")
        return
      }
      seed += 1
    }
    if end != nil { print("\(seed - first) courses of logs") }
  }
}

@Suite struct LogTextTests {
  private let records = [
    LogRecord(
      LogRegister(LogRegister.read, feed: "https://a.example/feed", article: "1\t2\\n\r"), "1",
      stamp: 5, machine: "abcd1234"),
    LogRecord(
      LogRegister(LogRegister.folders, feed: "https://a.example/feed"), "Work\nNews/Deep",
      stamp: 6, machine: "abcd1234"),
    LogRecord(
      LogRegister("later", feed: "x", detail: "y"), "", stamp: LogClock.limit, machine: "abcd1234"),
  ]

  private var text: [UInt8] { LogText.header(of: "abcd1234") + LogText.lines(records) }

  @Test func `What is written is read, one line a record`() {
    let contents = LogText.contents(of: text)
    #expect(contents.records == records && contents.machine == "abcd1234")
    #expect(contents.size == text.count && contents.damaged == 0)
    #expect(text.count { $0 == UInt8(ascii: "\n") } == records.count + 1)
  }

  /// Other programs read it: `Docs/Folder.md` has these very lines.
  @Test func `The form of the text is the one that is documented`() throws {
    let record = LogRecord(
      LogRegister(LogRegister.read, feed: "https://example.org/feed", article: "post-40"), "1",
      stamp: 1_795_419_522_000_000, machine: "c688ecd974f2e27b")
    let text = String(
      decoding: LogText.header(of: record.machine) + LogText.lines([record]), as: UTF8.self)
    let page = try String(
      contentsOf: fixtures.deletingLastPathComponent().appending(path: "Docs/Folder.md"),
      encoding: .utf8)
    let lines = page.split(separator: "\n").map { $0.replacing("→", with: "\t") }
    for line in text.split(separator: "\n") { #expect(lines.contains("    " + line), "\(line)") }
  }

  /// Logs of years ago are read by all later versions: no line may come to another text.
  @Test(arguments: [
    (LogRegister.read, "a", "", "1", "1\tread\thttps://example.org/feed\ta\t\t1\tc8d9735d"),
    (LogRegister.star, "a", "", "0", "2\tstar\thttps://example.org/feed\ta\t\t0\t291d0ca1"),
    (
      LogRegister.tag, "a", "two words", "1",
      "3\ttag\thttps://example.org/feed\ta\ttwo words\t1\tb43a1450"
    ),
    (LogRegister.feed, "", "", "1", "4\tfeed\thttps://example.org/feed\t\t\t1\t3a864fc1"),
    (LogRegister.typed, "", "", "1", "5\ttyped\thttps://example.org/feed\t\t\t1\ta74864e4"),
    (LogRegister.title, "", "", "Mine", "6\ttitle\thttps://example.org/feed\t\t\tMine\t38e79b21"),
    (
      LogRegister.folders, "", "", "A/B\nC",
      "7\tfolders\thttps://example.org/feed\t\t\tA/B\\nC\teeac32f3"
    ),
  ])
  func `Each kind of record has its line`(
    kind: String, article: String, detail: String, value: String, line: String
  ) throws {
    let register = LogRegister(
      kind, feed: "https://example.org/feed", article: article, detail: detail)
    let stamp = try #require(Int64(line.prefix { $0 != "\t" }))
    let record = LogRecord(register, value, stamp: stamp, machine: "abcd1234")
    #expect(String(decoding: LogText.lines([record]), as: UTF8.self) == line + "\n")
  }

  @Test func `A text that is cut anywhere gives the records of its whole lines`() {
    for length in 0...text.count {
      let part = Array(text.prefix(length))
      let contents = LogText.contents(of: part)
      let whole = part.count { $0 == UInt8(ascii: "\n") }
      #expect(contents.records == Array(records.prefix(max(0, whole - 1))), "\(length)")
      #expect(contents.damaged == 0)
      #expect(contents.size == (part.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0))
    }
  }

  @Test func `A byte that is wrong costs its line and no other`() {
    let header = LogText.header(of: "abcd1234").count
    for place in header..<text.count where text[place] != UInt8(ascii: "\n") {
      var damaged = text
      damaged[place] ^= 1
      let contents = LogText.contents(of: damaged)
      #expect(contents.records.count >= records.count - 2, "\(place)")
      #expect(contents.records.allSatisfy { records.contains($0) }, "\(place)")
    }
  }

  @Test func `What a merge leaves between the lines is passed over`() {
    let text =
      String(decoding: text, as: UTF8.self).replacingOccurrences(of: "\n", with: "\r\n")
    let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
    let merged =
      lines[0] + "\n<<<<<<< HEAD\n" + lines[1] + "\r\n=======\n"
      + lines[2...].joined(separator: "\r\n")
    let contents = LogText.contents(of: Array(merged.utf8))
    #expect(contents.records == records && contents.damaged == 2)
  }

  @Test func `A log of a newer version is not misread`() {
    let newer = Array("telex-log\t2\tabcd1234\tmore\n".utf8) + LogText.lines(records)
    let contents = LogText.contents(of: newer)
    #expect(contents.isNewer && contents.records == [])
    #expect(LogText.contents(of: Array("telex-log\tx\n".utf8)).damaged == 1)
    #expect(LogText.contents(of: Array("<?xml?>\n".utf8)).damaged == 1)
  }

  @Test func `A stamp is later than what it replaces, and never leaves its range`() {
    #expect(LogClock.stamp(at: 10, after: nil) == 10)
    #expect(LogClock.stamp(at: 10, after: 9) == 10)
    #expect(LogClock.stamp(at: 10, after: 10) == 11)
    #expect(LogClock.stamp(at: -5, after: nil) == 0)
    #expect(LogClock.stamp(at: .max, after: nil) == LogClock.limit)
    #expect(LogClock.stamp(at: 10, after: LogClock.limit) == LogClock.limit)
  }

  @Test func `Records are completed after a kill at any byte, and a foreign file is not touched`() {
    let former = LogText.header(of: "abcd1234") + LogText.lines([records[0]])
    var log = OwnLog(machine: "abcd1234", file: 1)
    (log.size, log.digest) = (Int64(former.count), RunningDigest.of(former))
    let lines = LogText.lines(Array(records[1...]))
    for length in 0...lines.count {
      let found = former + lines.prefix(length)
      let missing = Array(lines.dropFirst(length))
      let expected: LogAppending = missing.isEmpty ? .nothing : .write(missing, at: found.count)
      #expect(LogAppending(lines, to: found, after: log) == expected)
    }
    #expect(LogAppending(lines, to: former + lines + [10], after: log) == .displaced)
    #expect(LogAppending(lines, to: Array(former.dropLast()), after: log) == .displaced)
    #expect(LogAppending(lines, to: Array("x".utf8) + former.dropFirst(), after: log) == .displaced)
    #expect(LogAppending(lines, to: former + LogText.lines([records[2]]), after: log) == .displaced)
  }
}
