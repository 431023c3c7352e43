internal import News
internal import Screen
internal import Testing

@testable import Reader

struct SignInTests {
  private let wanted = SourceError(
    .status, stage: .fetch, subject: "https://example.org/api",
    message: "example.org wants you to sign in.",
    status: 401)

  @Test func `A feed that wants a sign-in asks for name and password, and is added then`() {
    var session = Session()
    let address = "https://example.org/api"
    _ = session.state.reduce(.subscriptions(.notAdded(address, wanted)))
    #expect(session.state.render().text.contains("User name at example.org:"))
    session.send(keys: "ada<Enter>")
    session.send(keys: "pa55w")
    #expect(session.state.render().text.contains("Password: •••••"))
    #expect(!session.state.render().text.contains("pa55w"))
    let effects = session.send(keys: "<BS>ord<Enter>")
    #expect(effects.contains(.accounts(.signIn(address, name: "ada", TypedSecret("pa55ord")))))
    #expect(session.state.prompt == nil)
    #expect(
      session.state.reduce(.accounts(.signedIn(address))).contains(.subscriptions(.add(address))))
  }

  @Test(arguments: [true, false])
  func `A new account is fetched as soon as the user has signed in`(_ byItself: Bool) {
    var session = Session()
    session.state.settings.interval = byItself ? .adaptive : .never
    let effects = session.state.reduce(.accounts(.signedIn("https://rss.example")))
    #expect(effects.contains(.refresh(.due)) == byItself)
  }

  @Test func `A wrong password asks again, and Esc gives up`() {
    var session = Session()
    let address = "https://example.org/api"
    _ = session.state.reduce(.subscriptions(.notAdded(address, wanted)))
    session.send(keys: "ada<Enter>no<Enter>")
    _ = session.state.reduce(.accounts(.notSignedIn(address, wanted)))
    // The name may have been right.
    #expect(session.state.render().text.contains("User name at example.org: ada"))
    session.send(keys: "<Enter>")
    #expect(
      session.send(keys: "yes<Enter>").contains(
        .accounts(.signIn(address, name: "ada", TypedSecret("yes")))))
    _ = session.state.reduce(.accounts(.notSignedIn(address, wanted)))
    session.send(keys: "eve<Enter>")
    #expect(
      session.send(keys: "yes<Enter>").contains(
        .accounts(.signIn(address, name: "eve", TypedSecret("yes")))))
    _ = session.state.reduce(.accounts(.notSignedIn(address, wanted)))
    session.send(keys: "<Esc>")
    #expect(session.state.prompt == nil)
  }

  @Test func `L signs in at the server of a feed that wants it, and it is tried again`() {
    var session = Session()
    session.send(keys: "L")
    #expect(session.state.render().text.contains("Sign in to"))
    #expect(
      session.send(keys: "file:~/Sync<Enter>").contains(.accounts(.joinFolder("file:~/Sync"))))
    #expect(session.state.prompt == nil)
    #expect(session.send(keys: "Lnews.example<Enter>").contains(.accounts(.reach("news.example"))))
    _ = session.state.reduce(.accounts(.reached("news.example")))
    #expect(session.state.render().text.contains("User name at news.example"))
    session.send(keys: "<Esc>")
    var sidebar = session.state.subscriptions
    for index in sidebar.feeds.indices { sidebar.feeds[index].state.error = nil }
    sidebar.feeds[0].state.error = wanted
    let feed = sidebar.feeds[0]
    _ = session.state.reduce(.subscriptions(.arrived(sidebar)))
    #expect(session.send(keys: "L").contains(.accounts(.reach(feed.serverURL))))
    _ = session.state.reduce(.accounts(.reached(feed.serverURL)))
    #expect(session.state.render().text.contains("User name at"))
    session.send(keys: "ada<Enter>secret<Enter>")
    #expect(
      session.state.reduce(.accounts(.signedIn(feed.url))).contains(
        .refresh(.askedFeeds([feed.id]))))
  }

  @Test func `Nobody is asked for a password where no server answers`() {
    var session = Session()
    session.send(keys: "Lnews.example<Enter>")
    #expect(session.lines.last?.contains("waiting for news.example …") == true)
    #expect(session.lines.last?.contains("Esc cancel") == true)
    let refused = SourceError(
      .refused, stage: .connect, subject: "news.example",
      message: "news.example refused the connection.")
    _ = session.state.reduce(.accounts(.notReached("news.example", refused)))
    #expect(session.state.prompt == nil)
    #expect(session.state.render().text.contains("refused the connection"))

    session.send(keys: "Lnews.example<Enter>")
    #expect(session.send(keys: "<Esc>").contains(.cancel(.signIn)))
    _ = session.state.reduce(.accounts(.reached("news.example")))
    #expect(session.state.prompt == nil)
  }

  @Test func `The status line tells of a sign-in until that ends, and Esc ends it`() {
    var session = Session()
    let address = "https://example.org/api"
    func isTold() -> Bool {
      session.lines.last?.contains("signing in to example.org …") == true
    }
    for end in [Action.accounts(.signedIn(address)), .accounts(.notSignedIn(address, wanted)), nil]
    {
      _ = session.state.reduce(.subscriptions(.notAdded(address, wanted)))
      session.send(keys: "ada<Enter>secret<Enter>j")
      #expect(isTold())
      if let end {
        _ = session.state.reduce(end)
        session.send(keys: "<Esc>")
      } else {
        #expect(session.send(keys: "<Esc>").contains(.cancel(.signIn)))
      }
      #expect(!isTold())
    }
  }

  @Test(arguments: ["ada<Enter>secret<Enter>", "<Esc>", "ada<Enter><Esc>", "<Enter>", "<BS>"])
  func `A new address that wants a sign-in asks for it, and the feed is moved then`(
    _ keys: String
  ) {
    var session = Session()
    let (id, address) = (FeedID(1), "https://example.org/api")
    _ = session.state.reduce(.subscriptions(.notMoved(id, to: address, wanted)))
    #expect(session.state.render().text.contains("User name at example.org:"))
    let isAsked = session.send(keys: keys).contains {
      if case .accounts(.signIn(address, _, _)) = $0 { true } else { false }
    }
    #expect(session.state.prompt == nil)
    // Whoever gives up, and signs in there later, does not move a feed by it.
    let move = Effect.subscriptions(.move(id, to: address, isUserEntered: true))
    #expect(session.state.reduce(.accounts(.signedIn(address))).contains(move) == isAsked)
    #expect(!session.state.reduce(.accounts(.signedIn(address))).contains(move))
  }

  @Test func `A new address that wants a sign-in does not take the place of another question`() {
    var session = Session()
    session.send(keys: "a")
    let prompt = session.state.prompt
    _ = session.state.reduce(
      .subscriptions(.notMoved(FeedID(1), to: "https://example.org/api", wanted)))
    #expect(session.state.prompt == prompt && prompt != nil)
    #expect(session.state.notice?.text.contains("wants you to sign in") == true)
  }

  @Test func `A secret that is printed gives nothing away`() {
    let effect = Effect.accounts(.signIn("https://h/", name: "ada", TypedSecret("hidden")))
    var dumped = ""
    dump(effect, to: &dumped)
    #expect(!"\(effect) \(String(reflecting: effect)) \(dumped)".contains("hidden"))
  }
}
