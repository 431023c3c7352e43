internal import Foundation
internal import News
internal import Store
internal import Synchronization
internal import Text

/// Whether there is a network: by the word of the machine, and by what requests have met. What nobody
/// asked for waits for it here; no request of the user's is refused for it.
actor NetworkState {
  struct Status: Sendable {
    /// What the machine says of its network.
    var connectivity = Connectivity.unknown
    var offlineSince: Date?
  }

  private let context: RepositoryContext
  nonisolated let status = Mutex(Status())

  /// Those who wait for a network, by their tickets.
  private(set) var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
  private var tickets = 0

  init(_ context: RepositoryContext) { self.context = context }

  /// Whether the machine says that it has no network.
  nonisolated var isOffline: Bool { status.withLock { $0.connectivity.isOffline } }

  /// Takes the machine's word.
  ///
  /// - Returns: whether the network is back, or another one.
  func take(_ connectivity: Connectivity) async -> Bool {
    let before = status.withLock { $0.connectivity }
    let needsNetwork = await !context.feedsOnNetwork().isEmpty
    let time = context.now()
    status.withLock { status in
      status.connectivity = connectivity
      if connectivity.isOffline {
        // Who reads files and this machine's own servers misses nothing.
        if needsNetwork, status.offlineSince == nil { status.offlineSince = time }
      } else {
        status.offlineSince = nil
      }
    }
    if !connectivity.isOffline {
      context.sources.reopenAll()
      let waiting = waiters
      waiters = [:]
      for waiter in waiting.values { waiter.resume() }
    }
    context.store.announce()
    return connectivity.isRecovery(from: before)
  }

  /// Offline is what it looks like: several hosts were tried, or all feeds there are, and none could
  /// be reached. One that is down among others says nothing. The first answer of any server ends it.
  ///
  /// - Parameter total: how many feeds there are, where all that was asked for is done.
  nonisolated func note(_ report: RefreshReport, of total: Int? = nil) {
    // Where the machine says that it has no network, its own servers prove nothing; and one that was
    // not asked says nothing either.
    let isLoopbackRemote = context.settings.isLoopbackRemote || !isOffline
    let tried = report.outcomes.filter { outcome in
      outcome.error?.kind != .paused && outcome.feed.needsNetwork(loopbackToo: isLoopbackRemote)
    }
    guard !tried.isEmpty else { return }
    // A proxy that fails is told as such, and says nothing of the network.
    let isOffline = tried.allSatisfy {
      $0.error?.isConnectivity == true && $0.error?.kind != .proxy
    }
    let hosts = Set(tried.compactMap { WebAddress.host(of: $0.feed.url) })
    let isTelling = hosts.count >= 3 || total.map { tried.count >= $0 } == true
    let time = context.now()
    status.withLock { status in
      if !isOffline {
        status.offlineSince = nil
      } else if status.offlineSince == nil, isTelling {
        status.offlineSince = time
      }
    }
  }

  /// A server has answered.
  nonisolated func noteAnswer() { status.withLock { $0.offlineSince = nil } }

  /// Returns when there is a network, or may be one, or when nobody waits any longer.
  ///
  /// - Parameter isGuessed: whether to return at once where there seems to be a network; else only
  ///   the next word of one ends the wait.
  func wait(atMost limit: Duration, isGuessed: Bool = true) async {
    guard !isGuessed || isOffline else { return }
    tickets += 1
    let ticket = tickets
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.wait(ticket, isGuessed) }
      group.addTask {
        try? await Task.sleep(for: limit)
        await self.stopWaiting(ticket)
      }
      await group.next()
      group.cancelAll()
    }
  }

  private func wait(_ ticket: Int, _ isGuessed: Bool) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if Task.isCancelled || isGuessed && !isOffline {
          continuation.resume()
        } else {
          waiters[ticket] = continuation
        }
      }
    } onCancel: {
      Task { await self.stopWaiting(ticket) }
    }
  }

  private func stopWaiting(_ ticket: Int) {
    waiters.removeValue(forKey: ticket)?.resume()
  }
}
