internal import News
internal import Screen
internal import Text

/// Searches for feeds at addresses, and what follows them.
struct AddressSearches: Hashable, Sendable {
  var lastAddress: String?
  var adding: [AddressSearch] = []
  var moving: Move?
  var moveAfterSignIn: Move?
  /// Who has tried to sign in last, and where: offered again where the password was wrong.
  var lastUser: SignInAttempt?
  /// The sign-in that is under way, from the question whether its server answers.
  var signingIn: SigningIn?
  /// Whether there was no input since the last search began. Only then a failed address is offered again
  /// at once.
  var isWaitedFor = false

  /// The search or sign-in that runs, for the status line.
  var activity: String? {
    if let signingIn {
      let host = WebAddress.host(of: signingIn.address) ?? signingIn.address
      return SubscriptionsStrings.signingIn(at: host, isReached: signingIn.isReached)
    }
    return (adding.last?.place ?? moving?.address).map(SubscriptionsStrings.lookingForFeed(at:))
  }
}

struct SigningIn: Hashable, Sendable {
  var address: String
  /// Whether its server is known to answer, and is asked to take a name and a password.
  var isReached: Bool
}

struct AddressSearch: Hashable, Sendable {
  /// The address that the user typed.
  var address: String
  /// The address that is fetched: the typed one, or one of several that it led to.
  var place: String
  /// The account that is to subscribe; nil for none.
  var account: Account?
}

struct SignInAttempt: Hashable, Sendable {
  var address: String
  var name: String
}

struct Move: Hashable, Sendable {
  var feed: FeedID
  var address: String
}

extension AddressSearches {
  static func search(
    at place: String? = nil, for address: String, account: Account? = nil,
    in state: inout ReaderState
  ) {
    state.addresses.adding.removeAll { $0.address == address }
    state.addresses.adding.append(
      AddressSearch(address: address, place: place ?? address, account: account))
    state.addresses.isWaitedFor = true
  }

  /// Cancels a sign-in that is under way, else the latest search.
  static func cancelSearch(in state: inout ReaderState) -> [Effect]? {
    if state.addresses.signingIn != nil {
      state.addresses.signingIn = nil
      state.addresses.moveAfterSignIn = nil
      return [.cancel(.signIn)]
        + state.notify(SubscriptionsStrings.signInCancelled(state.key(.signIn)))
    }
    if let search = state.addresses.adding.popLast() {
      state.addresses.lastAddress = search.address
      return [.cancel(.subscriptions(.add(search.address)))]
        + state.notify(SubscriptionsStrings.searchCancelled(add: state.key(.add)))
    }
    if let move = state.addresses.moving {
      state.addresses.moving = nil
      return [.cancel(.subscriptions(.move(move.feed)))]
        + state.notify(SubscriptionsStrings.moveCancelled(change: state.key(.change)))
    }
    return nil
  }

  // MARK: Adding

  static func askForAddress(in state: inout ReaderState) -> [Effect] {
    state.ask(
      .addFeed(in: state.subscriptions.accountOfServer(of: state.sidebar.selected)),
      LineEditor(selected: state.addresses.lastAddress ?? ""))
    state.addresses.lastAddress = nil
    return []
  }

  /// Asks whether to subscribe to an address that was pasted where no line is being typed.
  static func askForFeed(pasted text: String, in state: inout ReaderState) -> [Effect] {
    guard text.contains("://") else {
      return state.notify(SubscriptionsStrings.pastedNoAddress(help: state.key(.help)))
    }
    var line = LineEditor()
    line.insert(text)
    state.ask(.addFeed(in: state.subscriptions.accountOfServer(of: state.sidebar.selected)), line)
    return []
  }

  /// - Parameter account: the account whose server is to subscribe; nil where the feed is fetched from here.
  static func add(_ typed: String, account: Account?, in state: inout ReaderState) -> [Effect] {
    var address = typed.trimmingPrefix(while: \.isWhitespace)
    while address.last?.isWhitespace == true { address.removeLast() }
    guard !address.isEmpty else { return [] }
    search(for: String(address), account: account, in: &state)
    if let account { return [.subscriptions(.addToAccount(String(address), account))] }
    return [.subscriptions(.add(String(address)))]
  }

  /// Looks for the feed of a subscription that was added without a network; of several, the user chooses.
  ///
  /// - Returns: nil where its feed is known.
  static func findSought(_ id: FeedID, in state: inout ReaderState) -> [Effect]? {
    guard let feed = state.feed(id), feed.settings.isSought else { return nil }
    search(for: feed.url, in: &state)
    return [.subscriptions(.add(feed.url))]
  }

  static func receiveAdded(
    _ feed: Feed, isNew: Bool, foundAt page: String?, address: String?, in state: inout ReaderState
  ) -> [Effect] {
    state.addresses.adding.removeAll { $0.address == address }
    // The snapshot that knows it may still be on its way.
    if state.feed(feed.id) == nil {
      state.subscriptions.feeds.append(feed)
      state.subscriptions.counts = state.subscriptions.counts + feed.counts
      state.sidebar.rebuildItems(from: state.subscriptions)
    }
    let effects = state.show(.feed(feed.id))
    state.focus = .list
    let told = SubscriptionsStrings.subscribed(to: feed, isNew: isNew)
    guard let page else { return effects + state.notify(told) }
    let site = WebAddress.host(of: page) ?? page
    return effects + state.notify("\(told) \(SubscriptionsStrings.foundAt(site))")
  }

  /// Handles a failed search. The address is offered for correction with the error above it; where the user
  /// has begun something else meanwhile, `a` offers it.
  static func receiveFailure(
    _ address: String, _ error: SourceError, in state: inout ReaderState
  ) -> [Effect] {
    let isWaitedFor = state.addresses.isWaitedFor && state.addresses.adding.last?.address == address
    let account = state.addresses.adding.last { $0.address == address }?.account
    state.addresses.adding.removeAll { $0.address == address }
    state.addresses.lastAddress = address
    let told = state.notify(error)
    guard !state.isAsking else { return told }
    // One question leads to the other.
    if error.wantsSignIn {
      // A name and password in it were refused.
      state.addresses.lastAddress = WebAddress.withoutUser(address)
      return askToSignIn(at: WebAddress.withoutUser(address), in: &state) + told
    }
    let isCovered = state.stack.top.map { type(of: $0).layer > .page } ?? false
    if isWaitedFor, !isCovered, state.addresses.moving == nil {
      state.ask(.addFeed(in: account), LineEditor(state.addresses.lastAddress ?? ""))
      state.addresses.lastAddress = nil
    }
    return told
  }

  /// Takes feeds out that have been removed. Where the store's list without them came first, its counts stand.
  static func receiveRemoval(
    of ids: [FeedID], saying told: String, in state: inout ReaderState
  ) -> [Effect] {
    var snapshot = state.subscriptions
    let gone = Set(ids)
    snapshot.feeds.removeAll { gone.contains($0.id) }
    guard snapshot.feeds.count < state.subscriptions.feeds.count else { return state.notify(told) }
    snapshot.counts = snapshot.feeds.reduce(ArticleCounts()) { $0 + $1.counts }
    return Action.Subscriptions.receive(snapshot, in: &state) + state.notify(told)
  }

  // MARK: Moving

  /// - Parameter isUserEntered: whether the user wrote the address; one that a page names may lead to public
  ///   hosts only.
  static func move(
    _ id: FeedID, to address: String, isUserEntered: Bool, in state: inout ReaderState
  ) -> [Effect] {
    state.addresses.moving = Move(feed: id, address: address)
    return [.subscriptions(.move(id, to: address, isUserEntered: isUserEntered))]
  }

  static func receiveMoved(_ move: Move, in state: inout ReaderState) -> [Effect] {
    let id = move.feed
    _ = state.offer(.subscriptions(.moved(id, to: move.address)))
    if state.addresses.moving == move { state.addresses.moving = nil }
    let title = state.feed(id)?.displayTitle ?? SubscriptionsStrings.theFeed
    let wish = Effect.Refresh.asked(.feed(id))
    return [.cancel(.refresh(wish)), .refresh(wish)]
      + state.notify(SubscriptionsStrings.moved(title))
  }

  static func receiveMoveFailure(
    _ move: Move, _ error: SourceError, in state: inout ReaderState
  ) -> [Effect] {
    if state.addresses.moving == move { state.addresses.moving = nil }
    let told = state.notify(error)
    // One question leads to the other, unless the user has begun something else.
    guard error.wantsSignIn, !state.isAsking else { return told }
    // The name and password in it, if there were any, were refused.
    let address = WebAddress.withoutUser(move.address)
    state.addresses.moveAfterSignIn = Move(feed: move.feed, address: address)
    return askToSignIn(at: address, in: &state) + told
  }

  // MARK: Signing in

  /// Asks for the name and the password once the server has answered anything: nobody types them in vain.
  static func beginSignIn(at address: String, in state: inout ReaderState) -> [Effect] {
    state.addresses.signingIn = SigningIn(address: address, isReached: false)
    state.forgetError()
    return [.accounts(.reach(address))]
  }

  static func receiveReached(_ address: String, in state: inout ReaderState) -> [Effect] {
    guard state.addresses.signingIn == SigningIn(address: address, isReached: false) else {
      return []
    }
    state.addresses.signingIn = nil
    guard !state.isAsking else {
      let host = WebAddress.host(of: address) ?? address
      return state.notify(SubscriptionsStrings.answers(host, signIn: state.key(.signIn)))
    }
    return askToSignIn(at: address, in: &state)
  }

  static func receiveUnreached(
    _ address: String, _ error: SourceError, in state: inout ReaderState
  ) -> [Effect] {
    guard state.addresses.signingIn == SigningIn(address: address, isReached: false) else {
      return []
    }
    state.addresses.signingIn = nil
    return state.notify(error)
  }

  static func askToSignIn(at address: String, in state: inout ReaderState) -> [Effect] {
    let last = state.addresses.lastUser.flatMap { $0.address == address ? $0.name : nil }
    state.ask(.signInName(address: address), last.map { LineEditor(selected: $0) } ?? LineEditor())
    return []
  }

  /// Asks who signs in at an address that the user typed; a folder asks for nothing.
  static func signIn(at typed: String, in state: inout ReaderState) -> [Effect] {
    guard typed.lowercased().hasPrefix("file:") else { return beginSignIn(at: typed, in: &state) }
    state.addresses.signingIn = SigningIn(address: typed, isReached: true)
    return [.accounts(.joinFolder(typed))] + state.notify(SubscriptionsStrings.joiningFolder)
  }

  /// Continues the action that needed the sign-in.
  static func signedIn(at address: String, in state: inout ReaderState) -> [Effect] {
    endSignIn(at: address, in: &state)
    let told = state.notify(
      SubscriptionsStrings.signedIn(at: WebAddress.host(of: address) ?? address))
    state.addresses.lastUser = nil
    if let move = state.addresses.moveAfterSignIn, move.address == address {
      state.addresses.moveAfterSignIn = nil
      return Self.move(move.feed, to: address, isUserEntered: true, in: &state) + told
    }
    if state.addresses.lastAddress == address {
      state.addresses.lastAddress = nil
      search(for: address, in: &state)
      return [.subscriptions(.add(address))] + told
    }
    let host = WebAddress.host(of: address)
    let feeds = state.subscriptions.feeds.filter {
      $0.state.error?.wantsSignIn == true && WebAddress.host(of: $0.serverURL) == host
    }
    // A new account is due at once.
    let due: [Effect] = state.settings.preferences.refreshesByItself ? [.refresh(.due)] : []
    return (feeds.isEmpty ? due : [.refresh(.askedFeeds(feeds.map(\.id)))]) + told
  }

  private static func endSignIn(at address: String, in state: inout ReaderState) {
    if state.addresses.signingIn?.address == address { state.addresses.signingIn = nil }
  }

  static func receiveRefusal(
    _ address: String, _ error: SourceError, in state: inout ReaderState
  ) -> [Effect] {
    endSignIn(at: address, in: &state)
    if error.wantsSignIn, !state.isAsking {
      return askToSignIn(at: address, in: &state) + state.notify(error)
    }
    if state.addresses.moveAfterSignIn?.address == address { state.addresses.moveAfterSignIn = nil }
    return state.notify(error)
  }
}

extension SourceError {
  /// Whether the server asks for a sign-in (401).
  var wantsSignIn: Bool { status == 401 }
}
