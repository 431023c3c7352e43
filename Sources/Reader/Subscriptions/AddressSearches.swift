internal import News
internal import Screen
internal import Text

/// Searches for feeds at addresses, and what follows them.
struct AddressSearches: Hashable, Sendable {
  /// The address that failed last, for another try.
  var lastAddress: String?
  /// Searches for feeds to add, the latest last.
  var adding: [AddressSearch] = []
  /// The move of a feed whose new address is being fetched.
  var moving: Move?
  /// A move that needs a sign-in at the new address first.
  var moveAfterSignIn: Move?
  /// Who has tried to sign in last, and where: offered again where the password was wrong.
  var lastUser: SignInAttempt?
  /// The sign-in that is under way, from the question whether its server answers.
  var signingIn: SigningIn?
  /// Whether there was no input since the last search began. Only then a failed address is offered again
  /// at once.
  var isWaitedFor = false

  /// What is under way, for the status line.
  var activity: String? {
    if let signingIn {
      let host = WebAddress.host(of: signingIn.address) ?? signingIn.address
      return signingIn.isReached ? "signing in at \(host) …" : "waiting for an answer of \(host) …"
    }
    return (adding.last?.place ?? moving?.address).map { "looking for a feed at \($0) …" }
  }
}

/// A sign-in that is under way.
struct SigningIn: Hashable, Sendable {
  var address: String
  /// Whether its server is known to answer, and is asked to take a name and a password.
  var isReached: Bool
}

/// A search for a feed to add.
struct AddressSearch: Hashable, Sendable {
  /// The address that the user typed.
  var address: String
  /// The address that is fetched: the typed one, or one of several that it led to.
  var place: String
  /// The account that is to subscribe; nil for none.
  var account: Account?
}

/// An attempt to sign in at an address.
struct SignInAttempt: Hashable, Sendable {
  var address: String
  var name: String
}

/// A change of a feed's address.
struct Move: Hashable, Sendable {
  var feed: FeedID
  var address: String
}

extension ReaderState {
  mutating func search(at place: String? = nil, for address: String, account: Account? = nil) {
    addresses.adding.removeAll { $0.address == address }
    addresses.adding.append(
      AddressSearch(address: address, place: place ?? address, account: account))
    addresses.isWaitedFor = true
  }

  /// Cancels a sign-in that is under way, else the latest search.
  ///
  /// - Returns: nil where there is none.
  mutating func cancelSearch() -> [Effect]? {
    if addresses.signingIn != nil {
      addresses.signingIn = nil
      addresses.moveAfterSignIn = nil
      return [.cancel(.signIn)] + notify("cancelled; \(key(.signIn)) signs in")
    }
    if let search = addresses.adding.popLast() {
      addresses.lastAddress = search.address
      return [.cancel(.subscriptions(.add(search.address)))]
        + notify("cancelled; \(key(.addFeed)) brings the address back")
    }
    if let move = addresses.moving {
      addresses.moving = nil
      return [.cancel(.subscriptions(.move(move.feed)))]
        + notify("cancelled; \(key(.editAddress, on: HealthState.self)) brings the address back")
    }
    return nil
  }

  // MARK: Adding

  mutating func askForAddress() -> [Effect] {
    ask(
      .addFeed(
        LineEditor(selected: addresses.lastAddress ?? ""),
        in: subscriptions.accountOfServer(of: sidebar.selected)))
    addresses.lastAddress = nil
    return []
  }

  /// Asks whether to subscribe to an address that was pasted where no line is being typed.
  mutating func askForFeed(pasted text: String) -> [Effect] {
    guard text.contains("://") else {
      return notify("what was pasted is no address of a feed; ? shows the keys")
    }
    var line = LineEditor()
    line.insert(text)
    ask(.addFeed(line, in: subscriptions.accountOfServer(of: sidebar.selected)))
    return []
  }

  /// - Parameter account: the account whose server is to subscribe; nil where the feed is fetched from here.
  mutating func add(_ typed: String, account: Account?) -> [Effect] {
    var address = typed.trimmingPrefix(while: \.isWhitespace)
    while address.last?.isWhitespace == true { address.removeLast() }
    guard !address.isEmpty else { return [] }
    search(for: String(address), account: account)
    if let account { return [.subscriptions(.addToAccount(String(address), account))] }
    return [.subscriptions(.add(String(address)))]
  }

  /// Looks for the feed of a subscription that was added without a network; of several, the user chooses.
  ///
  /// - Returns: nil where its feed is known.
  mutating func findSought(_ id: FeedID) -> [Effect]? {
    guard let feed = feed(id), feed.settings.isSought else { return nil }
    search(for: feed.url)
    return [.subscriptions(.add(feed.url))]
  }

  mutating func receiveAdded(
    _ feed: Feed, isNew: Bool, foundAt page: String?, address: String?
  ) -> [Effect] {
    addresses.adding.removeAll { $0.address == address }
    // The snapshot that knows it may still be on its way.
    if self.feed(feed.id) == nil {
      subscriptions.feeds.append(feed)
      subscriptions.counts = subscriptions.counts + feed.counts
      sidebar.rebuildItems(from: subscriptions)
    }
    let effects = show(.feed(feed.id))
    focus = .list
    let told =
      feed.awaitsNetwork
      ? "\(feed.displayTitle) is kept; Telex looks for the feed when there is a network"
      : isNew ? "added \(feed.displayTitle)" : "\(feed.displayTitle) is there already"
    guard let page else { return effects + notify(told) }
    let site = WebAddress.host(of: page) ?? page
    return effects + notify(told + "; nothing was at the address, but \(site) leads here")
  }

  /// Handles a failed search. The address is offered for correction with the error above it; where the user
  /// has begun something else meanwhile, `a` offers it.
  mutating func receiveFailure(_ address: String, _ error: SourceError) -> [Effect] {
    let isWaitedFor = addresses.isWaitedFor && addresses.adding.last?.address == address
    let account = addresses.adding.last { $0.address == address }?.account
    addresses.adding.removeAll { $0.address == address }
    addresses.lastAddress = address
    let told = notify(error)
    guard !isAsking else { return told }
    // One question leads to the other.
    if error.wantsSignIn {
      // A name and password in it were refused.
      addresses.lastAddress = WebAddress.withoutUser(address)
      return askToSignIn(at: WebAddress.withoutUser(address)) + told
    }
    let isCovered = stack.top.map { type(of: $0).layer > .page } ?? false
    if isWaitedFor, !isCovered, addresses.moving == nil {
      ask(.addFeed(LineEditor(addresses.lastAddress ?? ""), in: account))
      addresses.lastAddress = nil
    }
    return told
  }

  /// Takes feeds out that have been removed. Where the store's list without them came first, its counts stand.
  ///
  /// - Parameter told: the message.
  mutating func receiveRemoval(of ids: [FeedID], saying told: String) -> [Effect] {
    var snapshot = subscriptions
    let gone = Set(ids)
    snapshot.feeds.removeAll { gone.contains($0.id) }
    guard snapshot.feeds.count < subscriptions.feeds.count else { return notify(told) }
    snapshot.counts = snapshot.feeds.reduce(ArticleCounts()) { $0 + $1.counts }
    return receive(subscriptions: snapshot) + notify(told)
  }

  // MARK: Moving

  /// - Parameter isUserEntered: whether the user wrote the address; one that a page names may lead to public
  ///   hosts only.
  mutating func move(_ id: FeedID, to address: String, isUserEntered: Bool) -> [Effect] {
    addresses.moving = Move(feed: id, address: address)
    return [.subscriptions(.move(id, to: address, isUserEntered: isUserEntered))]
  }

  /// Fetches the new address at once, and cancels a fetch from the old one.
  mutating func receiveMoved(_ move: Move) -> [Effect] {
    let id = move.feed
    _ = offer(.subscriptions(.moved(id, to: move.address)))
    if addresses.moving == move { addresses.moving = nil }
    let title = feed(id)?.displayTitle ?? "the feed"
    let wish = Effect.Refresh.asked(.feed(id))
    return [.cancel(.refresh(wish)), .refresh(wish)] + notify("moved \(title); asking there")
  }

  mutating func receiveFailure(_ move: Move, _ error: SourceError) -> [Effect] {
    if addresses.moving == move { addresses.moving = nil }
    let told = notify(error)
    // One question leads to the other, unless the user has begun something else.
    guard error.wantsSignIn, !isAsking else { return told }
    // The name and password in it, if there were any, were refused.
    let address = WebAddress.withoutUser(move.address)
    addresses.moveAfterSignIn = Move(feed: move.feed, address: address)
    return askToSignIn(at: address) + told
  }

  // MARK: Signing in

  /// Asks for the name and the password once the server has answered anything: nobody types them in vain.
  mutating func beginSignIn(at address: String) -> [Effect] {
    addresses.signingIn = SigningIn(address: address, isReached: false)
    forgetError()
    return [.accounts(.reach(address))]
  }

  mutating func receiveReached(_ address: String) -> [Effect] {
    guard addresses.signingIn == SigningIn(address: address, isReached: false) else { return [] }
    addresses.signingIn = nil
    guard !isAsking else {
      let host = WebAddress.host(of: address) ?? address
      return notify("\(host) answers; \(key(.signIn)) signs in")
    }
    return askToSignIn(at: address)
  }

  mutating func receiveUnreached(_ address: String, _ error: SourceError) -> [Effect] {
    guard addresses.signingIn == SigningIn(address: address, isReached: false) else { return [] }
    addresses.signingIn = nil
    return notify(error)
  }

  /// Asks for the name and the password at a server that has just answered.
  mutating func askToSignIn(at address: String) -> [Effect] {
    let last = addresses.lastUser.flatMap { $0.address == address ? $0.name : nil }
    ask(.signInName(address: address, last.map { LineEditor(selected: $0) } ?? LineEditor()))
    return []
  }

  /// Asks who signs in at an address that the user typed; a folder asks for nothing.
  mutating func signIn(at typed: String) -> [Effect] {
    guard typed.lowercased().hasPrefix("file:") else { return beginSignIn(at: typed) }
    return [.accounts(.joinFolder(typed))] + notify("reading what other machines have written …")
  }

  /// Goes on with what needed the sign-in.
  mutating func signedIn(at address: String) -> [Effect] {
    endSignIn(at: address)
    let told = notify("signed in at \(WebAddress.host(of: address) ?? address)")
    addresses.lastUser = nil
    if let move = addresses.moveAfterSignIn, move.address == address {
      addresses.moveAfterSignIn = nil
      return self.move(move.feed, to: address, isUserEntered: true) + told
    }
    if addresses.lastAddress == address {
      addresses.lastAddress = nil
      search(for: address)
      return [.subscriptions(.add(address))] + told
    }
    let host = WebAddress.host(of: address)
    let feeds = subscriptions.feeds.filter {
      $0.state.error?.wantsSignIn == true && WebAddress.host(of: $0.serverURL) == host
    }
    // A new account is due at once.
    let due: [Effect] = settings.refreshesByItself ? [.refresh(.due)] : []
    return (feeds.isEmpty ? due : [.refresh(.askedFeeds(feeds.map(\.id)))]) + told
  }

  private mutating func endSignIn(at address: String) {
    if addresses.signingIn?.address == address { addresses.signingIn = nil }
  }

  mutating func receiveRefusal(_ address: String, _ error: SourceError) -> [Effect] {
    endSignIn(at: address)
    if error.wantsSignIn, !isAsking { return askToSignIn(at: address) + notify(error) }
    if addresses.moveAfterSignIn?.address == address { addresses.moveAfterSignIn = nil }
    return notify(error)
  }
}

extension SourceError {
  /// Whether the server asks for a sign-in (401).
  var wantsSignIn: Bool { status == 401 }
}
