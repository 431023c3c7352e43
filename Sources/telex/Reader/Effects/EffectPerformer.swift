internal import News
internal import Reader
internal import TelexKit

/// Means that performers share.
struct EffectContext: Sendable {
  let composition: Composition
  let transfers: Transfers
  let inbox: Inbox
  let place: ReaderPlace
  let scheduler: EffectScheduler<EffectID>
  unowned let program: any ProgramControl
}

/// Performer of the effects of one capability.
@MainActor
protocol EffectPerformer: Sendable {
  nonisolated var context: EffectContext { get }
}

extension EffectPerformer {
  nonisolated var composition: Composition { context.composition }
  nonisolated var inbox: Inbox { context.inbox }
  nonisolated var place: ReaderPlace {
    var place = context.place
    place.isOffline = composition.isOffline
    return place
  }
  nonisolated var articles: Articles { Articles(composition) }
  nonisolated var subscriptions: Subscriptions { Subscriptions(composition) }
  nonisolated var snapshots: LiveSnapshots { LiveSnapshots(composition) }
  nonisolated var transfers: Transfers { context.transfers }
  var scheduler: EffectScheduler<EffectID> { context.scheduler }

  /// Starts work that ends with an action.
  ///
  /// - Parameter failure: makes the action for a failure.
  func start(
    _ id: EffectID? = nil, _ failure: @escaping @Sendable (SourceError) -> Action = Action.failed,
    _ work: @escaping @Sendable () async throws -> Action?
  ) {
    scheduler.start(id) { [inbox] in await inbox.report(failure, work) }
  }

  /// Makes a change that ends with an action.
  ///
  /// - Parameter failure: makes the action for a failure.
  func change(
    _ failure: @escaping @Sendable (SourceError) -> Action = Action.failed,
    _ work: @escaping @Sendable () async throws -> Action?
  ) {
    scheduler.change { [inbox] in await inbox.report(failure, work) }
  }

  /// Makes a change that ends without an action.
  func write(_ work: @escaping @Sendable () async throws -> Void) {
    change {
      try await work()
      return nil
    }
  }

  /// Starts what runs until the end, once the first screen is drawn: libraries are loaded and sockets opened after what
  /// the user waits for.
  func observe(priority: TaskPriority? = nil, _ work: @escaping @Sendable () async -> Void) {
    scheduler.observe(priority: priority) {
      try? await Task.sleep(for: Self.firstScreen)
      await work()
    }
  }

  nonisolated static var firstScreen: Duration { .milliseconds(150) }

  /// Sends changes in the background, and says which could not be sent.
  ///
  /// - Parameters:
  ///   - account: whose server gets its changes; nil for all.
  ///   - feed: whose articles come from its server now; nil for none.
  ///   - isMeant: whether a change is one that the user has just made.
  func deliver(
    to account: AccountID? = nil, thenRefreshing feed: Feed? = nil,
    _ isMeant: @escaping @Sendable (SubscriptionChange) -> Bool = { _ in false }
  ) {
    scheduler.startErrand { [inbox, composition, subscriptions] in
      guard let waiting = try? await subscriptions.deliver(to: account.map { [$0] }) else { return }
      let left = waiting.last { change in
        if case .subscription(let change) = change.kind { isMeant(change) } else { false }
      }
      if let left {
        inbox.send(.subscriptions(.waits(left)))
      } else if let feed {
        _ = try? await FeedRefresh(composition).run([feed.id])
      }
    }
  }
}

extension Inbox {
  /// Does some work, and sends the action it ends with or one for its failure; neither once the work is cancelled.
  func report(
    _ failure: (SourceError) -> Action = Action.failed, _ work: () async throws -> Action?
  ) async {
    do {
      let action = try await work()
      if let action, !Task.isCancelled { send(action) }
    } catch is CancellationError {
    } catch {
      if !Task.isCancelled { send(failure(SourceError(describing: error))) }
    }
  }
}
