package import News
internal import Store
internal import Synchronization

/// What follows from whether there is a network: what the screen says, what waits, and what goes
/// again when it is back. No request that the reader asks for is refused for it.
extension FeedRepository {
  /// Follows the network until the task is cancelled or the sequence ends.
  package func follow(_ states: some AsyncSequence<Connectivity, Never> & Sendable) async {
    await withDiscardingTaskGroup { group in
      for await state in states {
        let before = status.withLock { $0.connectivity }
        await take(state)
        guard state.isRecovery(from: before) else { continue }
        group.addTask { await self.recover() }
      }
      group.cancelAll()
    }
  }

  /// Whether what nobody asked for is better left alone.
  nonisolated var savesData: Bool {
    settings.isLowData || status.withLock { $0.connectivity.isMetered }
  }

  private func take(_ state: Connectivity) async {
    let needsNetwork = await !feedsOnNetwork().isEmpty
    let time = now()
    status.withLock { status in
      status.connectivity = state
      if state.isOffline {
        // A reader of files and of this machine's own servers misses nothing.
        if needsNetwork, status.offlineSince == nil { status.offlineSince = time }
      } else {
        status.offlineSince = nil
      }
    }
    if !state.isOffline {
      sources.reopenAll()
      let waiting = networkWaiters
      networkWaiters = [:]
      for waiter in waiting.values { waiter.resume() }
    }
    store.announce()
  }

  /// What has failed for want of a network goes again, without a key: feeds, what waits in the outbox,
  /// and the older pages that did not come.
  private func recover() async {
    let failedOlder = status.withLock { status in
      status.olderErrors.filter(\.value.isConnectivity).map(\.key)
    }
    await withDiscardingTaskGroup { group in
      group.addTask { _ = try? await self.refresh(.recovered) }
      group.addTask { try? await self.deliverOutbox() }
      for id in failedOlder {
        group.addTask {
          guard let feed = try? await self.store.view({ try $0.feed(id) }) else { return }
          _ = try? await self.loadOlderPage(of: feed)
        }
      }
    }
  }

  private func feedsOnNetwork() async -> [Feed] {
    let feeds = (try? await store.view { try $0.feeds() }) ?? []
    return feeds.filter { $0.needsNetwork(loopbackToo: settings.isLoopbackRemote) }
  }

  // MARK: - Work in the background

  /// Returns when there is a network, or may be one, or when nobody waits any longer.
  ///
  /// - Parameter isGuessed: whether to return at once where there seems to be a network; else only
  ///   the next word of one ends the wait.
  func awaitNetwork(atMost limit: Duration, isGuessed: Bool = true) async {
    guard !isGuessed || status.withLock({ $0.connectivity.isOffline }) else { return }
    networkTickets += 1
    let ticket = networkTickets
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.waitForNetwork(ticket, isGuessed) }
      group.addTask {
        try? await Task.sleep(for: limit)
        await self.stopWaiting(ticket)
      }
      await group.next()
      group.cancelAll()
    }
  }

  private func waitForNetwork(_ ticket: Int, _ isGuessed: Bool) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if Task.isCancelled
          || isGuessed && !status.withLock({ $0.connectivity.isOffline })
        {
          continuation.resume()
        } else {
          networkWaiters[ticket] = continuation
        }
      }
    } onCancel: {
      Task { await self.stopWaiting(ticket) }
    }
  }

  private func stopWaiting(_ ticket: Int) {
    networkWaiters.removeValue(forKey: ticket)?.resume()
  }
}

extension Feed {
  /// Whether fetching it goes through a network: not for a file, and not for this machine's own
  /// servers.
  func needsNetwork(loopbackToo: Bool) -> Bool {
    isOnNetwork && (loopbackToo || !WebAddress.isLoopback(url))
  }
}
