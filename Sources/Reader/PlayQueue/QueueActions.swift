package import News

extension Action {
  package enum Queue: Hashable, Sendable {
    case arrived([QueuedFile])
    /// A file was put into the queue, or taken out of it, and how many wait.
    case changed(isAdded: Bool, count: Int)
  }
}

extension Effect {
  package enum Queue: Hashable, Sendable {
    /// Send snapshots of the queue, now and after each change.
    case observe
    case change(QueueChange)
    /// Put a file of an article into the queue or take it out, by its place from 0; with nil the only one that is
    /// played, or report those there are.
    case toggle(ArticleID, file: Int?)
    case play([Int64])

    package var id: EffectID? { self == .observe ? .queue : nil }
  }
}

extension Action.Queue {
  func reduce(_ state: inout ReaderState) -> [Effect] {
    switch self {
    case .arrived: return state.offer(.queue(self)) ?? []
    case .changed(let isAdded, let count):
      return state.notify(
        PlayQueueStrings.changed(isAdded: isAdded, count: count, show: state.key(.queue)))
    }
  }
}
