package import News
internal import Store
internal import Text

internal import struct Foundation.Date

/// Subscribing to feeds, moving them to another address, and ending subscriptions.
extension FeedRepository {
  /// Subscribes to the feed at an address as the user types it, and stores its newest page.
  ///
  /// - Throws: `SourceError` when no feed could be found there; nothing is stored then.
  package func subscribe(
    _ address: String, folders: [String] = [], title: String? = nil
  ) async throws -> (feed: Feed, isNew: Bool) {
    try await subscribe(
      context.sources.locate(address), at: address, folders: folders, title: title)
  }

  /// Looks for feeds at an address as the user types it. Nothing is stored.
  package func discover(_ address: String) async throws -> FoundFeeds {
    try await context.sources.discover(address, signIn: nil)
  }

  /// Subscribes to the first of several feeds that is one.
  ///
  /// - Parameter address: what was typed, and led to them.
  package func subscribe(
    oneOf links: [FeedLink], namedBy address: String
  ) async throws -> (feed: Feed, isNew: Bool) {
    try await subscribe(context.sources.locate(oneOf: links, namedBy: address), at: address)
  }

  /// Subscribes to a feed that was found at an address, and stores the page that came with it. One
  /// that is there already gets the title and the folders.
  ///
  /// - Parameter proxy: the way to the feed from now on; nil leaves it as it is.
  package func subscribe(
    _ located: LocatedFeed, at address: String, folders: [String] = [], title: String? = nil,
    proxy: FeedProxy? = nil
  ) async throws -> (feed: Feed, isNew: Bool) {
    try Task.checkCancellation()
    let prepared = PreparedPage(located.page)
    let time = context.now()
    let subscribed = try await secrets.keeping(located) { edit, url, signIn in
      let account = try edit.account(of: located, now: time)
      if let account { try edit.takeOver(url, for: account) }
      let (id, isNew) = try edit.subscribe(
        url: url, of: account, title: title, folders: folders,
        isUserEntered: located.isUserEntered, signIn: signIn,
        now: time)
      // Together with the subscription: no refresh may ask the feed by another way.
      if let proxy { try edit.setProxy(proxy, of: id) }
      try edit.merge(prepared, into: id, at: .newest, now: time)
      if !isNew, let title { try edit.setTitle(title, of: id) }
      return (try edit.view.feed(id), isNew)
    }
    await secrets.forgetDiscarded()
    guard let feed = subscribed.0 else {
      throw SourceError(
        .store, stage: .store, subject: address, message: "the feed was removed meanwhile")
    }
    network.noteAnswer()
    return (feed, subscribed.1)
  }

  /// Asks a feed at another address from now on. Its articles, marks, title and folders stay; what
  /// was known of the old address is forgotten, and what is still on its way from there is dropped.
  ///
  /// - Parameter isUserEntered: whether the user wrote the address, so that it may lead to a private host.
  /// - Throws: `SourceError` where the address is none, or another feed's; nothing changes then.
  package func move(_ feed: FeedID, to address: String, isUserEntered: Bool = false) async throws {
    // A name and password that a document or a redirect brings are not the user's.
    let url = WebAddress.withoutUser(try WebAddress.entered(address))
    try await store.edit {
      try Self.move(feed, to: url, isUserEntered: isUserEntered, signIn: nil, in: $0)
    }
    await forgetWay(of: feed)
  }

  /// As `move`, to a feed that was found. One that is there already takes the name and password that it
  /// was asked for with.
  package func move(_ feed: FeedID, to located: LocatedFeed) async throws {
    try await secrets.keeping(located) { edit, url, signIn in
      if let signIn, try edit.view.feed(url: url)?.id == feed {
        try edit.setSignIn(signIn, of: feed)
        try edit.forgetFetches(of: feed)
      } else {
        try Self.move(feed, to: url, isUserEntered: located.isUserEntered, signIn: signIn, in: edit)
      }
    }
    await forgetWay(of: feed)
  }

  private static func move(
    _ feed: FeedID, to url: String, isUserEntered: Bool, signIn: FeedSignIn?, in edit: StoreEdit
  ) throws {
    func refused(_ message: String, _ subject: String = WebAddress.redacted(url)) -> SourceError {
      SourceError(
        .address, stage: .store, subject: subject, message: message, next: "nothing has changed")
    }
    guard let moving = try edit.view.feed(feed) else {
      throw refused("the feed was removed meanwhile")
    }
    let other =
      try edit.view.feeds(url: url).first { $0.account.id == moving.account.id }
      ?? (moving.account.id == .local ? edit.view.feed(url: url) : nil)
    if let other {
      if other.id == feed { throw refused("the feed has that address already") }
      let name = other.displayTitle
      throw refused("\(name) is subscribed there already", name)
    }
    guard try edit.move(feed, to: url, isUserEntered: isUserEntered, signIn: signIn) else {
      throw refused("the feed cannot be moved there")
    }
    try edit.forgetFetches(of: feed)
  }

  private func forgetWay(of feed: FeedID) async {
    await refresher.forget(feed)
    await pages.overtake([feed])
    await secrets.forgetDiscarded()
  }

  /// Looks for the feed that another is to be moved to, at an address as the user types it: what is
  /// no feed takes nobody's place. Nothing is stored.
  ///
  /// - Parameter feed: the one to be moved: the new address is asked by the same proxy, and with its own
  ///   name and password, where none are typed and it lies where they are good.
  /// - Throws: `SourceError` where there is none, or there are several to choose from. What helps then
  ///   ends with the word that the feed keeps its address.
  package func newPlace(of feed: FeedID, at typed: String) async throws -> LocatedFeed {
    do {
      let moving = try await store.view { try $0.feed(feed) }
      let sources = moving.map { context.sources.onWay(of: $0) } ?? context.sources
      switch try await sources.discover(typed, signIn: moving?.signIn) {
      case .feed(let located): return located
      case .choice(let links):
        let names = links.prefix(3).map { WebAddress.redacted($0.url) }.joined(separator: ", ")
        throw SourceError(
          .notAFeed, stage: .parse, subject: WebAddress.redacted(typed),
          message: "the page names several feeds: \(names)\(links.count > 3 ? ", …" : "")",
          next: "type the address of one of them")
      }
    } catch var error as SourceError {
      error.next = [error.next, "the feed keeps its address"].compactMap(\.self)
        .joined(separator: "; ")
      throw error
    }
  }

  /// Takes away the passwords of feeds that are gone or have moved to another server. What cannot be
  /// taken away now is when the next one is.
  package func forgetSignIns() async { await secrets.forgetDiscarded() }

  /// Sets the way to a feed; nil for that of the settings.
  package func setProxy(_ proxy: FeedProxy?, of feed: FeedID) async throws {
    try await store.edit { try $0.setProxy(proxy, of: feed) }
  }

  /// Ends a subscription, first at the server of its account where that keeps the subscriptions. Its
  /// articles go with it.
  package func unsubscribe(_ feed: FeedID) async throws {
    if let known = try await store.view({ try $0.feed(feed) }),
      let subscriptions = context.sources.source(of: known.account).subscriptions
    {
      try await subscriptions.unsubscribe(from: known.url)
    }
    await pages.overtake([feed])
    try await store.edit { try $0.unsubscribe(feed) }
    await secrets.forgetDiscarded()
  }
}

extension StoreEdit {
  /// The account that a found feed belongs to, by the sign-in that has opened it; one of the configuration
  /// gets its account now. Nil where its address alone tells.
  fileprivate func account(of located: LocatedFeed, now: Date) throws -> AccountID? {
    guard let service = located.page.service, let signIn = located.signIn,
      case .bearer(let base) = signIn.scheme
    else { return nil }
    return try signIn.account ?? save(service, base: base, user: signIn.user, now: now)
  }
}
