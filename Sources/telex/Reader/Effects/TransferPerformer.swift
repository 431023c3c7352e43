internal import News
internal import Reader
internal import TelexKit

/// Starts and changes downloads.
struct TransferPerformer: EffectPerformer {
  nonisolated let context: EffectContext

  func perform(_ effect: Effect.Transfers) {
    switch effect {
    case .download(let id, let file):
      change {
        let article = try await articles.existing(id)
        let files = try article.existingFiles()
        guard let file = file ?? (files.count < 2 ? 0 : nil) else {
          return .opening(.filesFound(id, title: article.shownTitle, files))
        }
        return .transfers(.asked(try transfers.download(article, file: file)))
      }
    case .change(let ids, let change):
      write { try transfers.change(ids, change) }
    case .clear:
      write { _ = try transfers.clear() }
    }
  }

  /// Continues downloads of earlier processes, and reports the state of all, and the end of each
  /// once. An unreadable list is reported once, and read again.
  func observe() async {
    var isAdopted = false
    await follow(
      pause: .seconds(10),
      {
        if !isAdopted { try transfers.adopt() }
        isAdopted = true
        return transfers.snapshots()
      }, fail: { inbox.send(.failed($0)) }
    ) { snapshot in
      inbox.send(.transfers(.arrived(snapshot)))
      let ended = try transfers.reportEnded()
      if !ended.isEmpty { inbox.send(.transfers(.ended(ended))) }
    }
  }
}
