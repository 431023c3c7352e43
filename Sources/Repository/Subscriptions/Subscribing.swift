package import News
internal import Store
internal import Text

internal import struct Foundation.Date

extension FeedRepository {
  /// Subscribes to the feed at an address that the user entered, and stores its newest page.
  ///
  /// - Throws: `SourceError` when no feed could be found there; nothing is stored then.
  package func subscribe(
    _ address: String, folders: [String] = [], title: String? = nil
  ) async throws -> (feed: Feed, isNew: Bool) {
    try await subscribe(
      context.sources.locate(address), at: address, folders: folders, title: title)
  }

  /// Fetches the feed at an address that the user entered. Nothing is stored.
  ///
  /// - Throws: `SourceError` where there is none.
  package func look(at address: String) async throws -> LocatedFeed {
    let located = try await context.sources.locate(address)
    network.noteAnswer()
    return located
  }

  /// Subscribes to the first of several links that is a feed.
  ///
  /// - Parameter address: the address that the user entered, whose page has these links.
  package func subscribe(
    oneOf links: [FeedLink], namedBy address: String
  ) async throws -> (feed: Feed, isNew: Bool) {
    try await subscribe(context.sources.locate(oneOf: links, namedBy: address), at: address)
  }

  /// Subscribes to a found feed, and stores its page. An existing subscription, or one whose feed
  /// was to be found at the address, gets the title and the folders.
  ///
  /// - Parameters:
  ///   - proxy: nil leaves the feed's proxy as it is.
  ///   - userAgent: nil leaves the feed's own as it is.
  package func subscribe(
    _ located: LocatedFeed, at address: String, folders: [String] = [], title: String? = nil,
    proxy: FeedProxy? = nil, userAgent: String? = nil
  ) async throws -> (feed: Feed, isNew: Bool) {
    try Task.checkCancellation()
    let prepared = PreparedPage(located.page)
    let time = context.now()
    let subscribed = try await stored(located, from: address) { edit, url, signIn in
      if let sought = try edit.view.feedSought(at: address) {
        _ = try edit.feeds.finishSearch(
          of: sought, at: url, isUserEntered: located.isUserEntered, now: time)
      }
      let account = try edit.account(of: located, now: time)
      if let account { try edit.accounts.takeOver(url, for: account, now: time) }
      let (id, isNew) = try edit.feeds.subscribe(
        url: url, of: account, title: title, folders: folders,
        isUserEntered: located.isUserEntered, signIn: signIn,
        now: time)
      let former = isNew ? nil : try edit.view.feeds.feed(id)
      // In the same transaction: no refresh may request the feed in another way.
      try edit.setWay(proxy, userAgent, of: id, isNew: isNew, now: time)
      if let recipe = located.recipe { try edit.feeds.setRecipe(recipe, of: id) }
      if let former { try edit.actions.noteWay(insteadOfThatOf: former, now: time) }
      try edit.articles.merge(prepared, into: id, at: .newest, now: time)
      if isNew { try edit.actions.noteAdded(id, isTold: false, now: time) }
      if !isNew, let title { try edit.feeds.setTitle(title, of: id) }
      return (id, isNew)
    }
    network.noteAnswer()
    return subscribed
  }

  /// Subscribes to an address that could not be searched. The next refresh that reaches it finds
  /// the feed.
  ///
  /// - Parameter error: the failure of the search.
  /// - Returns: the subscription; an existing one gets the title and the folders.
  package func keep(
    _ address: String, folders: [String] = [], title: String? = nil, proxy: FeedProxy? = nil,
    userAgent: String? = nil, after error: SourceError
  ) async throws -> (feed: Feed, isNew: Bool) {
    let time = context.now()
    let place = LocatedFeed(
      url: try WebAddress.entered(address), page: Page(), isUserEntered: true)
    return try await stored(place, from: address) { edit, url, signIn in
      let (id, isNew) = try edit.feeds.subscribe(
        url: url, title: title, folders: folders, isUserEntered: true, signIn: signIn, now: time)
      try edit.setWay(proxy, userAgent, of: id, isNew: isNew, now: time)
      if isNew {
        try edit.feeds.beginSearch(of: id, after: error.ofSearch, now: time)
        try edit.actions.noteAdded(id, isTold: false, now: time)
      } else if let title {
        try edit.feeds.setTitle(title, of: id)
      }
      return (id, isNew)
    }
  }

  /// Stores a subscription without its name and password, which go to the secrets.
  private func stored(
    _ located: LocatedFeed, from address: String,
    _ body: @escaping @Sendable (StoreEdit, _ url: String, FeedSignIn?) throws -> (FeedID, Bool)
  ) async throws -> (feed: Feed, isNew: Bool) {
    let (feed, isNew) = try await secrets.keeping(located) { edit, url, signIn in
      let (id, isNew) = try body(edit, url, signIn)
      return (try edit.view.feeds.feed(id), isNew)
    }
    await secrets.forgetDiscarded()
    guard let feed else { throw SourceError.removedMeanwhile(address) }
    return (feed, isNew)
  }

  /// Merges two subscriptions to one feed: `other` gets the articles, marks, folders and missing
  /// settings of `feed`.
  package func merge(_ feed: FeedID, into other: FeedID) async throws {
    let time = context.now()
    try await store.edit { edit in
      guard let known = try edit.view.feeds.feed(feed), let kept = try edit.view.feeds.feed(other),
        known.account.id == kept.account.id
      else {
        throw SourceError(
          .store, stage: .store, subject: "merge",
          message: "one of the two feeds was removed meanwhile", next: "nothing has changed")
      }
      try edit.feeds.unite(feed, into: other, now: time)
    }
    await forgetWay(of: feed)
  }

  /// Changes the address of a feed. Articles, marks, title and folders stay; cursors, validators
  /// and errors are reset.
  ///
  /// - Parameter isUserEntered: whether the address may lead to a private host.
  /// - Throws: `SourceError` where the address is invalid or another feed's; nothing changes.
  package func move(_ feed: FeedID, to address: String, isUserEntered: Bool = false) async throws {
    // A name and password in an address from a document or a redirect are not the user's.
    let url = WebAddress.withoutUser(try WebAddress.entered(address))
    try await store.edit { try $0.move(feed, to: url, isUserEntered: isUserEntered, signIn: nil) }
    await forgetWay(of: feed)
  }

  /// Changes the address of a feed to that of a found feed; for the same address only name and
  /// password.
  package func move(_ feed: FeedID, to located: LocatedFeed) async throws {
    try await secrets.keeping(located) { edit, url, signIn in
      if let signIn, try edit.view.feeds.feed(url: url)?.id == feed {
        try edit.signIns.set(signIn, of: feed)
        try edit.feeds.forgetFetches(of: feed)
      } else {
        try edit.move(feed, to: url, isUserEntered: located.isUserEntered, signIn: signIn)
      }
    }
    await forgetWay(of: feed)
  }

  private func forgetWay(of feed: FeedID) async {
    await refresher.forget(feed)
    await pages.overtake([feed])
    await secrets.forgetDiscarded()
  }

  /// Searches for the feed at a new address that the user entered. Nothing is stored.
  ///
  /// - Parameter feed: the subscription to move. Its proxy is used, and its name and password at
  ///   the same origin.
  /// - Throws: `SourceError` where there is no feed, or several.
  package func newPlace(of feed: FeedID, at typed: String) async throws -> LocatedFeed {
    do {
      let moving = try await store.view { try $0.feeds.feed(feed) }
      if let moving, moving.isCommand {
        throw SourceError(
          .address, stage: .arguments, subject: moving.displayTitle,
          message: "this feed is the output of a program, and has no other address",
          next: "telex set FEED --command names another program")
      }
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

  /// Sends a secret in a header with the requests for a feed, at its origin only.
  package func setSecret(_ secret: String, header: String, of feed: Feed) async throws {
    guard let origin = WebAddress.origin(of: feed.url) else { return }
    let user = AddressUser(origin: origin, user: "", secret: secret)
    try await secrets.keeping(user, header: header) { edit, signIn in
      try edit.signIns.set(signIn, of: feed.id)
      try edit.feeds.forgetFetches(of: feed.id)
    }
    await forgetWay(of: feed.id)
  }

  /// Deletes the secret of a feed.
  package func forgetSecret(of feed: Feed) async throws {
    try await store.edit { edit in
      try edit.signIns.set(nil, of: feed.id)
      try edit.feeds.forgetFetches(of: feed.id)
    }
    await forgetWay(of: feed.id)
  }

  /// Changes how the document of a feed is obtained, with its address where that changes, and
  /// stores the page.
  ///
  /// - Parameter recipe: nil for the feed at the address itself.
  /// - Throws: `SourceError` where another feed has the address, or the feed has got another recipe
  ///   meanwhile; nothing changes.
  package func setRecipe(
    _ recipe: FeedRecipe?, of feed: Feed, _ located: LocatedFeed
  ) async throws -> Feed {
    let page = PreparedPage(located.page)
    let time = context.now()
    let changed = try await store.edit { edit in
      guard let former = try edit.view.feeds.feed(feed.id) else { return Feed?.none }
      guard try edit.view.feeds.isAsBefore(feed) else {
        throw SourceError(
          .store, stage: .store, subject: feed.displayTitle,
          message: "how the feed is obtained has changed meanwhile",
          next: "nothing has changed here; do it once more")
      }
      if located.url != feed.url {
        try edit.move(
          feed.id, to: located.url, isUserEntered: located.isUserEntered, signIn: nil)
      }
      try edit.feeds.setRecipe(recipe, of: feed.id)
      try edit.actions.noteWay(insteadOfThatOf: former, now: time)
      try edit.articles.merge(page, into: feed.id, at: .newest, now: time)
      return try edit.view.feeds.feed(feed.id)
    }
    await forgetWay(of: feed.id)
    guard let changed else { throw SourceError.removedMeanwhile(feed.displayTitle) }
    return changed
  }

  /// Subscribes to feeds by their recipes. None of them is fetched.
  ///
  /// - Returns: those that are new.
  package func subscribe(
    to feeds: [(url: String, recipe: FeedRecipe, title: String?, folders: [String])]
  ) async throws -> Set<FeedID> {
    let time = context.now()
    return try await store.edit { edit in
      var added: Set<FeedID> = []
      for feed in feeds {
        let (id, isNew) = try edit.feeds.subscribe(
          url: feed.url, title: feed.title, folders: feed.folders, isUserEntered: true, now: time)
        guard isNew else { continue }
        try edit.feeds.setRecipe(feed.recipe, of: id)
        added.insert(id)
      }
      return added
    }
  }
}

extension StoreView {
  /// The subscription whose feed is still to be looked for at an address.
  ///
  /// - Parameter address: as the user typed it.
  fileprivate func feedSought(at address: String) throws -> Feed? {
    guard let url = (try? WebAddress.entered(address)).map({ WebAddress.withoutUser($0) }) else {
      return nil
    }
    return try feeds.feed(url: url).flatMap { $0.settings.isSought ? $0 : nil }
  }
}

extension SourceError {
  static func removedMeanwhile(_ feed: String) -> SourceError {
    SourceError(.store, stage: .store, subject: feed, message: "the feed was removed meanwhile")
  }

  /// The failure of a search for a feed that goes on when there is a network.
  var ofSearch: SourceError {
    guard isConnectivity else { return self }
    var error = self
    error.next = "Telex looks for the feed when there is a network"
    return error
  }
}

extension StoreEdit {
  /// Sets the found feed of a subscription, with its newest page.
  func finishSearch(
    of feed: Feed, as located: LocatedFeed, _ page: PreparedPage, now: Date
  ) throws -> MergeResult {
    let url = WebAddress.withoutUser(located.url)
    let id = try feeds.finishSearch(
      of: feed, at: url, isUserEntered: located.isUserEntered, now: now)
    if let account = try account(of: located, now: now) {
      try accounts.takeOver(url, for: account, now: now)
    }
    if let recipe = located.recipe { try feeds.setRecipe(recipe, of: id) }
    return try articles.merge(page, into: id, at: .newest, now: now)
  }

  /// The account of a found feed by its sign-in; one of the configuration gets its account now. Nil
  /// where the address alone decides.
  fileprivate func account(of located: LocatedFeed, now: Date) throws -> AccountID? {
    guard let service = located.page.service, let signIn = located.signIn else { return nil }
    // Opened by a credential, it is of no account that somebody is signed in to.
    guard let base = signIn.base else {
      return try accounts.save(
        service, base: WebAddress.withoutUser(located.url), user: "", now: now)
    }
    guard let id = signIn.account else {
      return try accounts.save(service, base: base, user: signIn.user, now: now)
    }
    guard let account = try view.accounts.account(id), !account.isSignedOut else {
      throw SourceError(
        .store, stage: .store, subject: signIn.origin,
        message: "you have signed out there meanwhile", next: "sign in and add the feed again")
    }
    return id
  }

  /// Changes the address of a feed.
  ///
  /// - Throws: `SourceError` where it is that of another feed.
  fileprivate func move(
    _ feed: FeedID, to url: String, isUserEntered: Bool, signIn: FeedSignIn?
  ) throws {
    func refused(_ message: String, _ subject: String = WebAddress.redacted(url)) -> SourceError {
      SourceError(
        .address, stage: .store, subject: subject, message: message, next: "nothing has changed")
    }
    guard let moving = try view.feeds.feed(feed) else {
      throw refused("the feed was removed meanwhile")
    }
    let other =
      try view.feeds.all(url: url).first { $0.account.id == moving.account.id }
      ?? (moving.account.id == .local ? view.feeds.feed(url: url) : nil)
    if let other {
      if other.id == feed { throw refused("the feed has that address already") }
      let name = other.displayTitle
      throw refused("\(name) is already subscribed there", name)
    }
    guard try feeds.move(feed, to: url, isUserEntered: isUserEntered, signIn: signIn) else {
      throw refused("the feed cannot be moved there")
    }
    try feeds.forgetFetches(of: feed)
  }

  /// Sets proxy and user agent of a feed as far as the user has given them.
  fileprivate func setWay(
    _ proxy: FeedProxy?, _ userAgent: String?, of feed: FeedID, isNew: Bool, now: Date
  ) throws {
    if let proxy {
      try isNew ? feeds.setProxy(proxy, of: feed) : actions.set(proxy, of: feed, now: now)
    }
    if let userAgent {
      var settings = try view.feeds.feed(feed)?.settings ?? FeedSettings()
      settings.userAgent = userAgent
      try isNew ? feeds.setSettings(settings, of: feed) : actions.set(settings, of: feed, now: now)
    }
  }
}
