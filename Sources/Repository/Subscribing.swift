package import News
internal import Store
internal import Synchronization

extension FeedRepository {
  /// Subscribes to the feed at an address as a person types it, and stores its newest page.
  ///
  /// - Throws: `SourceError` when no feed could be found there; nothing is stored then.
  package func subscribe(
    _ address: String, folders: [String] = [], title: String? = nil
  ) async throws -> (feed: Feed, isNew: Bool) {
    try await subscribe(
      sources.locate(address), at: address, folders: folders, title: title)
  }

  /// Looks for feeds at an address as a person types it. Nothing is stored.
  package func discover(_ address: String) async throws -> Discovery {
    try await sources.discover(address)
  }

  /// Subscribes to the first of several feeds that is one.
  ///
  /// - Parameter address: what was typed, and led to them.
  package func subscribe(
    oneOf links: [FeedLink], namedBy address: String, folders: [String] = [],
    title: String? = nil
  ) async throws -> (feed: Feed, isNew: Bool) {
    try await subscribe(
      sources.locate(oneOf: links, namedBy: address), at: address, folders: folders,
      title: title)
  }

  /// Subscribes to a feed that was found at an address, and stores the page that came with it. One
  /// that is there already gets the title and the folders.
  package func subscribe(
    _ located: LocatedFeed, at address: String, folders: [String] = [], title: String? = nil
  ) async throws -> (feed: Feed, isNew: Bool) {
    try Task.checkCancellation()
    let prepared = PreparedPage(located.page)
    let time = now()
    let subscribed = try await store.edit { edit in
      let (id, isNew) = try edit.subscribe(
        url: located.url, title: title, folders: folders, isTyped: located.isTyped, now: time)
      try edit.merge(prepared, into: id, at: .newest, now: time)
      if !isNew, let title { try edit.setTitle(title, of: id) }
      return (try edit.view.feed(id), isNew)
    }
    guard let feed = subscribed.0 else {
      throw SourceError(
        .store, stage: .store, subject: address, message: "the feed was removed meanwhile")
    }
    status.withLock { $0.offlineSince = nil }
    return (feed, subscribed.1)
  }

  /// Asks a feed at another address from now on. Its articles, marks, title and folders stay; what
  /// was known of the old address is forgotten, and what is still on its way from there is dropped.
  ///
  /// - Parameter isTyped: whether the reader wrote the address, so that it may lead to a private host.
  /// - Throws: `SourceError` where the address is none, or another feed's; nothing changes then.
  package func move(_ feed: FeedID, to address: String, isTyped: Bool = false) async throws {
    let url = try WebAddress.normalized(address)
    try await store.edit { edit in
      func refused(_ message: String, _ subject: String = WebAddress.redacted(url)) -> SourceError {
        SourceError(
          .address, stage: .store, subject: subject, message: message, next: "nothing has changed")
      }
      guard try edit.view.hasFeed(feed) else { throw refused("the feed was removed meanwhile") }
      if let other = try edit.view.feed(url: url) {
        if other.id == feed { throw refused("the feed has that address already") }
        let name = other.displayTitle
        throw refused("\(name) is subscribed there already", name)
      }
      guard try edit.move(feed, to: url, isTyped: isTyped) else {
        throw refused("the feed cannot be moved there")
      }
      try edit.forgetFetches(of: feed)
    }
    // A refresh under way has asked the old address, and may ask the new one as well.
    run?.members.remove(feed)
    generations[feed, default: 0] += 1
    walked = walked.filter { $0.key.feed != feed }
    status.withLock { status in
      status.olderErrors[feed] = nil
      status.circular.remove(feed)
    }
  }

  /// As `move`, to a feed that was found.
  package func move(_ feed: FeedID, to located: LocatedFeed) async throws {
    try await move(feed, to: located.url, isTyped: located.isTyped)
  }

  /// Looks for the feed that another is to be moved to, at an address as the reader types it: what is
  /// no feed takes nobody's place. Nothing is stored.
  ///
  /// - Throws: `SourceError` where there is none, or there are several to choose from. What helps then
  ///   ends with the word that the feed keeps its address.
  package func newPlace(at typed: String) async throws -> LocatedFeed {
    do {
      switch try await sources.discover(typed) {
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

  /// Ends a subscription. Its articles go with it.
  package func unsubscribe(_ feed: FeedID) async throws {
    generations[feed, default: 0] += 1
    try await store.edit { try $0.unsubscribe(feed) }
  }
}
