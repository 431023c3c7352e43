package import HTTP
package import News

internal import struct Foundation.UUID

/// State of an upload, to be stored by the caller, so that it continues after a kill.
package struct UploadState: Hashable, Sendable, Codable {
  /// The beginning of the idempotency keys, so that the server keeps the file and its comment once.
  package var key: String
  /// The sent version of the file: a changed file starts over.
  package var version: FileVersion
  /// The id at the server; nil before the first answer.
  package var upload: String?
  /// The bytes that the server has.
  package var sent: Int64 = 0
  /// Whether the server has all of it. The file is not read any more then.
  package var isComplete = false

  package init(version: FileVersion) {
    key = UUID().uuidString.lowercased()
    self.version = version
  }
}

/// Upload of a file to a Feed API, and of the comment with it.
///
/// Up to `chunkSize` it is a form in one request, else pieces of that size: the file is never in
/// memory as a whole. Where the server's offset differs from the stored one, because an answer or a
/// part of a piece was lost, the upload continues from there. A file that changes starts over:
/// bytes of two versions never end up in one attachment.
package struct AttachmentUpload: Sendable {
  /// Bytes of a piece.
  package static let chunkSize: Int64 = 5 << 20

  package struct File: Sendable {
    /// On this device.
    package var path: String
    /// At the server, with the media type.
    package var name: String
    package var type: String
    /// The text of the comment.
    package var text: String

    package init(path: String, name: String, type: String, text: String) {
      self.path = path
      self.name = name
      self.type = type
      self.text = text
    }
  }

  /// Callbacks of an upload.
  package struct Steps: Sendable {
    /// Stores the state before the next request.
    package var store: @Sendable (UploadState) throws -> Void
    /// The bytes that are sent, and the whole size. From any thread.
    package var progress: @Sendable (_ bytes: Int64, _ total: Int64) -> Void
    /// Called after each piece with its bytes; may wait.
    package var pace: @Sendable (Int) async throws -> Void

    package init(
      store: @escaping @Sendable (UploadState) throws -> Void,
      progress: @escaping @Sendable (Int64, Int64) -> Void = { _, _ in },
      pace: @escaping @Sendable (Int) async throws -> Void = { _ in }
    ) {
      self.store = store
      self.progress = progress
      self.pace = pace
    }
  }

  /// Restarts of one call, for a file that keeps changing.
  private static let mostBeginnings = 5
  /// Consecutive requests without progress.
  private static let mostIdle = 3

  private let api: FeedAPIServer

  /// Nil where the server of the feed accepts no files.
  package init?(_ sources: Sources, to feed: Feed) {
    guard let api = sources.source(of: feed.account).discussion(of: feed) as? FeedAPIDiscussion
    else { return nil }
    self.api = api.api
  }

  /// The file has changed, or the server has dropped its part.
  private struct Obsolete: Error {}

  /// Sends the file, then the comment.
  ///
  /// - Parameters:
  ///   - entry: the id of the article at the server.
  ///   - saved: the stored state; nil for a new upload.
  /// - Throws: `SourceError`, `CancellationError`, and what the steps throw.
  package func run(
    _ file: File, on entry: String, from saved: UploadState?, steps: Steps
  ) async throws -> Comment {
    var state = saved
    do {
      for _ in 1...Self.mostBeginnings {
        do {
          try await upload(file, &state, steps)
          return try await comment(file, on: entry, state)
        } catch is Obsolete {
          if let id = state?.upload { try? await api.answer(to: FeedAPICatalogue.drop(id)) }
          state = nil
        }
      }
    } catch let error as HTTPError {
      throw SourceError(error, url: api.base)
    }
    throw SourceError(
      .file, stage: .store, subject: file.path, message: "the file changes while it is sent",
      next: "send it again when it is finished")
  }

  private func upload(_ file: File, _ saved: inout UploadState?, _ steps: Steps) async throws {
    if let saved, saved.isComplete { return }
    let source = try UploadFile(file.path)
    defer { source.close() }
    let version = try source.version()
    var state = saved ?? UploadState(version: version)
    guard state.version == version else { throw Obsolete() }
    if saved == nil { try steps.store(state) }
    defer { saved = state }
    if version.size <= Self.chunkSize {
      try await sendWhole(file, source, &state, steps)
    } else {
      try await sendPieces(file, source, &state, steps)
    }
  }

  private func sendWhole(
    _ file: File, _ source: UploadFile, _ state: inout UploadState, _ steps: Steps
  ) async throws {
    let size = state.version.size
    let bytes = try source.read(at: 0, count: Int(size))
    guard Int64(bytes.count) == size, try source.version() == state.version else {
      throw Obsolete()
    }
    let form = HTTPBody.form("file", fileName: file.name, type: file.type, bytes)
    let upload = try await api.answer(to: FeedAPICatalogue.upload(form, key: state.key)) {
      Self.prepare(&$0) { steps.progress(min($0, size), size) }
    }
    guard upload.complete else { throw disagreement }
    state.upload = upload.id
    state.sent = size
    state.isComplete = true
    try steps.store(state)
    steps.progress(size, size)
    try await steps.pace(bytes.count)
  }

  private func sendPieces(
    _ file: File, _ source: UploadFile, _ state: inout UploadState, _ steps: Steps
  ) async throws {
    let size = state.version.size
    let id = try await begin(file, &state, steps)
    var idle = 0
    while state.sent < size, !state.isComplete {
      steps.progress(state.sent, size)
      let bytes = try source.read(
        at: state.sent, count: Int(min(Self.chunkSize, size - state.sent)))
      // Checked after reading: the bytes are of the version that is being sent.
      guard try source.version() == state.version else { throw Obsolete() }
      let before = state.sent
      let upload = try await known { try await send(bytes, to: id, state, steps) }
      guard (0...size).contains(upload.offset) else { throw disagreement }
      state.sent = upload.offset
      state.isComplete = upload.complete
      try steps.store(state)
      idle = state.sent > before ? 0 : idle + 1
      guard idle < Self.mostIdle else { throw disagreement }
      try await steps.pace(bytes.count)
    }
    steps.progress(state.sent, size)
    guard !state.isComplete else { return }
    guard try source.version() == state.version else { throw Obsolete() }
    let key = state.key + "-end"
    let end = try await known {
      try await api.answer(to: FeedAPICatalogue.finalize(id, key: key)) { Self.prepare(&$0) }
    }
    guard end.complete else { throw disagreement }
    state.isComplete = true
    try steps.store(state)
  }

  /// Announces the file, or asks for the server's offset.
  private func begin(
    _ file: File, _ state: inout UploadState, _ steps: Steps
  ) async throws -> String {
    let size = state.version.size
    let upload: FeedAPICatalogue.Upload
    if let id = state.upload {
      upload = try await known { try await api.answer(to: FeedAPICatalogue.upload(id)) }
    } else {
      upload = try await api.answer(
        to: FeedAPICatalogue.begin(
          FeedAPICatalogue.NewUpload(name: file.name, type: file.type, length: size),
          key: state.key))
    }
    guard (0...size).contains(upload.offset) else { throw Obsolete() }
    state.upload = upload.id
    state.sent = upload.offset
    state.isComplete = upload.complete
    try steps.store(state)
    return upload.id
  }

  /// Sends a piece; the server may answer with the offset of another one.
  private func send(
    _ bytes: [UInt8], to id: String, _ state: UploadState, _ steps: Steps
  ) async throws -> FeedAPICatalogue.Upload {
    let (start, size) = (state.sent, state.version.size)
    do {
      return try await api.answer(
        to: FeedAPICatalogue.send(bytes, at: start, of: size, to: id)
      ) {
        Self.prepare(&$0) { steps.progress(min(start + $0, size), size) }
      }
    } catch let error as HTTPError where error.status == 416 || error.status == 409 {
      if let offset = error.partial?.head.headers["Upload-Offset"].flatMap({ Int64($0) }) {
        return FeedAPICatalogue.Upload(id: id, offset: offset, complete: false)
      }
      return try await api.answer(to: FeedAPICatalogue.upload(id))
    }
  }

  /// Posts the comment with the file.
  private func comment(
    _ file: File, on entry: String, _ state: UploadState?
  ) async throws -> Comment {
    guard let state, let id = state.upload else { throw Obsolete() }
    let draft = FeedAPICatalogue.NewComment(text: file.text, author: nil, attachments: [id])
    do {
      return Comment(
        try await api.answer(
          to: FeedAPICatalogue.post(draft, on: entry, key: state.key + "-comment")))
    } catch let error as HTTPError where error.serverError?.code == "unknown_attachment" {
      throw Obsolete()
    }
  }

  /// - Throws: `Obsolete` where the server does not know the upload any more.
  private func known<Value>(_ body: () async throws -> Value) async throws -> Value {
    do { return try await body() } catch let error as HTTPError
      where error.status == 404 || error.status == 410
    { throw Obsolete() }
  }

  /// A piece takes as long as the connection needs; silence still ends it.
  private static func prepare(
    _ request: inout HTTPRequest, onSent: (@Sendable (Int64) -> Void)? = nil
  ) {
    request.limits.total = nil
    request.onSent = onSent
  }

  private var disagreement: HTTPError {
    let host = (try? HTTPURL(api.base).host) ?? ""
    return HTTPError(
      .protocolError, "\(host) does not take the file: it says that it has another part of it.",
      host: host)
  }
}
