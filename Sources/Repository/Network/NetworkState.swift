internal import Foundation
internal import News
internal import Store
internal import Synchronization
internal import Text

/// State of the network, from the choice of the user, what the system reports and the outcome of requests. Automatic
/// requests wait here for a network; those of the user are sent unless they have turned the network off.
actor NetworkState {
  struct Status: Sendable {
    /// As the system reports it.
    var connectivity = Connectivity.unknown
    var isOfflineByChoice = false
    var offlineSince: Date?

    var isOffline: Bool { isOfflineByChoice || connectivity.isOffline }

    /// Whether the network is back after `earlier`.
    fileprivate func isRecovery(from earlier: Status) -> Bool {
      guard !isOffline else { return false }
      return earlier.isOfflineByChoice || connectivity.isRecovery(from: earlier.connectivity)
    }
  }

  private let context: RepositoryContext
  nonisolated let status: Mutex<Status>
  /// An element for each return of the network.
  nonisolated let returns: AsyncStream<Void>
  private nonisolated let returned: AsyncStream<Void>.Continuation

  /// Tasks that wait for a network, by their tickets.
  private(set) var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
  private var tickets = 0

  init(_ context: RepositoryContext) {
    self.context = context
    let isOffline = context.settings.isOffline
    status = Mutex(
      Status(isOfflineByChoice: isOffline, offlineSince: isOffline ? context.now() : nil))
    (returns, returned) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  nonisolated var isOffline: Bool { status.withLock { $0.isOffline } }

  nonisolated var isOfflineByChoice: Bool { status.withLock { $0.isOfflineByChoice } }

  /// Whether automatic requests are avoided.
  nonisolated var savesData: Bool {
    context.settings.isLowData || status.withLock { $0.connectivity.isMetered }
  }

  func receive(_ connectivity: Connectivity) async {
    await change { $0.connectivity = connectivity }
  }

  /// Turns the network off or on by the choice of the user.
  func setOffline(_ isOffline: Bool) async { await change { $0.isOfflineByChoice = isOffline } }

  private func change(_ change: (inout Status) -> Void) async {
    let (before, after) = status.withLock { status in
      let before = status
      change(&status)
      return (before, status)
    }
    // Files and servers of this machine need no network.
    let shows =
      if after.isOfflineByChoice { true } else if after.isOffline {
        await !context.feedsOnNetwork().isEmpty
      } else { false }
    let time = context.now()
    status.withLock { status in
      if !status.isOffline {
        status.offlineSince = nil
      } else if shows, status.offlineSince == nil {
        status.offlineSince = time
      }
    }
    if !after.isOffline {
      context.sources.reopenAll()
      let waiting = waiters
      waiters = [:]
      for waiter in waiting.values { waiter.resume() }
    }
    context.store.announce()
    if after.isRecovery(from: before) { returned.yield() }
  }

  /// Concludes from a refresh whether this machine is offline: when none of several hosts, or of all
  /// feeds, could be reached. A single host that is down says nothing. The first answer of any server
  /// ends it.
  ///
  /// - Parameter total: the number of feeds on the network; nil while the refresh is still running.
  nonisolated func note(_ report: RefreshReport, of total: Int? = nil) {
    // While the system reports no network, servers of this machine do not count; nor do hosts that
    // were not asked because of a pause.
    let isLoopbackRemote = context.settings.isLoopbackRemote || !isOffline
    let tried = report.outcomes.filter { outcome in
      outcome.error?.kind != .paused && outcome.feed.needsNetwork(loopbackToo: isLoopbackRemote)
    }
    guard !tried.isEmpty else { return }
    // A failing proxy is reported as such, and says nothing about the network.
    let isOffline = tried.allSatisfy {
      $0.error?.isConnectivity == true && $0.error?.kind != .proxy
    }
    let hosts = Set(tried.compactMap { WebAddress.host(of: $0.feed.url) })
    let isTelling = hosts.count >= 3 || total.map { tried.count >= $0 } == true
    let time = context.now()
    status.withLock { status in
      if status.isOfflineByChoice { return }
      if !isOffline {
        status.offlineSince = nil
      } else if status.offlineSince == nil, isTelling {
        status.offlineSince = time
      }
    }
  }

  nonisolated func noteAnswer() {
    status.withLock { if !$0.isOfflineByChoice { $0.offlineSince = nil } }
  }

  /// Waits for a network, until the limit or the cancellation of the task.
  ///
  /// - Parameter isGuessed: whether to return at once unless the system reports that there is none; else
  ///   only its next report of a network ends the wait.
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
