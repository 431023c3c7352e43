internal import News
internal import Synchronization

/// Live events that were received and not handled yet.
final class PendingNews: Sendable {
  struct Burst: Sendable {
    var added: Set<String> = []
    var updated: Set<String> = []
    /// Articles with changed comments.
    var commented: Set<String> = []
    /// Whether the newest page has to be fetched, because events were missed or are too many.
    var isMissed = false
    var lastEventID: String?

    var isEmpty: Bool {
      added.isEmpty && updated.isEmpty && commented.isEmpty && !isMissed && lastEventID == nil
    }
  }

  /// Pending events of a kind at most; where there are more, only the newest page is fetched.
  private static let most = 500

  let rings: AsyncStream<Void>
  private let bell: AsyncStream<Void>.Continuation
  private let burst = Mutex(Burst())

  init() { (rings, bell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

  func add(_ change: LiveChange, eventID: String?) {
    burst.withLock { burst in
      switch change {
      case .added(let entry): burst.added.insert(entry)
      case .updated(let entry): burst.updated.insert(entry)
      case .missed: burst.isMissed = true
      // A cached article stays, whatever its server removes.
      case .removed(let entry):
        burst.added.remove(entry)
        burst.updated.remove(entry)
      case .commented(let entry):
        if burst.commented.count < Self.most { burst.commented.insert(entry) }
      }
      if burst.added.count > Self.most || burst.updated.count > Self.most {
        burst.added = []
        burst.updated = []
        burst.isMissed = true
      }
      if let eventID, !eventID.isEmpty { burst.lastEventID = eventID }
    }
    bell.yield()
  }

  /// Adds the commented articles of a burst.
  func add(commentsOf news: Burst) {
    if news.isMissed { add(.missed, eventID: nil) }
    for entry in news.commented { add(.commented(entry: entry), eventID: nil) }
  }

  func removeAll() -> Burst {
    burst.withLock { burst in
      defer { burst = Burst() }
      return burst
    }
  }

  func finish() { bell.finish() }
}
