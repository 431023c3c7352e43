import FeedServer
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import HTTP

/// A folder with a part, and what a download told about it.
private final class Target: Sendable {
  let folder = NSTemporaryDirectory() + "telex-download-" + UUID().uuidString
  let states = Mutex<[DownloadState]>([])
  let sizes = Mutex<[Int64]>([])

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  var part: String { folder + "/file.part" }
  var bytes: [UInt8]? { FileManager.default.contents(atPath: part).map { Array($0) } }
  var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] }

  func write(_ bytes: some Sequence<UInt8>) throws {
    try Data(bytes).write(to: URL(filePath: part))
  }

  var steps: FileDownload.Steps {
    FileDownload.Steps(
      place: { [self] _, _ in
        try write([])
        return part
      },
      begin: { [self] state in states.withLock { $0.append(state) } },
      progress: { [self] bytes, total, _ in
        sizes.withLock { $0.append(bytes) }
        #expect(bytes <= total ?? .max)
      })
  }
}

struct FileDownloadTests {
  private static let whole = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }

  /// Downloads with a clock that does not wait.
  private func download(
    from server: LoopbackServer, to target: Target, part: String? = nil,
    state: DownloadState = DownloadState(), time: FakeTime = FakeTime(),
    _ adjust: (inout FileDownload) -> Void = { _ in }
  ) async throws {
    let client = makeClient()
    var download = FileDownload { try await client.stream(for: $0) }
    download.clock = time.clock
    download.reserve = 0
    adjust(&download)
    _ = try await download.run(
      HTTPRequest(.get, server.url("/file")), part: part, state: state, steps: target.steps)
  }

  /// The first byte of the range that a request asks for.
  private static func start(_ request: WireRequest) -> Int? {
    request.header("Range").flatMap { $0.split(separator: "=").last }
      .flatMap { Int($0.dropLast()) }
  }

  private static func rest(from start: Int, etag: String = "\"v1\"") -> LoopbackServer.Step {
    .response(
      206,
      ["Content-Range": "bytes \(start)-\(whole.count - 1)/\(whole.count)", "ETag": etag],
      body: Array(whole[start...]))
  }

  /// The head of the whole file, and some of it.
  private static func beginning(_ count: Int, etag: String = "\"v1\"") -> LoopbackServer.Step {
    let head =
      "HTTP/1.1 200 OK\r\nContent-Length: \(whole.count)\r\nETag: \(etag)\r\n\r\n"
    return .send(Array(head.utf8) + whole[..<count])
  }

  @Test func `A file is asked for without a coding, and its part is what the server sent`()
    async throws
  {
    let server = try LoopbackServer { _ in [Self.beginning(Self.whole.count)] }
    let target = try Target()
    try await download(from: server, to: target)
    #expect(target.bytes == Self.whole)
    #expect(
      target.states.withLock { $0 } == [
        DownloadState(validator: "\"v1\"", total: Int64(Self.whole.count))
      ])
    #expect(server.requests[0].header("Accept-Encoding") == "identity")
    #expect(server.requests[0].header("Range") == nil)
    let sizes = target.sizes.withLock { $0 }
    #expect(sizes == sizes.sorted())
  }

  @Test func `A connection that breaks goes on where it broke, however often`() async throws {
    let server = try LoopbackServer { request in
      guard let start = Self.start(request) else { return [Self.beginning(100_000), .close] }
      guard start < 250_000 else { return [Self.rest(from: start)] }
      let head =
        "HTTP/1.1 206 Part\r\nContent-Length: \(Self.whole.count - start)\r\n"
        + "Content-Range: bytes \(start)-\(Self.whole.count - 1)/\(Self.whole.count)\r\n\r\n"
      return [.send(Array(head.utf8) + Self.whole[start..<start + 30_000]), .close]
    }
    let (target, time) = (try Target(), FakeTime())
    try await download(from: server, to: target, time: time)
    #expect(target.bytes == Self.whole)
    #expect(server.requests.count == 7)
    #expect(server.requests.dropFirst().allSatisfy { $0.header("If-Range") == "\"v1\"" })
    #expect(target.states.withLock { $0.count } == 1)
    #expect(time.slept.count == 6)
    #expect(server.requests.allSatisfy { $0.header("X-Request-ID") == nil })
  }

  @Test func `A part from before is completed`() async throws {
    let server = try LoopbackServer { request in
      Self.start(request).map { [Self.rest(from: $0)] } ?? [.response(500)]
    }
    let target = try Target()
    try target.write(Self.whole[..<123_456])
    try await download(
      from: server, to: target, part: target.part,
      state: DownloadState(validator: "\"v1\"", total: Int64(Self.whole.count)))
    #expect(target.bytes == Self.whole)
    #expect(server.requests.map { Self.start($0) } == [123_456])
  }

  @Test func `A part that is whole asks for nothing`() async throws {
    let server = try LoopbackServer { _ in [.response(500)] }
    let target = try Target()
    try target.write(Self.whole)
    try await download(
      from: server, to: target, part: target.part,
      state: DownloadState(validator: "\"v1\"", total: Int64(Self.whole.count)))
    #expect(target.bytes == Self.whole)
    #expect(server.requests.isEmpty)
  }

  static let newBeginnings: [(String, [[LoopbackServer.Step]])] = [
    ("changed", [[beginning(whole.count, etag: "\"v2\"")]]),
    ("range ignored", [[beginning(whole.count)]]),
    ("another version as a part", [[rest(from: 1_000, etag: "\"v2\"")], [beginning(whole.count)]]),
    ("a later range", [[rest(from: 2_000)], [beginning(whole.count)]]),
    (
      "range refused",
      [
        [.response(416, ["Content-Range": "bytes */\(whole.count)"])], [beginning(whole.count)],
      ]
    ),
    ("range refused without a word", [[.response(416)], [beginning(whole.count)]]),
  ]

  @Test(arguments: newBeginnings)
  func `A file starts over where its rest is not to be had`(
    why: String, answers: [[LoopbackServer.Step]]
  ) async throws {
    let count = Atomic(0)
    let server = try LoopbackServer { _ in
      answers[min(count.add(1, ordering: .relaxed).oldValue, answers.count - 1)]
    }
    let target = try Target()
    // Bytes of another version: none of them may stay.
    try target.write([UInt8](repeating: 0xEE, count: 1_000))
    try await download(
      from: server, to: target, part: target.part,
      state: DownloadState(validator: "\"v1\"", total: Int64(Self.whole.count)))
    #expect(target.bytes == Self.whole, "\(why)")
    #expect(server.requests.count == answers.count, "\(why)")
    #expect(target.states.withLock { $0.count } == 1, "\(why)")
  }

  @Test func `A part without a validator is begun again`() async throws {
    let server = try LoopbackServer { _ in [.response(200, body: Self.whole)] }
    let target = try Target()
    try target.write([1, 2, 3])
    try await download(
      from: server, to: target, part: target.part, state: DownloadState(total: 300_000))
    #expect(target.bytes == Self.whole)
    #expect(server.requests[0].header("Range") == nil)
  }

  @Test func `A file that never stays the same ends with an error`() async throws {
    let server = try LoopbackServer { _ in
      [Self.beginning(50_000, etag: "\"\(UUID().uuidString)\""), .close]
    }
    let target = try Target()
    await #expect(throws: HTTPError.self) { try await download(from: server, to: target) }
    #expect(server.requests.count <= 6)
  }

  @Test func `A status is read before the body, and an error leaves no file`() async throws {
    let server = try LoopbackServer { _ in [.response(404, ["Content-Type": "text/html"], "no")] }
    let target = try Target()
    let found = await kind { try await download(from: server, to: target) }
    #expect(found == .status)
    #expect(target.files.isEmpty)
    #expect(server.requests.count == 1)
  }

  @Test func `A busy server is asked again when it says`() async throws {
    let count = Atomic(0)
    let server = try LoopbackServer { _ in
      count.add(1, ordering: .relaxed).oldValue == 0
        ? [.response(503, ["Retry-After": "7"])] : [Self.beginning(Self.whole.count)]
    }
    let (target, time) = (try Target(), FakeTime())
    try await download(from: server, to: target, time: time)
    #expect(target.bytes == Self.whole)
    #expect(time.slept == [.seconds(7)])
  }

  @Test func `A long wait is left to the caller`() async throws {
    let server = try LoopbackServer { _ in [.response(429, ["Retry-After": "600"])] }
    let (target, time) = (try Target(), FakeTime())
    do {
      try await download(from: server, to: target, time: time)
      Issue.record("nothing was thrown")
    } catch let error as HTTPError {
      #expect(error.retryAfter == FakeTime.start.addingTimeInterval(600))
    }
    #expect(time.slept.isEmpty)
  }

  @Test func `More than was announced is never written`() async throws {
    let server = try LoopbackServer { request in
      guard let start = Self.start(request) else { return [Self.beginning(100_000), .close] }
      // A range whose length is a lie.
      return [
        .response(
          206, ["Content-Range": "bytes \(start)-\(Self.whole.count - 1)/\(Self.whole.count)"],
          body: [UInt8](repeating: 1, count: 500_000))
      ]
    }
    let target = try Target()
    let found = await kind { try await download(from: server, to: target) }
    #expect(found == .protocolError)
    #expect((target.bytes?.count ?? 0) <= Self.whole.count)
  }

  @Test func `An unknown length ends with the body`() async throws {
    let server = try LoopbackServer { _ in
      [
        .text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"),
        .text("2\r\nde\r\n0\r\n\r\n"),
      ]
    }
    let target = try Target()
    try await download(from: server, to: target)
    #expect(target.bytes == Array("abcde".utf8))
    #expect(target.states.withLock { $0 } == [DownloadState()])
  }

  @Test func `A coded file is kept decoded, and is not resumed in its middle`() async throws {
    let server = try LoopbackServer { _ in
      [
        .response(
          200, ["Content-Encoding": "gzip", "ETag": "\"v1\""], body: Gzip.stored("plain text"))
      ]
    }
    let target = try Target()
    try await download(from: server, to: target)
    #expect(target.bytes == Array("plain text".utf8))
    #expect(target.states.withLock { $0 } == [DownloadState()])
  }

  @Test func `A disk without room for the file is told before anything is written`() async throws {
    let server = try LoopbackServer { _ in [Self.beginning(Self.whole.count)] }
    let target = try Target()
    let found = await kind {
      try await download(from: server, to: target) { $0.freeSpace = { _ in 200_000 } }
    }
    #expect(found == .disk)
    #expect(target.bytes?.isEmpty == true)
  }

  @Test func `A length that no disk has room for is told as such`() async throws {
    let server = try LoopbackServer { _ in
      [.text("HTTP/1.1 200 OK\r\nContent-Length: \(Int64.max)\r\n\r\nx")]
    }
    let target = try Target()
    let found = await kind {
      try await download(from: server, to: target) {
        $0.reserve = 8 << 20
        $0.freeSpace = { _ in 1 << 40 }
      }
    }
    #expect(found == .disk)
  }

  @Test func `A disk that fills up ends the download, and what came is kept`() async throws {
    let server = try LoopbackServer { _ in
      [
        .text("HTTP/1.1 200 OK\r\nETag: \"v1\"\r\n\r\n"), .flood(64 << 20),
      ]
    }
    let target = try Target()
    let found = await kind {
      try await download(from: server, to: target) {
        $0.reserve = 10 << 20
        let part = target.part
        $0.freeSpace = { _ in
          var status = stat()
          return stat(part, &status) == 0 ? (40 << 20) - Int64(status.st_size) : nil
        }
      }
    }
    #expect(found == .disk)
    let count = target.bytes?.count ?? 0
    #expect(count >= 30 << 20 && count < 48 << 20)
  }

  @Test func `The reserve of the disk is left for others`() async throws {
    #expect(FileDownload { _ in throw CancellationError() }.reserve > 0)
    #expect((PartFile.freeSpace(NSTemporaryDirectory()) ?? 0) > 0)
    #expect(PartFile.failure(ENOSPC, path: "/a/b.part").message == "There is no room left in /a.")
  }

  @Test
  func `A silent server is a transient failure, and a cancelled download closes its connection`()
    async throws
  {
    let server = try LoopbackServer { _ in [Self.beginning(1_000), .hang] }
    let target = try Target()
    let client = makeClient()
    let task = Task {
      var request = HTTPRequest.patient(server.url("/file"))
      request.limits.maxBodyBytes = 10
      _ = try await FileDownload { try await client.stream(for: $0) }
        .run(request, part: nil, state: DownloadState(), steps: target.steps)
    }
    #expect(await eventually { target.bytes?.count == 1_000 })
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(await eventually { server.connectionsLeft == 1 })
    #expect(target.bytes?.count == 1_000)
  }
}
