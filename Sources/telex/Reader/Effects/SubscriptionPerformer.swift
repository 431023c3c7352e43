internal import News
internal import Reader
internal import TelexKit

/// Changes feeds, folders and smart feeds. Their servers get the change in the background.
struct SubscriptionPerformer: EffectPerformer {
  nonisolated let context: EffectContext

  func perform(_ effect: Effect.Subscriptions) {
    switch effect {
    case .add(let address): start(effect.id, failure(of: address)) { try await add(address) }
    case .addFound(let link, let address):
      start(effect.id, failure(of: address)) {
        let added = try await FeedAddition(composition, at: address).add(oneOf: [link])
        return .subscriptions(
          .added(added.feed, isNew: added.isNew, foundAt: link.foundAt, address: address))
      }
    case .addToAccount(let address, let account):
      // The search is a task of its own; the subscription itself is queued with the other changes.
      start(effect.id, failure(of: address)) {
        let located = try await subscriptions.find(address, for: account)
        try Task.checkCancellation()
        await add(address, found: located, to: account)
        return nil
      }
    case .move(let id, let address, let isUserEntered):
      move(id, to: address, isUserEntered: isUserEntered)
    default: change { try await make(effect) }
    }
  }

  private nonisolated func make(_ effect: Effect.Subscriptions) async throws -> Action? {
    switch effect {
    case .rename(let id, let title):
      let renamed = try await subscriptions.rename(id, to: title)
      inbox.send(.subscriptions(.renamed(id, to: title)))
      if renamed.isTold { await deliver([renamed.feed], of: renamed.feed.account.id) }
    case .file(let ids, let folders):
      let feeds =
        ids.count == 1
        ? [try await subscriptions.file(ids[0], into: folders)]
        : try await subscriptions.file(ids, into: folders)
      inbox.send(.subscriptions(.filed(feeds)))
      guard feeds.contains(where: { $0.account.id != .local }) else { break }
      await deliver(feeds, of: feeds.count == 1 ? feeds[0].account.id : nil)
    case .transfer(let id, let account, let folders):
      var feed = try await subscriptions.transfer(id, to: account?.id ?? .local)
      inbox.send(.subscriptions(.transferred(id, feed)))
      if Set(feed.folders) != Set(folders) {
        feed = try await subscriptions.file(feed.id, into: folders)
        inbox.send(.subscriptions(.filed([feed])))
      }
      await deliver([feed], thenRefreshing: feed)
    case .moveFolder(let folder, let path):
      let count = try await subscriptions.move(folder, to: path)
      inbox.send(.subscriptions(.folderMoved(folder, to: path, feeds: count)))
      await deliver(filedIn: folder)
    case .removeFolder(let folder):
      let count = try await subscriptions.removeFolder(folder)
      inbox.send(.subscriptions(.folderMoved(folder, to: nil, feeds: count)))
      await deliver(filedIn: folder)
    case .addFolder(let path):
      return .subscriptions(.folderAdded(try await subscriptions.addFolder(path)))
    case .set(let ids, let setting, let text):
      return .subscriptions(.set(try await subscriptions.set([(setting, text)], of: ids)))
    case .readDefaults(let ids):
      let defaults = try subscriptions.defaults(
        of: ids, browser: Browser(composition.settings.screen).text)
      return .subscriptions(.defaultsRead(defaults, of: ids))
    case .remove(let ids, let title):
      // Their servers are told of it as of marks, after a while: `u` at once takes it back.
      let count = try await subscriptions.remove(ids)
      return .subscriptions(.removed(ids, title: title, count: count))
    case .merge(let id, let other):
      try await subscriptions.merge(id, into: other)
      return .subscriptions(.merged(id, into: other))
    case .saveSmartFeed(let name, let query): try await subscriptions.saveSmartFeed(name, query)
    case .renameSmartFeed(let id, let name): try await subscriptions.renameSmartFeed(id, to: name)
    case .removeSmartFeed(let id): try await subscriptions.removeSmartFeed(id)
    case .add, .addFound, .addToAccount, .move: break
    }
    return nil
  }

  private func failure(of address: String) -> @Sendable (SourceError) -> Action {
    { .subscriptions(.notAdded(address, $0)) }
  }

  private nonisolated func add(_ address: String) async throws -> Action {
    let addition = try FeedAddition(composition, at: address)
    let found: FoundFeeds
    do { found = try await addition.find() } catch {
      try Task.checkCancellation()
      guard let kept = try await addition.keep(after: error) else { throw error }
      return .subscriptions(.added(kept.feed, isNew: kept.isNew, address: address))
    }
    try Task.checkCancellation()
    switch found {
    case .feed(let located):
      let added = try await addition.add(located)
      return .subscriptions(
        .added(added.feed, isNew: added.isNew, foundAt: located.foundAt, address: address))
    case .choice(let links): return .subscriptions(.found(address, links))
    }
  }

  private func add(_ address: String, found located: LocatedFeed?, to account: Account) {
    change(failure(of: address)) {
      let added = try await subscriptions.add(address, found: located, to: account)
      inbox.send(.subscriptions(.added(added.feed, isNew: added.isNew, address: address)))
      await deliver(to: account.id, thenRefreshing: added.feed) { [url = added.feed.url] in
        $0.url == url
      }
      return nil
    }
  }

  private func move(_ id: FeedID, to address: String, isUserEntered: Bool) {
    let failure: @Sendable (SourceError) -> Action = {
      .subscriptions(.notMoved(id, to: address, $0))
    }
    let moved = Action.subscriptions(.moved(id, to: address))
    let search = EffectID.subscriptions(.move(id))
    guard isUserEntered else {
      scheduler.cancel(search)
      return change(failure) {
        try await subscriptions.move(id, to: address)
        return moved
      }
    }
    // The search is a task of its own; the move itself is queued with the other changes.
    start(search, failure) {
      let place = try await subscriptions.newPlace(of: id, at: address)
      try Task.checkCancellation()
      await change(failure) {
        try await subscriptions.move(id, to: place)
        return moved
      }
      return nil
    }
  }

  private func deliver(
    _ feeds: [Feed], of account: AccountID? = nil, thenRefreshing feed: Feed? = nil
  ) {
    let urls = Set(feeds.map(\.url))
    deliver(to: account, thenRefreshing: feed) { urls.contains($0.url) }
  }

  /// Sends changes of the feeds of a folder.
  private func deliver(filedIn folder: FolderID) {
    guard folder.account != .local else { return }
    deliver(to: folder.account) { if case .file = $0.kind { true } else { false } }
  }
}
