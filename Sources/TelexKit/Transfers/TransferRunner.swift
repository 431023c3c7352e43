internal import Foundation
internal import HTTP
internal import NetworkMonitor
internal import News
internal import Services
internal import Store
internal import Synchronization

/// Runs the downloads of a store in their own process, several at once in the order of the book,
/// until none waits. The book is read several times a second.
package struct TransferRunner: Sendable {
  /// How often the book is looked at and progress is written.
  private static let interval: Duration = .milliseconds(200)

  private let composition: Composition
  private let book: TransferBook
  private let live = Live()

  package init(_ composition: Composition) {
    self.composition = composition
    book = Transfers(composition).book
  }

  private final class Live: Sendable {
    struct State {
      /// The downloads that may go on; the others stop.
      var wanted: Set<Int64> = []
      var meters: [Int64: TransferMeter] = [:]
      var totals: [Int64: Int64] = [:]
      var retries: [Int64: Date] = [:]
      var pace: TransferPace?
      var isMetered = false
      /// Downloads whose end could not be noted in the book: they are left to the next process.
      var abandoned: Set<Int64> = []
    }

    let state = Mutex(State())
    /// The parts that this process has made.
    let parts = Mutex<[Int64: String]>([:])
  }

  /// The user has paused or dropped a download.
  private struct Stopped: Error {}

  private enum Event: Sendable {
    case ended(Int64)
    case tick
    case networkEnded
  }

  /// Runs until no download waits.
  ///
  /// - Returns: false where another process does so already.
  @discardableResult
  package func run() async throws -> Bool {
    guard FileManager.default.fileExists(atPath: book.folder),
      let lock = await HelperLock(book).acquire()
    else { return false }
    live.state.withLock {
      $0.pace = composition.settings.downloads.bytesPerSecond.map(TransferPace.init)
    }
    // It may run for hours.
    ProgramPages.release()
    // The progress of an earlier process is out of date.
    book.write(TransferProgress())
    if (try? book.readAnyway().jobs.contains { $0.state == .waiting && $0.isUnhurried }) == true {
      await noteMetered(Composition.connectivity())
    }
    await withTaskGroup(of: Event.self) { group in
      var running: Set<Int64> = []
      var told = TransferProgress()
      group.addTask { await Self.tick() }
      group.addTask {
        for await state in NetworkMonitor().states() { noteMetered(state) }
        return .networkEnded
      }
      while true {
        do {
          try begin(&running, &group)
          // The last look at the book and the release are one step: what is added later starts another
          // process.
          if running.isEmpty, try release(lock) { break }
        } catch {
          // Without its book nothing can be kept: the next start looks again.
          group.cancelAll()
          lock.release()
          break
        }
        let progress = progress(of: running)
        if progress != told {
          told = progress
          book.write(progress)
        }
        switch await group.next() {
        case .ended(let id): running.remove(id)
        case .tick: group.addTask { await Self.tick() }
        case .networkEnded, nil: break
        }
      }
      group.cancelAll()
    }
    return true
  }

  private func noteMetered(_ connectivity: Connectivity) {
    live.state.withLock { $0.isMetered = connectivity.isMetered }
  }

  /// Whether a transfer waits for a connection that is not metered.
  private func awaitsUnmetered(_ job: TransferBook.Job) -> Bool {
    guard job.isUnhurried, live.state.withLock({ $0.isMetered }) else { return false }
    let feed = try? composition.store.viewNow { try $0.feeds.feed(job.feed) }
    return (feed?.settings.metered ?? composition.settings.metered) != .all
  }

  private static func tick() async -> Event {
    try? await Task.sleep(for: interval)
    return .tick
  }

  /// Begins the next downloads where there is room, and stops those that are not wanted any more.
  private func begin(_ running: inout Set<Int64>, _ group: inout TaskGroup<Event>) throws {
    let contents = try book.readAnyway()
    var waiting = contents.jobs.filter { contents.isHeld != true && $0.state == .waiting }
    let costly = waiting.filter(awaitsUnmetered)
    waiting.removeAll(where: costly.contains)
    if costly.contains(where: { $0.error == nil }) {
      try book.edit { book in for job in costly { book[job.id]?.noteMetered() } }
    }
    let abandoned = live.state.withLock { state in
      state.wanted = Set(waiting.map(\.id))
      return state.abandoned
    }
    let jobs = waiting.filter { !abandoned.contains($0.id) }
    let now = Date()
    for job in jobs where running.count < composition.settings.downloads.concurrent {
      guard !running.contains(job.id), job.isDue(at: now) else { continue }
      running.insert(job.id)
      group.addTask {
        await download(job)
        return .ended(job.id)
      }
    }
  }

  private func release(_ lock: HelperLock.Held) throws -> Bool {
    guard FileManager.default.fileExists(atPath: book.folder) else {
      lock.release()
      return true
    }
    let abandoned = live.state.withLock { $0.abandoned }
    let parts = try book.edit { book -> [String]? in
      let isWaiting = book.jobs.contains {
        $0.state == .waiting && !abandoned.contains($0.id) && !awaitsUnmetered($0)
      }
      guard book.isHeld == true || !isWaiting else { return nil }
      let parts = book.forgetOldest()
      lock.release()
      return parts
    }
    for part in parts ?? [] { unlink(part) }
    return parts != nil
  }

  private func progress(of running: Set<Int64>) -> TransferProgress {
    live.state.withLock { state in
      var progress = TransferProgress()
      for id in running {
        let meter = state.meters[id]
        progress.entries["\(id)"] = TransferProgress.Entry(
          bytes: meter?.bytes, total: state.totals[id], rate: meter?.rate,
          retry: state.retries[id])
      }
      return progress
    }
  }

  // MARK: One download

  private func download(_ job: TransferBook.Job) async {
    do {
      if job.error != nil { try book.edit { $0[job.id]?.error = nil } }
      let path = try await untilStopped(job.id) {
        if let upload = job.upload { return try await send(upload, of: job) }
        return try await fetch(job)
      }
      try book.edit { book in
        guard var job = book[job.id] else { return }
        job.state = .done
        job.target = path
        job.part = nil
        job.ended = Date()
        (job.error, job.nextAttempt) = (nil, nil)
        book[job.id] = job
      }
    } catch is Stopped {
      // A part that was made after the download was dropped.
      dropPart(of: job)
    } catch is CancellationError {
    } catch {
      do { try fail(job, SourceError(describing: error)) } catch {
        _ = live.state.withLock { $0.abandoned.insert(job.id) }
      }
    }
    live.state.withLock { state in
      state.meters[job.id] = nil
      state.totals[job.id] = nil
      state.retries[job.id] = nil
    }
  }

  private func fail(_ job: TransferBook.Job, _ error: SourceError) throws {
    // Nothing of it is to be had any more.
    let isGone = error.status == 404 || error.status == 410
    let part = try book.edit { book -> String? in
      guard var job = book[job.id] else { return nil }
      job.error = error
      // The server has named a time: until then it waits.
      if let next = error.nextAttempt, next.timeIntervalSinceNow > 0 {
        job.nextAttempt = next
      } else if job.state == .waiting {
        job.state = .failed
        job.ended = Date()
      }
      let part = isGone ? job.part : nil
      if isGone { (job.part, job.target, job.version) = (nil, nil, DownloadState()) }
      book[job.id] = job
      return part
    }
    if let part { unlink(part) }
  }

  private func dropPart(of job: TransferBook.Job) {
    guard let contents = try? book.readAnyway(), contents[job.id] == nil else { return }
    if let part = live.parts.withLock({ $0[job.id] }) ?? job.part { unlink(part) }
  }

  private func untilStopped(
    _ id: Int64, _ work: @escaping @Sendable () async throws -> String
  ) async throws -> String {
    let live = live
    return try await withThrowingTaskGroup(of: String?.self) { group in
      group.addTask { try await work() }
      group.addTask {
        while live.state.withLock({ $0.wanted.contains(id) }) {
          try await Task.sleep(for: .milliseconds(50))
        }
        throw Stopped()
      }
      defer { group.cancelAll() }
      while let path = try await group.next() {
        if let path { return path }
      }
      throw CancellationError()
    }
  }

  /// - Returns: the path of the downloaded file.
  private func fetch(_ job: TransferBook.Job) async throws -> String {
    // A kill between the last step of an earlier run and the note of it in the book.
    if let part = job.part, let target = job.target, let total = job.version.total,
      !FileManager.default.fileExists(atPath: part), StoredFile.size(of: target) == total, total > 0
    {
      return target
    }
    let (feed, url) = try await source(of: job)
    let download = EnclosureDownload(composition.sources, url: url, of: feed)
    let (book, live) = (book, live)
    let folder = DownloadFolder(settings: composition.settings.downloads)
    let id = job.id
    let part = try await download.run(
      part: job.part, state: job.version,
      steps: FileDownload.Steps(
        place: { head, _ in
          // Noted before it is made: a kill in between leaves no part that nothing knows of.
          while true {
            let part = try book.edit { book in
              let taken = book.jobs.filter { $0.id != id }.compactMap(\.part)
              let places = try folder.places(for: job, head, taken: Set(taken))
              book[id]?.part = places.part
              book[id]?.target = places.target
              book[id]?.version = DownloadState()
              return places.part
            }
            live.parts.withLock { $0[id] = part }
            if try DownloadFolder.make(part) { return part }
          }
        },
        begin: { state in try book.edit { $0[id]?.version = state } },
        progress: { bytes, total, new in
          note(bytes, of: total, in: id)
          try await keepPace(after: new)
        },
        wait: { notice in live.state.withLock { $0.retries[id] = notice.until } }))
    guard let target = try book.readAnyway()[id]?.target else { throw Stopped() }
    // With its size a kill after the next step is told from a file that has gone.
    let size = StoredFile.size(of: part)
    try book.edit { $0[id]?.version.total = size }
    return try DownloadFolder.finish(part, as: target)
  }

  /// The feed, and the address of the file with all that the book leaves out.
  private func source(of job: TransferBook.Job) async throws -> (Feed, String) {
    let found = try await composition.store.view { view -> (Feed?, Article?) in
      (try view.feeds.feed(job.feed), try view.articles.article(job.article))
    }
    let url = found.1?.entry.enclosures.map(\.url).first {
      Transfers.digest($0) == job.addressDigest
    }
    guard let feed = found.0, let url else {
      throw SourceError(
        .address, stage: .store, subject: job.address,
        message: "the article does not name this file any more",
        next: "ask for the download again from its article")
    }
    return (feed, url)
  }

  // MARK: One upload

  /// Sends a file and its comment. The state is in the book before each request, for the next
  /// process.
  ///
  /// - Returns: the path of the file.
  private func send(_ upload: TransferBook.Upload, of job: TransferBook.Job) async throws -> String
  {
    let (feed, article) = try await composition.store.view { view in
      (try view.feeds.feed(job.feed), try view.articles.article(job.article))
    }
    guard let feed, let article, !article.entry.id.isEmpty,
      let way = AttachmentUpload(composition.sources, to: feed)
    else {
      throw SourceError(
        .address, stage: .store, subject: job.address,
        message: "the article is gone, or its server takes no files")
    }
    let name = String(upload.path.split(separator: "/").last ?? "file")
    let (book, id) = (book, job.id)
    _ = try await way.run(
      AttachmentUpload.File(
        path: upload.path, name: name, type: DownloadFolder.type(ofEnding: name),
        text: upload.text),
      on: article.entry.id, from: upload.state,
      steps: AttachmentUpload.Steps(
        store: { state in try book.edit { $0[id]?.upload?.state = state } },
        progress: { bytes, total in note(bytes, of: total, in: id) },
        pace: { bytes in try await keepPace(after: bytes) }))
    return upload.path
  }

  /// Notes the progress of a transfer.
  private func note(_ bytes: Int64, of total: Int64?, in id: Int64) {
    live.state.withLock { state in
      let now = ContinuousClock.now
      state.meters[id, default: TransferMeter(bytes: bytes, at: now)].note(bytes, at: now)
      state.totals[id] = total
      state.retries[id] = nil
    }
  }

  /// Waits as long as the bound on the rate demands.
  private func keepPace(after bytes: Int) async throws {
    let wait = live.state.withLock { $0.pace?.wait(after: bytes, at: .now) }
    if let wait, wait > .zero { try await Task.sleep(for: wait) }
  }
}

extension TransferBook.Job {
  /// More than any pause that servers are granted, in seconds.
  private static let longestPause: Double = 86_400

  /// Whether it waits for a connection that is not metered: a file that the settings asked for, or one that is sent.
  var isUnhurried: Bool { (isAutomatic || upload != nil) && evenMetered != true }

  fileprivate mutating func noteMetered() {
    error = SourceError(
      .paused, stage: .connect, subject: address, message: "the connection is metered",
      next: "it waits for another one; telex transfers --resume \(id) does not wait")
  }

  /// Whether the pause of its server is over. A longer one than any comes from a clock that was set
  /// back.
  func isDue(at time: Date) -> Bool {
    guard let next = nextAttempt else { return true }
    return next <= time || next > time.addingTimeInterval(Self.longestPause)
  }
}

/// Pages of the program's own file in memory.
enum ProgramPages {
  /// Releases pages that only the start needed, some twenty megabytes, when the runtime scans
  /// tables of the program. They are unchanged, and read again on demand.
  static func release() {
    #if os(Linux)
      guard let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"),
        let maps = try? FileHandle(forReadingAtPath: "/proc/self/maps")?.readToEnd()
      else { return }
      for line in String(decoding: maps, as: UTF8.self).split(separator: "\n") {
        let fields = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
        guard fields.count == 6, fields[1] == "r-xp", fields[5].drop(while: { $0 == " " }) == own
        else { continue }
        let ends = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
        guard ends.count == 2, ends[0] < ends[1],
          let start = UnsafeMutableRawPointer(bitPattern: ends[0])
        else { continue }
        _ = madvise(start, Int(ends[1] - ends[0]), MADV_DONTNEED)
      }
    #endif
  }
}
