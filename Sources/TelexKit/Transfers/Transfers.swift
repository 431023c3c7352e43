internal import Foundation
internal import HTTP
package import News
internal import Services
internal import Store
internal import Text

/// Use cases of downloads, which a process of their own performs (`HelperProcess`). Every change is
/// in the book of the store before it returns.
package struct Transfers: Sendable {
  private let composition: Composition
  let book: TransferBook

  package init(_ composition: Composition) {
    self.composition = composition
    book = TransferBook(folder: composition.store.folder + "/transfers")
  }

  // MARK: Asking

  /// Downloads a file of an article, or resumes its download.
  ///
  /// - Parameter file: the index of the file.
  /// - Throws: `SourceError` of stage `.arguments` where there is no such file.
  @discardableResult
  package func download(_ article: Article, file: Int) throws -> Transfer {
    guard article.entry.enclosures.indices.contains(file) else {
      throw SourceError.argument(
        "\(article.id.rawValue)",
        article.entry.enclosures.isEmpty
          ? "this article has no file" : "this article has no file \(file + 1)",
        next: article.entry.enclosures.isEmpty
          ? nil : "telex show --json lists the files of an article")
    }
    let id = try book.edit { book in
      Self.add(article.entry.enclosures[file], of: article, to: &book, isAutomatic: false)
    }
    return try started(id)
  }

  /// - Returns: the number of the download.
  static func add(
    _ file: Enclosure, of article: Article, to book: inout TransferBook.Contents,
    isAutomatic: Bool
  ) -> Int64 {
    let digest = Self.digest(file.url)
    if let index = book.jobs.lastIndex(where: {
      $0.article == article.id && $0.addressDigest == digest && $0.upload == nil
    }) {
      let known = book.jobs[index]
      if isAutomatic { return known.id }
      if known.state != .done {
        book.jobs[index].retry()
        book.jobs[index].isAutomatic = false
        return known.id
      }
    }
    book.lastID += 1
    let entry = article.entry
    book.jobs.append(
      TransferBook.Job(
        id: book.lastID, article: article.id, feed: article.feedID,
        title: entry.title ?? file.title ?? "", feedTitle: article.feedTitle,
        address: WebAddress.redacted(file.url), addressDigest: digest, type: file.type,
        published: entry.published ?? entry.updated, state: .waiting, created: Date(),
        isAutomatic: isAutomatic))
    return book.lastID
  }

  /// Sends a file to the server of an article's feed, as an attachment to a comment, or resumes
  /// that.
  ///
  /// - Parameters:
  ///   - path: absolute. A file that changes before it is sent starts over.
  ///   - text: of the comment.
  /// - Throws: `SourceError` of stage `.arguments` where there is no such file, or the server takes
  ///   none.
  package func upload(_ path: String, to article: Article, text: String) throws -> Transfer {
    let feed = try composition.store.viewNow { try $0.feeds.feed(article.feedID) }
    guard let feed, AttachmentUpload(composition.sources, to: feed) != nil else {
      throw SourceError.argument(
        feed?.displayTitle ?? "\(article.id.rawValue)", "the server of this feed takes no files",
        next: "files go to comments at a Feed API")
    }
    do {
      try UploadFile(path).close()
    } catch let error as HTTPError {
      throw SourceError(.file, stage: .arguments, subject: path, message: error.message)
    }
    let id = try book.edit { book -> Int64 in
      if let index = book.jobs.lastIndex(where: {
        $0.article == article.id && $0.state != .done && $0.upload?.path == path
          && $0.upload?.text == text
      }) {
        book.jobs[index].retry()
        return book.jobs[index].id
      }
      book.lastID += 1
      book.jobs.append(
        TransferBook.Job(
          id: book.lastID, article: article.id, feed: article.feedID,
          title: article.entry.title ?? "", feedTitle: article.feedTitle,
          address: WebAddress.redacted(feed.url), addressDigest: Self.digest(feed.url),
          state: .waiting, created: Date(),
          upload: TransferBook.Upload(path: path, text: text)))
      return book.lastID
    }
    return try started(id)
  }

  private func started(_ id: Int64) throws -> Transfer {
    try startHelper()
    guard let transfer = try list().first(where: { $0.id == id }) else { throw Self.missing(id) }
    return transfer
  }

  /// Digest of an address that is not written down.
  static func digest(_ url: String) -> Int64 {
    var digest = StableDigest()
    digest.add(url)
    return digest.stored
  }

  // MARK: Looking

  /// All downloads in their order, those that have ended included.
  package func list() throws -> [Transfer] {
    let contents = try book.readAnyway()
    guard !contents.jobs.isEmpty else { return [] }
    let isRunning = HelperLock(book).isHeld
    let progress = isRunning ? book.progress() : TransferProgress()
    return contents.jobs.map { $0.transfer(progress.entries["\($0.id)"]) }
  }

  /// The downloaded file of an article; nil where it is missing or incomplete.
  ///
  /// - Throws: as `list`.
  package func path(of file: Enclosure, of article: ArticleID) throws -> String? {
    let digest = Self.digest(file.url)
    let jobs = try book.readAnyway().jobs.filter {
      $0.article == article && $0.addressDigest == digest && $0.upload == nil && $0.state == .done
    }
    return jobs.lazy.compactMap { $0.transfer(nil).path }.last(
      where: FileManager.default.fileExists)
  }

  package func snapshots() -> TransferSnapshots { TransferSnapshots(self) }

  /// Follows a download until it ends, is stopped, or waits for longer than a moment.
  ///
  /// - Parameter progress: called about four times a second, and at the end.
  /// - Returns: the download; nil where it was dropped.
  package func follow(
    _ id: Int64, progress: @Sendable (Transfer) -> Void
  ) async throws -> Transfer? {
    var starts = 0
    var idleSince: ContinuousClock.Instant?
    while true {
      guard let transfer = try list().first(where: { $0.id == id }) else { return nil }
      progress(transfer)
      switch transfer.state {
      case .done, .failed, .paused: return transfer
      case .waiting, .running: if composition.isOffline { return transfer }
      }
      if transfer.error?.kind == .paused, transfer.nextAttempt == nil { return transfer }
      if let next = transfer.nextAttempt, next.timeIntervalSinceNow > 5 { return transfer }
      // The helper was ended: another takes its place.
      if HelperLock(book).isHeld {
        idleSince = nil
      } else if let idleSince, idleSince.duration(to: .now) > .seconds(2) {
        guard starts < 10 else { return transfer }
        starts += 1
        try startHelper()
      } else {
        idleSince = idleSince ?? .now
      }
      try await Task.sleep(for: .milliseconds(transfer.state == .running ? 50 : 20))
    }
  }

  // MARK: Changing

  /// Changes downloads; none where one of them does not exist.
  ///
  /// - Throws: `SourceError` of stage `.arguments` at the first unknown number.
  package func change(_ ids: [Int64], _ change: Transfer.Change) throws {
    let parts = try book.edit { book -> [String] in
      for id in ids where book[id] == nil { throw Self.missing(id) }
      if change == .up || change == .down {
        book.jobs.shift(by: change == .up ? -1 : 1) { ids.contains($0.id) }
      }
      return ids.compactMap { book.apply(change, to: $0) }
    }
    for part in parts { unlink(part) }
    if case .resume = change { try startHelper() }
  }

  /// Removes finished downloads from the list; their files stay.
  ///
  /// - Returns: how many there were.
  package func clear() throws -> Int {
    try book.edit { book in
      let count = book.jobs.count
      book.jobs.removeAll { $0.state == .done }
      return count - book.jobs.count
    }
  }

  // MARK: A start of a program

  /// Resumes downloads of an earlier process: waiting ones, and those that failed without a
  /// connection.
  package func adopt() throws {
    guard !composition.isOffline else { return }
    guard FileManager.default.fileExists(atPath: book.folder) else { return }
    let contents = try book.readAnyway()
    if contents.jobs.contains(where: \.waitsForNetwork) {
      try book.edit { book in
        for index in book.jobs.indices where book.jobs[index].waitsForNetwork {
          book.jobs[index].retry()
        }
      }
    } else if !contents.jobs.contains(where: { $0.state == .waiting }) {
      return
    }
    try startHelper()
  }

  /// The downloads that have ended since the last call of any process.
  package func reportEnded() throws -> [Transfer] {
    let isNew = { @Sendable (job: TransferBook.Job) in
      !job.isReported && (job.state == .done || job.state == .failed)
    }
    guard try book.readAnyway().jobs.contains(where: isNew) else { return [] }
    return try book.edit { book in
      var taken: [Transfer] = []
      for index in book.jobs.indices where isNew(book.jobs[index]) {
        book.jobs[index].isReported = true
        taken.append(book.jobs[index].transfer(nil))
      }
      return taken
    }
  }

  /// Marks the end of a download as told.
  package func noteReported(_ id: Int64) throws {
    try book.edit { $0[id]?.isReported = true }
  }

  /// Lets all transfers wait until the next start of the helper.
  func hold() throws {
    guard FileManager.default.fileExists(atPath: book.folder) else { return }
    try book.edit { $0.isHeld = true }
  }

  func startHelper() throws {
    guard !composition.isOffline else { return }
    if try book.readAnyway().isHeld != nil { try book.edit { $0.isHeld = nil } }
    // One that is there looks at the book once more before it ends, in one step with letting the lock go:
    // it sees what was added before this line.
    guard let helper = composition.helper, !HelperLock(book).isHeld else { return }
    try helper.start()
  }

  private static func missing(_ id: Int64) -> SourceError {
    SourceError(
      .store, stage: .arguments, subject: "\(id)", message: "there is no such download",
      next: "telex transfers prints the numbers")
  }
}

extension TransferBook.Contents {
  /// - Returns: the path of a part to be removed.
  fileprivate mutating func apply(_ change: Transfer.Change, to id: Int64) -> String? {
    guard let index = jobs.firstIndex(where: { $0.id == id }) else { return nil }
    switch change {
    case .pause: if jobs[index].state == .waiting { jobs[index].state = .paused }
    case .resume:
      if jobs[index].state != .done {
        jobs[index].retry()
        jobs[index].evenMetered = true
      }
    case .cancel: return jobs.remove(at: index).part
    // All of them are moved before.
    case .up, .down: break
    case .first: jobs.insert(jobs.remove(at: index), at: 0)
    case .last: jobs.append(jobs.remove(at: index))
    }
    return nil
  }
}

extension TransferBook.Job {
  /// Waits for its turn again.
  mutating func retry() {
    state = .waiting
    error = nil
    nextAttempt = nil
    ended = nil
    isReported = false
  }

  /// Whether it has failed, and nobody but the settings asked for it.
  var hasFailedUnasked: Bool { state == .failed && isAutomatic }

  var waitsForNetwork: Bool { state == .failed && error?.isConnectivity == true }

  /// The download as it is shown.
  ///
  /// - Parameter live: its running state; nil where it does not run.
  func transfer(_ live: TransferProgress.Entry?) -> Transfer {
    let isRunning = live != nil && state == .waiting
    if let upload { return self.transfer(upload, isRunning ? live : nil) }
    let size = part.flatMap(StoredFile.size(of:))
    return Transfer(
      id: id, article: article, title: title, feedTitle: feedTitle, address: address,
      state: isRunning ? .running : state,
      bytes: (isRunning ? live?.bytes : nil) ?? size ?? (state == .done ? version.total ?? 0 : 0),
      total: version.total ?? (isRunning ? live?.total : nil),
      rate: isRunning ? live?.rate : nil, path: target, error: error,
      nextAttempt: (isRunning ? live?.retry : nil) ?? nextAttempt, created: created, ended: ended,
      isAutomatic: isAutomatic)
  }

  private func transfer(_ upload: TransferBook.Upload, _ live: TransferProgress.Entry?) -> Transfer
  {
    let sent = upload.state?.sent ?? 0
    return Transfer(
      id: id, article: article, title: title, feedTitle: feedTitle, address: address,
      state: live == nil ? state : .running, bytes: live?.bytes ?? sent,
      total: upload.state?.version.size ?? live?.total, rate: live?.rate, path: upload.path,
      error: error, nextAttempt: live?.retry ?? nextAttempt, created: created, ended: ended,
      isUpload: true)
  }
}
