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
    _ = session.state.reduce(.feedNotAdded(address, wanted))
    #expect(session.state.render().text.contains("Name at example.org:"))
    session.send(keys: "ada<Enter>")
    session.send(keys: "pa55w")
    #expect(session.state.render().text.contains("Password: •••••"))
    #expect(!session.state.render().text.contains("pa55w"))
    let effects = session.send(keys: "<BS>ord<Enter>")
    #expect(effects.contains(.signIn(address, name: "ada", TypedSecret("pa55ord"))))
    #expect(session.state.prompt == nil)
    #expect(session.state.reduce(.signedIn(address)).contains(.addFeed(address)))
  }

  @Test func `A wrong password asks again, and Esc gives up`() {
    var session = Session()
    let address = "https://example.org/api"
    _ = session.state.reduce(.feedNotAdded(address, wanted))
    session.send(keys: "ada<Enter>no<Enter>")
    _ = session.state.reduce(.notSignedIn(address, wanted))
    #expect(session.state.render().text.contains("Name at example.org:"))
    session.send(keys: "<Esc>")
    #expect(session.state.prompt == nil)
  }

  @Test func `L signs in at the server of a feed that wants it, and it is tried again`() {
    var session = Session()
    session.send(keys: "L")
    #expect(session.state.render().text.contains("no server here wants a sign-in"))
    var sidebar = session.state.sidebar.snapshot
    for index in sidebar.feeds.indices { sidebar.feeds[index].state.error = nil }
    sidebar.feeds[0].state.error = wanted
    let feed = sidebar.feeds[0]
    _ = session.state.reduce(.sidebarArrived(sidebar))
    session.send(keys: "L")
    #expect(session.state.render().text.contains("Name at"))
    session.send(keys: "ada<Enter>secret<Enter>")
    #expect(session.state.reduce(.signedIn(feed.url)).contains(.refresh(.askedFeeds([feed.id]))))
  }

  @Test func `A secret that is printed gives nothing away`() {
    let effect = Effect.signIn("https://h/", name: "ada", TypedSecret("hidden"))
    var dumped = ""
    dump(effect, to: &dumped)
    #expect(!"\(effect) \(String(reflecting: effect)) \(dumped)".contains("hidden"))
  }
}
