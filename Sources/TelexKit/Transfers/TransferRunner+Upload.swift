internal import HTTP
internal import News
internal import Services
internal import Store
internal import Synchronization

extension TransferRunner {
  /// Sends a file and its comment. The state is in the book before each request, for the next
  /// process.
  ///
  /// - Returns: the path of the file.
  func send(_ upload: TransferBook.Upload, of job: TransferBook.Job) async throws -> String {
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
  func note(_ bytes: Int64, of total: Int64?, in id: Int64) {
    live.state.withLock { state in
      let now = ContinuousClock.now
      state.meters[id, default: TransferMeter(bytes: bytes, at: now)].note(bytes, at: now)
      state.totals[id] = total
      state.retries[id] = nil
    }
  }

  /// Waits as long as the bound on the rate demands.
  func keepPace(after bytes: Int) async throws {
    let wait = live.state.withLock { $0.pace?.wait(after: bytes, at: .now) }
    if let wait, wait > .zero { try await Task.sleep(for: wait) }
  }
}
