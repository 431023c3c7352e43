internal import FeedServer
internal import Foundation
internal import HTTP
internal import News
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import Services

/// Files that are attached to comments.
struct AttachmentUploadTests {
  private static let piece = Int(AttachmentUpload.chunkSize)
  private static let uploads = "/api/uploads/"

  /// A file to be sent, and how far it is as the store of a caller has it.
  private final class Case: Sendable {
    let folder: String
    let server: FeedServer
    let way: AttachmentUpload
    let bytes: [UInt8]
    private let saved = Mutex<UploadState?>(nil)
    private let reports = Mutex<[Int64]>([])

    init(_ server: FeedServer, _ sources: Sources, size: Int) throws {
      folder = try temporaryFolder()
      self.server = server
      var dice = SplitMix(seed: UInt64(size))
      // A prime number of bytes, repeated: no piece is like another one.
      let block = Data((0..<65_521).map { _ in UInt8(truncatingIfNeeded: dice.next()) })
      var contents = Data()
      while contents.count < size { contents += block }
      bytes = [UInt8](contents.prefix(size))
      way = try #require(AttachmentUpload(sources, to: feed(server.apiURL, format: .api)))
      try write(bytes)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    var path: String { folder + "/a \"b\".bin" }
    var state: UploadState? { saved.withLock { $0 } }
    var progress: [Int64] { reports.withLock { $0 } }

    func write(_ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(filePath: path)) }

    /// - Parameter stop: ends the upload as a kill would, after this many states were stored.
    @discardableResult
    func run(stop: Int? = nil) async throws -> News.Comment {
      let left = Mutex(stop)
      return try await way.run(
        AttachmentUpload.File(
          path: path, name: "a \"b\".bin", type: "application/zip", text: "look"),
        on: "keyset-paging", from: state,
        steps: AttachmentUpload.Steps(
          store: { state in
            self.saved.withLock { $0 = state }
            let isOver = left.withLock { left in
              left = left.map { $0 - 1 }
              return left == 0
            }
            if isOver { throw Killed() }
          },
          progress: { bytes, _ in self.reports.withLock { $0.append(bytes) } }))
    }

    /// The first bytes of the pieces that were sent.
    var offsets: [String] {
      server.requests.filter { $0.method == "PUT" }.compactMap { request in
        request.header("Content-Range").map { String($0.dropFirst(6).prefix { $0 != "-" }) }
      }
    }

    /// Expects that one comment has one file, and that this has these bytes.
    func expectOne(_ bytes: [UInt8]? = nil, at place: SourceLocation = #_sourceLocation) {
      let comments = server.comments(on: "keyset-paging").filter { $0.text == "look" }
      #expect(comments.count == 1, sourceLocation: place)
      let file = comments.first?.attachments.first
      #expect(file?.name == "a \"b\".bin" && file?.type == "application/zip")
      #expect(file?.isComplete == true, sourceLocation: place)
      #expect(file?.bytes == bytes ?? self.bytes, sourceLocation: place)
    }
  }

  private struct Killed: Error {}

  private func withCase(_ size: Int, _ body: (Case) async throws -> Void) async throws {
    try await withServer { server, sources in
      try await body(try Case(server, sources, size: size))
    }
  }

  @Test(arguments: [0, 1, 300_000, 5 << 20])
  func `A small file goes as a form, in one request`(_ size: Int) async throws {
    try await withCase(size) { upload in
      let comment = try await upload.run()
      #expect(comment.attachments?.first?.length == Int64(size))
      upload.expectOne()
      #expect(upload.offsets == [])
      let form = try #require(upload.server.requests.first { $0.path == "/api/uploads" })
      #expect(form.header("Content-Type")?.hasPrefix("multipart/form-data") == true)
      #expect(upload.progress.last == Int64(size))
      if size > 1 << 20 { #expect(upload.progress.contains { $0 > 0 && $0 < size }) }
    }
  }

  @Test func `A large file goes in pieces of 5 MiB`() async throws {
    let size = 2 * Self.piece + 7
    try await withCase(size) { upload in
      _ = try await upload.run()
      upload.expectOne()
      let ranges = upload.server.requests.compactMap { $0.header("Content-Range") }
      #expect(
        ranges == [
          "bytes 0-\(Self.piece - 1)/\(size)",
          "bytes \(Self.piece)-\(2 * Self.piece - 1)/\(size)",
          "bytes \(2 * Self.piece)-\(size - 1)/\(size)",
        ])
      #expect(upload.progress.allSatisfy { $0 <= size })
    }
  }

  @Test func `A kill after any step sends no piece twice, and one comment in the end`() async throws
  {
    // Stored: the beginning, the announcement, each of three pieces, the end.
    for stop in 1...6 {
      try await withCase(2 * Self.piece + 7) { upload in
        await #expect(throws: Killed.self) { try await upload.run(stop: stop) }
        _ = try await upload.run()
        upload.expectOne()
        #expect(upload.offsets == ["0", "\(Self.piece)", "\(2 * Self.piece)"], "\(stop)")
        #expect(upload.server.uploads.count == 1)
      }
    }
  }

  @Test func `A piece that was cut goes on where the server has it`() async throws {
    try await withCase(2 * Self.piece + 7) { upload in
      upload.server.inject(.cutUpload(afterBytes: 1_000), on: Self.uploads, skipping: 1)
      // libcurl itself may repeat what a kept connection did not answer.
      if (try? await upload.run()) == nil { _ = try await upload.run() }
      upload.expectOne()
      #expect(upload.offsets.contains("\(Self.piece + 1_000)"))
      #expect(upload.offsets.count { $0 == "0" } == 1)
    }
  }

  @Test func `A server that wants another part, and does not say which, is asked`() async throws {
    try await withCase(2 * Self.piece + 7) { upload in
      upload.server.inject(.status(416), on: Self.uploads, skipping: 1)
      _ = try await upload.run()
      upload.expectOne()
      #expect(upload.offsets == ["0", "\(Self.piece)", "\(2 * Self.piece)"])
    }
  }

  @Test func `An end whose answer is lost is one end`() async throws {
    try await withCase(Self.piece + 7) { upload in
      upload.server.inject(.reset, on: Self.uploads + "upload-1/finalize")
      if (try? await upload.run()) == nil { _ = try await upload.run() }
      #expect(upload.server.uploads.map(\.isComplete) == [true])
      upload.expectOne()
      #expect(upload.offsets.count == 2 && upload.server.uploads.count == 1)
    }
  }

  @Test(arguments: [
    (413, "send a smaller file, or ask who runs the server"),
    (507, "try again when the people who run the server have made room"),
  ])
  func `A server without room for it says so`(_ status: Int, _ next: String) async throws {
    try await withCase(Self.piece + 7) { upload in
      upload.server.inject(.status(status), on: "/api/uploads")
      let error = await #expect(throws: SourceError.self) { try await upload.run() }
      #expect(error?.status == status && error?.next == next)
      // It is sent when there is room.
      _ = try await upload.run()
      upload.expectOne()
    }
  }

  @Test func `A file that is larger than the server takes is not sent`() async throws {
    try await withCase(1) { upload in
      try #require(truncate(upload.path, 2 << 30) == 0)
      let error = await #expect(throws: SourceError.self) { try await upload.run() }
      #expect(error?.status == 413)
      #expect(upload.offsets == [])
    }
  }

  @Test(arguments: [1, 3, 4])
  func `A file that is changed in between starts over`(_ stop: Int) async throws {
    try await withCase(2 * Self.piece + 7) { upload in
      await #expect(throws: Killed.self) { try await upload.run(stop: stop) }
      var other = upload.bytes
      other[3] &+= 1
      try upload.write(other)
      _ = try await upload.run()
      upload.expectOne(other)
      // What was sent of the former version does not stay at the server.
      #expect(upload.server.uploads.count == 1)
    }
  }

  @Test func `An upload that the server has dropped starts over`() async throws {
    try await withCase(Self.piece + 7) { upload in
      await #expect(throws: Killed.self) { try await upload.run(stop: 3) }
      upload.server.inject(.status(410), on: Self.uploads)
      _ = try await upload.run()
      upload.expectOne()
      #expect(upload.offsets == ["0", "0", "\(Self.piece)"])
    }
  }

  @Test func `A file that the server has dropped before its comment is sent again`() async throws {
    try await withCase(Self.piece + 7) { upload in
      await #expect(throws: Killed.self) { try await upload.run(stop: 5) }
      let former = try #require(upload.server.uploads.first)
      #expect(former.isComplete)
      upload.server.dropUpload(former.id)
      _ = try await upload.run()
      upload.expectOne()
      #expect(upload.offsets == ["0", "\(Self.piece)", "0", "\(Self.piece)"])
    }
  }

  @Test func `Another feed's server takes no files`() throws {
    #expect(
      AttachmentUpload(
        makeSources(),
        to: feed("http://localhost/feed", format: .rss)) == nil)
  }
}
