internal import News
internal import Reader
internal import TelexKit

/// Changes and plays the queue.
struct QueuePerformer: EffectPerformer {
  nonisolated let context: EffectContext

  func perform(_ effect: Effect.Queue) {
    let queue = PlayQueue(composition)
    switch effect {
    case .observe:
      scheduler.start(effect.id) {
        await inbox.follow(queue.snapshots) { inbox.send(.queue(.arrived($0))) }
      }
    case .change(let change):
      self.write { try await queue.change(change) }
    case .toggle(let id, let file):
      change { try await toggle(file, of: id, in: queue) }
    case .play(let ids):
      start {
        let all = try queue.files()
        let files = ids.compactMap { id in all.first { $0.id == id } }
        let paths = try files.map { try transfers.path(of: $0.file, of: $0.article) }
        return try await play(files, at: paths)
      }
    }
  }

  private nonisolated func toggle(_ file: Int?, of id: ArticleID, in queue: PlayQueue) async throws
    -> Action
  {
    let article = try await articles.existing(id)
    let files = article.entry.enclosures.filter { FileOpener.isPlayed($0) }
    guard !files.isEmpty else {
      throw SourceError.missing("this article has nothing to play")
    }
    guard
      let file = file.map({ files.indices.contains($0) ? $0 : 0 }) ?? (files.count == 1 ? 0 : nil)
    else { return .opening(.filesFound(id, title: article.shownTitle, files, for: .queue)) }
    let (count, isAdded) = try await queue.toggle(files[file].url, of: id)
    return .queue(.changed(isAdded: isAdded, count: count))
  }

  /// Plays files of the queue in turn: mpv resumes each at its position, and files played to their
  /// end leave the queue.
  private func play(_ files: [QueuedFile], at paths: [String?]) throws -> Action? {
    guard let first = files.first else { return nil }
    let list = try place.opener.playlist(of: zip(files.map(\.file), paths).map { ($0, $1) })
    var arguments = list.player + list.targets
    if let link = PlayerLink(to: list.player) {
      arguments = link.arguments(
        list.player, playing: Array(zip(list.targets, files.map(\.playback))))
      link.follow { index, playback in
        guard files.indices.contains(index) else { return }
        let file = files[index]
        Task { @MainActor in keep(playback, of: file.file.url, in: file.article) }
      }
    }
    try context.program.run(arguments, usesTerminal: list.usesTerminal)
    return .opening(.fileOpened(first.title))
  }
}

extension EffectPerformer {
  /// Stores the position in a file.
  func keep(_ playback: Playback, of url: String, in id: ArticleID) {
    write { try await articles.keepPlayback(playback, of: url, in: id) }
  }
}

extension ProgramControl {
  /// Runs the program that opens a file.
  func run(_ arguments: [String], usesTerminal: Bool) throws {
    guard usesTerminal else { return try FileOpener.run(arguments, usesTerminal: false) }
    try lendTerminal { try FileOpener.run(arguments, usesTerminal: true, stop: $0) }
  }
}
