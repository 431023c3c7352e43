internal import FeedServer
internal import Foundation
internal import HTTP
internal import News
internal import Services
internal import Synchronization

@testable internal import Repository

/// The server of a course, as the course sees it.
protocol CourseServer: Sendable {
  var service: AccountService { get }
  var base: String { get }
  /// Whether articles that are read and not starred are listed to a reader that has not seen them.
  var listsAll: Bool { get }
  /// The sources of one reader.
  func sources() -> any NewsSources
  /// Addresses of the feeds that the user has.
  var feeds: [String] { get }
  func publish(_ title: String, in feed: String, at date: Date) -> String
  func set(_ mark: CourseMark, _ value: Bool)
  /// Nil for an article that is gone.
  func value(of mark: CourseMark) -> Bool?
  func unsubscribe(from feed: String)
  /// From here on; nil for none.
  func begin(_ fault: CourseFault?)
  /// Happens once, after so many calls.
  func interrupt(afterCalls count: Int, _ action: @escaping @Sendable () async throws -> Void)
  /// Ends what has interrupted, or does what was to and has not.
  func finishInterruption() async throws
}

/// What is done to calls on their way, whatever carries them.
final class CourseWire: Sendable {
  enum Fate {
    case arrives
    case fails
    case losesAnswer
    case html
  }

  private struct State {
    var fault: CourseFault?
    var calls = 0
    var number: Int64 = 0
    var interruption: (calls: Int, action: @Sendable () async throws -> Void)?
    var running: Task<Void, any Error>?
    var isRunning = false
  }

  private let state = Mutex(State())

  func begin(_ fault: CourseFault?) {
    state.withLock { state in
      state.fault = fault
      state.calls = 0
    }
  }

  func interrupt(after count: Int, _ action: @escaping @Sendable () async throws -> Void) {
    state.withLock { $0.interruption = (count, action) }
  }

  func finishInterruption() async throws {
    let (action, running) = state.withLock { ($0.interruption.take()?.action, $0.running.take()) }
    try await running?.value
    try await action?()
  }

  /// Counts from 1.
  func number() -> Int64 {
    state.withLock { state in
      state.number += 1
      return state.number
    }
  }

  /// Calls since the last fault began, or ended.
  var calls: Int { state.withLock { $0.calls } }

  /// What becomes of the next call.
  func next() -> Fate {
    state.withLock { state in
      defer { state.calls += 1 }
      switch state.fault {
      case .fails(state.calls): return .fails
      case .losesAnswer(state.calls): return .losesAnswer
      case .html(state.calls): return .html
      default: return .arrives
      }
    }
  }

  /// After a call was answered. What interrupts is done before the answer arrives, unless it waits for that: the same is
  /// asked once at a time.
  func answered() async throws {
    let isInterrupted = state.withLock { state in
      guard let (calls, action) = state.interruption, state.calls > calls else { return false }
      state.interruption = nil
      state.isRunning = true
      state.running = Task {
        defer { self.state.withLock { $0.isRunning = false } }
        try await action()
      }
      return true
    }
    guard isInterrupted else { return }
    let end = ContinuousClock.now + .seconds(2)
    while state.withLock({ $0.isRunning }), ContinuousClock.now < end {
      try await Task.sleep(for: .milliseconds(1))
    }
  }
}

/// A server whose calls are functions.
struct DirectCourseServer: CourseServer {
  let server = ItemServer()
  /// For what no course asks for.
  private static let others = makeSources()

  init(_ world: CourseWorld) {
    server.state.withLock { state in
      state.pageSize = world.pageSize
      state.namesLast = world.pageSize.isMultiple(of: 2)
      state.limit = world.limit
      state.marksPerCall = world.marksPerCall
      state.subscriptions = (0..<world.feeds).map { feed in
        Subscription(url: "https://example.org/\(feed)", id: "feed/\(feed)")
      }
    }
  }

  var service: AccountService { ItemAccount(server: server).service }
  var base: String { ItemAccount.base }
  var listsAll: Bool { true }

  func sources() -> any NewsSources { ItemSources(others: Self.others, server: server) }

  var feeds: [String] { server.state.withLock { $0.subscriptions.map(\.url) } }

  func publish(_ title: String, in feed: String, at date: Date) -> String {
    let id = server.state.withLock { state in
      state.subscriptions.first { $0.url == feed }?.id ?? ""
    }
    return server.publish(title, in: id, at: date)
  }

  func set(_ mark: CourseMark, _ value: Bool) {
    server.mark(
      mark.id, read: mark.isStar ? nil : value, starred: mark.isStar ? value : nil)
  }

  func value(of mark: CourseMark) -> Bool? {
    server.state.withLock { state in
      guard state.items[mark.id] != nil else { return nil }
      return mark.isStar ? state.starred.contains(mark.id) : !state.unread.contains(mark.id)
    }
  }

  func unsubscribe(from feed: String) { server.state.withLock { $0.unsubscribe(from: feed) } }

  func begin(_ fault: CourseFault?) {
    server.wire.begin(fault)
    server.state.withLock { state in
      state.faults = ItemServer.Faults()
      switch fault {
      case .capsUnread(let count): state.faults.cap = count
      case .circles: state.faults.circles = true
      case .strangeIDs: state.faults.ghosts = ["77"]
      default: break
      }
    }
  }

  func interrupt(afterCalls count: Int, _ action: @escaping @Sendable () async throws -> Void) {
    server.wire.interrupt(after: count, action)
  }

  func finishInterruption() async throws { try await server.wire.finishInterruption() }
}

/// A reference server of a sync protocol, asked by the client of the program.
struct WireCourseServer: CourseServer {
  private static let user = "ada"
  private static let origin = "http://127.0.0.1:9"

  let server: any LibraryServer
  let service: AccountService
  let base: String
  let wire = CourseWire()

  init(_ world: CourseWorld, _ clock: TestClock) {
    let now = { @Sendable in clock.now }
    var library = GoogleReaderModel()
    for feed in 0..<world.feeds {
      library.subscribe(to: "https://example.org/\(feed)", title: "Feed \(feed)")
    }
    func one<Value>(of values: [Value]) -> Value { values[world.dialect % values.count] }
    let dialect: SyncServer.Dialect
    switch world.wire {
    case .direct, .googleReader:
      // One page holds all: a list in pages that are smaller than asked for is never taken to be whole.
      let (product, quirks): (GoogleReaderProduct, GoogleReaderQuirks) = one(of: [
        (.freshRSS, .freshRSS), (.miniflux, .miniflux), (.bazQux, .bazQux), (.other, .plain),
      ])
      var service = AccountService.googleReader
      service.dialect = product.rawValue
      let server = GoogleReaderServer(quirks, clock: now)
      server.addUser(Self.user, password: "secret", library: library)
      (self.server, self.service, base) = (server, service, Self.origin + quirks.basePath)
      return
    case .miniflux:
      (dialect, service, base) = (
        .miniflux(one(of: [.current, .older])), .miniflux, Self.origin + "/v1"
      )
    case .fever:
      let quirks = one(of: [FeverQuirks.plain, .miniflux, .freshRSS, .commaFeed, .coldsweat])
      (dialect, service) = (.fever(quirks), .fever)
      base =
        Self.origin + (quirks.path.hasSuffix("/") ? String(quirks.path.dropLast()) : quirks.path)
    case .feedbin:
      (dialect, service, base) = (.feedbin(FeedbinQuirks()), .feedbin, Self.origin + "/v2")
    case .nextcloudNews:
      (dialect, service) = (.nextcloudNews(NextcloudNewsQuirks()), .nextcloudNews)
      base = Self.origin + "/index.php/apps/news/api"
    case .newsBlur:
      (dialect, service, base) = (.newsBlur(NewsBlurQuirks()), .newsBlur, Self.origin)
    case .tinyTinyRSS:
      (dialect, service, base) = (
        .tinyTinyRSS(one(of: [.current, .older])), .tinyTinyRSS, Self.origin + "/api"
      )
    }
    let server = SyncServer(dialect, clock: now)
    server.addUser(Self.user, password: "secret", library: library)
    self.server = server
  }

  func sources() -> any NewsSources {
    var policy = RetryPolicy()
    policy.maxAttempts = 1
    var gate = OriginGate.Settings()
    gate.breaker.failuresToOpen = .max
    let client = ResilientClient(
      HTTPClient(transport: ServerTransport(server: server, wire: wire)), gate: OriginGate(gate),
      retries: RetryingSend(policy: policy))
    let vault = SecretVault(
      read: { _ in "secret" }, write: { _, _ in }, remove: { _ in })
    return Sources(
      client: client, signIns: SignIns(list: { [] }, vault: vault, client: client))
  }

  var listsAll: Bool { ![.fever, .newsBlur, .feedbin].contains(service) }

  private var library: GoogleReaderModel { server.library(of: Self.user) }

  var feeds: [String] { library.feeds.map(\.url) }

  func publish(_ title: String, in feed: String, at date: Date) -> String {
    let number = wire.number()
    let seconds = Int64(date.timeIntervalSince1970)
    let crawled = seconds * 1_000_000 + number
    // Ids of FreshRSS are the times of the crawl.
    let id = service.dialect == GoogleReaderProduct.freshRSS.rawValue ? crawled : 1_000 + number
    let stream = library.feeds.first { $0.url == feed }?.stream ?? ""
    server.change(Self.user) { library in
      library.insert(
        GoogleReaderModel.Item(
          id: id, feed: stream, title: title, url: "https://example.org/\(id)",
          html: "<p>\(title)</p>", published: seconds, crawled: crawled))
    }
    // A story of NewsBlur is known by its feed and a hash.
    return service == .newsBlur
      ? "\(stream.dropFirst("feed/".count)):\(String(id, radix: 16))" : String(id)
  }

  private func number(_ mark: CourseMark) -> Int64? {
    service == .newsBlur
      ? mark.id.split(separator: ":").last.flatMap { Int64($0, radix: 16) } : Int64(mark.id)
  }

  func set(_ mark: CourseMark, _ value: Bool) {
    guard let id = number(mark) else { return }
    let name = mark.isStar ? GoogleReaderModel.Mark.starred : .read
    server.change(Self.user) {
      $0.mark([id], adding: value ? [name] : [], removing: value ? [] : [name])
    }
  }

  func value(of mark: CourseMark) -> Bool? {
    let state = number(mark).flatMap { library.states[$0] }
    return state.map { mark.isStar ? $0.isStarred : $0.isRead }
  }

  func unsubscribe(from feed: String) {
    server.change(Self.user) { library in
      guard let stream = library.feeds.first(where: { $0.url == feed })?.stream else { return }
      library.unsubscribe(from: stream)
    }
  }

  func begin(_ fault: CourseFault?) {
    wire.begin(fault)
    server.clearFaults()
    switch fault {
    case .circles: server.inject(.repeatedContinuation, on: "items/ids", skipping: 0, times: nil)
    case .strangeIDs: server.inject(.repeatedIDs, on: "items/ids", skipping: 0, times: nil)
    case .endsSignIns: server.endSignIns()
    default: break
    }
  }

  func interrupt(afterCalls count: Int, _ action: @escaping @Sendable () async throws -> Void) {
    wire.interrupt(after: count, action)
  }

  func finishInterruption() async throws { try await wire.finishInterruption() }
}

/// A server of a sync protocol with the library of a user.
protocol LibraryServer: Sendable {
  func reply(to request: WireRequest) -> WireReply
  func library(of user: String) -> GoogleReaderModel
  func change(_ user: String, _ body: (inout GoogleReaderModel) -> Void)
  func inject(_ fault: GoogleReaderFault, on route: String, skipping: Int, times: Int?)
  func clearFaults()
  func endSignIns()
}

extension GoogleReaderServer: LibraryServer {}

extension SyncServer: LibraryServer {
  /// Each request brings the password, or is signed in for the next time by itself.
  func endSignIns() {}
}

/// Hands requests to a server without a network.
private struct ServerTransport: Transport {
  let server: any LibraryServer
  let wire: CourseWire

  func stream(_ request: HTTPRequest) async throws -> HTTPStream {
    let fate = wire.next()
    if fate == .fails { throw HTTPError(.refused, "The server is down.", host: "127.0.0.1") }
    let target = request.url.dropFirst("http://127.0.0.1:9".utf8.count)
    let reply = server.reply(
      to: WireRequest(
        request.method.rawValue, target.isEmpty ? "/" : String(target),
        headers: request.headers.fields.map { ($0.name, $0.value) }, body: request.body ?? []))
    try await wire.answered()
    if fate == .losesAnswer {
      throw HTTPError(.cutShort, "The answer broke off.", host: "127.0.0.1")
    }
    var headers = HTTPHeaders()
    for (name, value) in reply.headers where fate != .html { headers.append(name, value) }
    if fate == .html { headers.append("Content-Type", "text/html") }
    return HTTPStream(
      head: HTTPResponseHead(
        status: fate == .html ? 200 : reply.status, headers: headers, url: request.url),
      body: fate == .html ? Array("<!doctype html><title>Welcome</title>".utf8) : reply.body)
  }
}
