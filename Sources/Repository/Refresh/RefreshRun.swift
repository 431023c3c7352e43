internal import Foundation
package import News
internal import Store

/// What a refresh came to.
package struct RefreshReport: Hashable, Sendable {
  package struct Outcome: Hashable, Sendable {
    package var feed: Feed
    package var inserted: Int
    package var updated: Int
    package var isUnchanged: Bool
    package var warnings: [String]
    package var error: SourceError?
    /// Another process was fetching the feed already and has done it; what it found is in the
    /// store, and how much of it is new is not known here.
    package var isByAnother = false
  }

  /// In the order in which they were done.
  package var outcomes: [Outcome] = []

  /// Whether it was cancelled before all was done.
  package internal(set) var isCut = false

  package init() {}

  package var inserted: Int { outcomes.reduce(0) { $0 + $1.inserted } }
  package var failed: [Outcome] { outcomes.filter { $0.error != nil } }
}

/// A refresh under way, which later wishes can join.
struct RefreshRun {
  let id = UUID()
  var queue: RefreshQueue
  /// Everything the run has been asked for.
  var members: Set<FeedID> = []
  var report = RefreshReport()
  /// Wishes that are being taken in: the run does not end before them.
  var arriving = 0
  /// Feeds that other processes have claimed.
  var claimedByOthers: [Feed] = []
  /// Owns this run's claims, once there are any.
  var claimant: Claimant?
  /// Those who wait for the end besides the one who began.
  var waiters: [CheckedContinuation<RefreshReport, Never>] = []
  /// Tells the run that something has arrived.
  let bell: AsyncStream<Void>.Continuation
  let rings: AsyncStream<Void>

  init(concurrent: Int, perHost: Int) {
    queue = RefreshQueue(concurrent: concurrent, perHost: perHost)
    (rings, bell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Whether all that was asked for has been done.
  var isDone: Bool { queue.isEmpty && arriving == 0 && claimedByOthers.isEmpty }
}
