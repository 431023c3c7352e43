internal import Foundation

/// Download of a file into a part beside its target, which continues an earlier one.
///
/// Transient failures are repeated by `RetryPolicy`, and each repetition asks for the rest only. Attempts
/// are counted from the last one that brought the part further. What has come stays on every failure.
package struct FileDownload: Sendable {
  package struct Steps: Sendable {
    /// Chooses and makes the part before the first byte; returns its path.
    package var place: @Sendable (HTTPResponseHead, DownloadState) async throws -> String
    /// Stores the state of a new beginning, before a byte of it is written.
    package var begin: @Sendable (DownloadState) async throws -> Void
    /// Takes the number of bytes in the part, and the size of the whole where that is known; may wait.
    package var progress:
      @Sendable (_ bytes: Int64, _ total: Int64?, _ new: Int) async throws -> Void
    /// Called before each wait for another attempt.
    package var wait: @Sendable (RetryNotice) -> Void

    package init(
      place: @escaping @Sendable (HTTPResponseHead, DownloadState) async throws -> String,
      begin: @escaping @Sendable (DownloadState) async throws -> Void = { _ in },
      progress: @escaping @Sendable (Int64, Int64?, Int) async throws -> Void = { _, _, _ in },
      wait: @escaping @Sendable (RetryNotice) -> Void = { _ in }
    ) {
      self.place = place
      self.begin = begin
      self.progress = progress
      self.wait = wait
    }
  }

  /// Space that is left free on the disk, in bytes: other programs, and the store, write there too.
  package var reserve: Int64 = 8 << 20
  /// The free space of a folder; nil where it is not known.
  package var freeSpace: @Sendable (String) -> Int64? = { PartFile.freeSpace($0) }
  package var policy = RetryPolicy()
  package var clock = RetryClock.system
  private let send: @Sendable (HTTPRequest) async throws -> HTTPStream

  /// The free space is looked at again after so many bytes.
  private static let spaceInterval: Int64 = 16 << 20
  /// New beginnings of one call: of a server that has another version each time, none is ever whole.
  private static let mostBeginnings = 5
  /// Bytes of an error's body that are read for the server's words.
  private static let longestRefusal = 64 << 10

  /// - Parameter send: makes one attempt, with redirects and sign-in.
  package init(send: @escaping @Sendable (HTTPRequest) async throws -> HTTPStream) {
    self.send = send
  }

  /// Downloads until the part is the whole file.
  ///
  /// - Parameters:
  ///   - part: the path of the part from before; nil for a download that has not begun.
  ///   - state: as it was stored with that part.
  /// - Returns: the path of the part.
  /// - Throws: `HTTPError`, of kind `disk` where it cannot be written; `CancellationError`; and what the
  ///   steps throw.
  package func run(
    _ request: HTTPRequest, part: String?, state: DownloadState, steps: Steps
  ) async throws -> String {
    var request = request
    request.isFile = true
    request.limits.total = nil
    request.limits.maxBodyBytes = nil
    request.id = request.id ?? UUID().uuidString.lowercased()
    var course = Course(part: part, state: state)
    while true {
      do {
        if try await attempt(request, &course, steps) { break }
      } catch let refusal as Refusal {
        try await prepareRetry(
          of: &request, &course, .status(refusal.status, refusal.headers), refusal.error, steps)
      } catch let error as HTTPError {
        // The rest of a body that broke off can be asked for, however it ended.
        var kind = error
        if error.kind == .cutBody { kind.kind = .cutShort }
        try await prepareRetry(of: &request, &course, .failure(kind), error, steps)
      }
    }
    guard let part = course.part else { throw PartFile.failure(ENOENT, path: "") }
    return part
  }

  private struct Course {
    var part: String?
    var state: DownloadState
    /// The largest size that the part has had, as of the last failure.
    var furthest: Int64 = 0
    var reached: Int64 = 0
    var beginnings = 0
  }

  /// An error status, with the headers that say when to come again.
  private struct Refusal: Error {
    var status: Int
    var headers: HTTPHeaders
    var error: HTTPError
  }

  /// Sends one request and writes what it brings.
  ///
  /// - Returns: whether the part is whole.
  private func attempt(
    _ request: HTTPRequest, _ course: inout Course, _ steps: Steps
  ) async throws -> Bool {
    try Task.checkCancellation()
    var file = try course.part.flatMap { try PartFile(existing: $0) }
    defer { file?.close() }
    let size = try file?.size() ?? 0
    let plan = DownloadPlan(state: file == nil ? DownloadState() : course.state, part: size)
    if plan.isComplete { return true }
    var request = request
    plan.ask(&request)
    let stream = try await send(request)
    let (start, state): (Int64, DownloadState)
    switch plan.verdict(on: stream.head) {
    case .complete(let state):
      course.state = state
      return true
    case .startOver:
      try countBeginning(&course, stream.head)
      try file?.cut(at: 0)
      return false
    case .refused: throw try await refusal(stream)
    case .write(let offset, let new): (start, state) = (offset, new)
    }
    if file == nil {
      let path = try await steps.place(stream.head, state)
      course.part = path
      file = try PartFile(existing: path)
    }
    guard let file else { throw PartFile.failure(ENOENT, path: course.part ?? "") }
    if start == 0, size > 0 { try countBeginning(&course, stream.head) }
    // In this order: a state is never stored beside bytes of another version.
    try file.cut(at: start)
    if start == 0 || state != course.state { try await steps.begin(state) }
    course.state = state
    try await write(stream, to: file, from: start, &course, steps)
    return true
  }

  private func write(
    _ stream: HTTPStream, to file: PartFile, from start: Int64, _ course: inout Course,
    _ steps: Steps
  ) async throws {
    let total = course.state.total
    let host = stream.head.host
    let folder = (file.path as NSString).deletingLastPathComponent
    try checkSpace(in: folder, for: total.map { $0 - start })
    var size = start
    var checked = start
    try await steps.progress(size, total, 0)
    for try await chunk in stream {
      if let total, size + Int64(chunk.count) > total {
        throw HTTPError(
          .protocolError, "\(host) sends more than the \(total) bytes that it has announced.",
          host: host)
      }
      try file.write(chunk)
      size += Int64(chunk.count)
      course.reached = max(course.reached, size)
      try await steps.progress(size, total, chunk.count)
      if size - checked >= Self.spaceInterval {
        checked = size
        try checkSpace(in: folder, for: total.map { $0 - size })
      }
    }
    if let total, size < total {
      throw HTTPError(
        .cutShort, "\(host) ended the file after \(size) of \(total) bytes.", host: host)
    }
    course.state.total = size
  }

  /// - Parameter bytes: those that are still to come; nil where that is not known.
  private func checkSpace(in folder: String, for bytes: Int64?) throws {
    guard let free = freeSpace(folder) else { return }
    // A server may announce any number.
    guard free - reserve < bytes ?? 0 else { return }
    let need = bytes.map { ": \($0 >> 20) MiB are needed, and \(free >> 20) MiB are free" } ?? ""
    throw HTTPError(.disk, "There is not enough room in \(folder)\(need).", detail: folder)
  }

  private func countBeginning(_ course: inout Course, _ head: HTTPResponseHead) throws {
    course.beginnings += 1
    guard course.beginnings <= Self.mostBeginnings else {
      throw HTTPError(
        .protocolError, "\(head.host) has another version of the file each time it is asked.",
        host: head.host)
    }
  }

  private func refusal(_ stream: HTTPStream) async throws -> any Error {
    var body: [UInt8] = []
    for try await chunk in stream {
      body += chunk
      if body.count > Self.longestRefusal { break }
    }
    let head = stream.head
    do {
      _ = try HTTPResponse(head: head, body: body, metrics: HTTPMetrics()).validated()
    } catch let error as HTTPError {
      return Refusal(status: head.status, headers: head.headers, error: error)
    }
    return HTTPError(
      .protocolError, "\(head.host) sent no file (status \(head.status)).", host: head.host)
  }

  /// Waits for the time of the next attempt; throws where there is none.
  private func prepareRetry(
    of request: inout HTTPRequest, _ course: inout Course, _ outcome: RetryPolicy.Outcome,
    _ error: HTTPError, _ steps: Steps
  ) async throws {
    if course.reached > course.furthest {
      course.furthest = course.reached
      request.attempt = 1
    }
    try await RetryingSend(policy: policy, clock: clock, onWait: steps.wait)
      .prepareRetry(of: &request, after: outcome, error)
  }
}
