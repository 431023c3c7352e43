internal import Foundation
package import News
internal import Repository
internal import Services
internal import Store
internal import Text

/// Use case: applying a list to the subscriptions. Each change is undoable (`Articles.undo`); a
/// failed one does not stop the others.
package struct SubscriptionListing: Sendable {
  private let composition: Composition
  private let subscriptions: Subscriptions

  package init(_ composition: Composition) {
    self.composition = composition
    subscriptions = Subscriptions(composition)
  }

  package struct Report: Sendable {
    package internal(set) var done: [SubscriptionListChange] = []
    /// Changes that were not made, or not as a whole.
    package internal(set) var failed: [(change: SubscriptionListChange, error: SourceError)] = []
    /// Feeds that were subscribed, and could not be fetched: a refresh tries again.
    package internal(set) var unfetched: [(feed: Feed, error: SourceError)] = []
    /// What the servers of accounts are not told yet.
    package internal(set) var waiting: [WaitingChange] = []

    package init() {}
  }

  /// Requests to new feeds that run at once.
  private static let requests = 8

  /// Makes changes: of existing feeds, then additions, which need the network, then removals. A
  /// feed that an addition leads to is not removed: it has another address in the list.
  ///
  /// - Throws: `CancellationError`; earlier changes are made.
  package func run(_ changes: [SubscriptionListChange]) async throws -> Report {
    var report = Report()
    func perform(_ change: SubscriptionListChange) async throws {
      do {
        if let id = change.before?.id {
          if change.isRemoval {
            try await subscriptions.remove(id)
          } else {
            try await make(change, for: id)
          }
        }
        report.done.append(change)
      } catch let error as SourceError { report.failed.append((change, error)) }
    }
    for change in changes where !change.isAddition && !change.isRemoval {
      try await perform(change)
    }
    let present = try await add(changes.filter(\.isAddition), &report)
    for change in changes where change.isRemoval {
      if let id = change.before?.id, present.contains(id) { continue }
      try await perform(change)
    }
    if changes.contains(where: { $0.before?.owner != nil || $0.after?.owner != nil }) {
      report.waiting = try await subscriptions.deliver()
    }
    return report
  }

  // MARK: Changes of a subscription

  private func make(_ change: SubscriptionListChange, for number: FeedID) async throws {
    var id = number
    var feed = try subscriptions.feed(named: "\(id.rawValue)")
    var values: [(FeedSetting, String)] = []
    for part in change.parts {
      switch part {
      case .account(let owner):
        let account = try await account(of: owner)
        feed = try await subscriptions.transfer(id, to: account.id)
        id = feed.id
      case .title(let title): try await composition.repository.rename(id, to: title)
      case .folders(let folders):
        feed = try await subscriptions.file(id, into: folders)
        guard Set(feed.folders.map(SubscriptionList.path)) == Set(folders) else {
          throw SourceError(
            .address, stage: .store, subject: feed.displayTitle,
            message: "\(feed.account.displayName) keeps a feed in one folder",
            next: "name one folder for it")
        }
      case .setting(let setting, let text): values.append((setting, text ?? FeedSetting.none))
      case .proxy(let proxy):
        let way = try ProxyChange(proxy?.text ?? "default", subject: "proxy")
        feed = try await subscriptions.setProxy(way, of: feed)
      }
    }
    if !values.isEmpty {
      _ = try await subscriptions.set(
        values, of: subscriptions.feed(named: "\(id.rawValue)"))
    }
  }

  // MARK: Additions

  private enum Added: Sendable {
    case fetched
    /// It is subscribed already, under another address.
    case known(FeedID)
    case unfetched(Feed, SourceError)
    /// Subscribed, and to be fetched in the way that is set for it.
    case toFetch(FeedID)
    case failed(SourceError)
  }

  private func add(
    _ changes: [SubscriptionListChange], _ report: inout Report
  ) async throws -> Set<FeedID> {
    var known: Set<FeedID> = []
    let added = try await changes.parallelMap(atMost: Self.requests) { change -> Added in
      guard let wanted = change.after else { return .fetched }
      do {
        return try await add(wanted)
      } catch let error as SourceError { return .failed(error) }
    }
    var unasked: [FeedID] = []
    for (change, added) in zip(changes, added) {
      switch added {
      case .failed(let error):
        report.failed.append((change, error))
        continue
      case .unfetched(let feed, let error): report.unfetched.append((feed, error))
      case .toFetch(let feed): unasked.append(feed)
      case .known(let feed): known.insert(feed)
      case .fetched: break
      }
      report.done.append(change)
    }
    guard !unasked.isEmpty else { return known }
    report.unfetched += try await FeedRefresh(composition).run(unasked).failed
    return known
  }

  private func add(_ wanted: SubscriptionList.Feed) async throws -> Added {
    guard !wanted.hasRecipe, !wanted.url.hasPrefix(Feed.commandScheme) else {
      throw SourceError.argument(
        WebAddress.redacted(wanted.url), "how this feed is obtained is in no list",
        next: "telex add subscribes to it, with --graphql, --select, --items or --command")
    }
    var settings = FeedSettings()
    for (setting, text) in wanted.settings { try setting.set(text, in: &settings) }
    if let owner = wanted.owner { return try await add(wanted, settings, to: owner) }
    if settings.isPaused || wanted.proxy != nil || settings.userAgent != nil
      || !settings.headers.isEmpty
    {
      // Asked for in the way of the list from the first time on.
      let id = try await keep(wanted, settings)
      return settings.isPaused ? .fetched : .toFetch(id)
    }
    do {
      return try await addFound(wanted, settings)
    } catch let error as SourceError where error.stage != .store && error.kind != .cancelled {
      let id = try await keep(wanted, settings)
      return .unfetched(try subscriptions.feed(named: "\(id.rawValue)"), error)
    }
  }

  /// Subscribes to the feed at the address.
  ///
  /// - Throws: `SourceError` where there is none; nothing is stored.
  private func addFound(
    _ wanted: SubscriptionList.Feed, _ settings: FeedSettings
  ) async throws -> Added {
    var located: LocatedFeed
    switch try await composition.sources.discover(wanted.url, signIn: nil) {
    case .feed(let found): located = found
    case .choice(let links):
      located = try await composition.sources.locate(oneOf: links, namedBy: wanted.url)
    }
    guard located.foundAt == nil else {
      throw SourceError(
        .notAFeed, stage: .fetch, subject: WebAddress.redacted(wanted.url),
        message: "there is no feed at this address",
        next: "telex add finds those of the site")
    }
    let url = WebAddress.withoutUser(located.url)
    let account = located.signIn?.account
    let known = try await composition.store.view { view in
      try view.feeds.all(url: url).first { $0.account.id == account ?? .local }
    }
    if let known {
      // Under the address that the list has, it is the same from now on.
      try await note(wanted.url, of: known)
      try await change(at: url, to: wanted)
      return .known(known.id)
    }
    let (feed, _) = try await composition.repository.subscribe(
      located, at: wanted.url, folders: wanted.folders, title: wanted.title)
    try await composition.store.edit { edit in
      try edit.feeds.setSettings(settings, of: feed.id)
      if SubscriptionList.key(feed.url) != wanted.url {
        try edit.feeds.noteOtherURL(wanted.url, of: feed.id)
      }
    }
    return .fetched
  }

  /// Brings a subscription in line that the list names by another address.
  private func change(at url: String, to wanted: SubscriptionList.Feed) async throws {
    let present = try subscriptions.list().feeds.first {
      $0.owner == nil && SubscriptionList.key($0.url) == SubscriptionList.key(url)
    }
    guard let present, let id = present.id else { return }
    try await make(SubscriptionListChange(from: present, to: wanted), for: id)
  }

  private func note(_ url: String, of feed: Feed) async throws {
    try await composition.store.edit { try $0.feeds.noteOtherURL(url, of: feed.id) }
  }

  /// Subscribes to an address that nobody has asked yet.
  private func keep(
    _ wanted: SubscriptionList.Feed, _ settings: FeedSettings
  ) async throws -> FeedID {
    let now = Date()
    let scheme = WebAddress.scheme(of: wanted.url)
    let url =
      scheme == "http" || scheme == "https"
      ? try WebAddress.entered(wanted.url) : wanted.url
    guard WebAddress.isWeb(url) || url.hasPrefix("file:///") else {
      throw SourceError(
        .address, stage: .address, subject: WebAddress.redacted(url),
        message: "it cannot be subscribed to before it was asked",
        next: "try again when its server can be reached")
    }
    return try await composition.store.edit { edit in
      let (id, isNew) = try edit.feeds.subscribe(
        url: url, title: wanted.title, folders: wanted.folders, isUserEntered: true, now: now)
      try edit.feeds.setSettings(settings, of: id)
      if let proxy = wanted.proxy { try edit.feeds.setProxy(proxy, of: id) }
      if SubscriptionList.key(url) != wanted.url { try edit.feeds.noteOtherURL(wanted.url, of: id) }
      if isNew { try edit.actions.noteAdded(id, isTold: false, now: now) }
      return id
    }
  }

  /// - Parameter owner: nil for the local account.
  /// - Throws: `SourceError` of stage `.arguments` where nobody is signed in there.
  private func account(of owner: SubscriptionList.Owner?) async throws -> Account {
    guard let owner else { return .local }
    let account = try await composition.store.view { view in
      try view.accounts.all().first { $0.base == owner.base && $0.user == owner.user }
    }
    guard let account, !account.isSignedOut else {
      throw Logins.notSignedIn(at: owner.base, as: owner.user.isEmpty ? nil : owner.user)
    }
    return account
  }

  /// Subscribes in an account, whose server looks for the feed.
  private func add(
    _ wanted: SubscriptionList.Feed, _ settings: FeedSettings, to owner: SubscriptionList.Owner
  ) async throws -> Added {
    let account = try await account(of: owner)
    guard account.capabilities.contains(.subscriptions) else {
      throw SourceError.argument(
        WebAddress.redacted(wanted.url), "\(account.displayName) takes no feeds of other sites",
        next: "telex add ADDRESS --user \(account.user) subscribes to one of its own")
    }
    let (feed, _) = try await subscriptions.add(
      wanted.url, to: account, title: wanted.title, folders: wanted.folders)
    try await composition.store.edit { try $0.feeds.setSettings(settings, of: feed.id) }
    if let proxy = wanted.proxy {
      _ = try await subscriptions.setProxy(ProxyChange(proxy.text, subject: "proxy"), of: feed)
    }
    return .fetched
  }
}
