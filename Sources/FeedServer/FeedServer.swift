// The front door of FeedServer, the server that Telex's tests and its demo read from:
//
// - `FeedServer` serves an `Archive` through the Feed API (Docs/FeedAPI.md) and as RSS, Atom, RDF,
//   JSON Feed and HTML, with `Fault`s on demand;
// - `RawServer` answers with whatever bytes a `Script` says, broken ones included;
// - `StaticServer` serves a directory from memory, fast, for benchmarks.
//
// All listen on 127.0.0.1 only and run on threads of their own.

internal import Synchronization

package import struct Foundation.Date

/// The reference server of the Feed API.
///
/// | Path | What |
/// |---|---|
/// | `/api`, `/api/articles…` | the Feed API |
/// | `/rss.xml`, `/atom.xml`, `/rdf.xml`, `/feed.json` | the same articles as feeds, newest first |
/// | `/api/articles.ndjson` | all articles, a line each |
/// | `/archive/atom.xml`, `/archive/atom-N.xml` | a feed with archives (RFC 5005 §4) |
/// | `/wp/feed/?paged=N` | a feed whose older pages have numbers, as WordPress writes it |
/// | `/`, `/read/ID`, `/media/NAME` | pages for browsers and for feed discovery, pictures, sound |
/// | `/api/live` | what happens, as it happens: server-sent events or a WebSocket |
/// | `/graphql` | the articles as a GraphQL server has them (`GraphQLDesk`) |
/// | `/SECTION/…` | all of the above (but `/media`) for one section of the archive |
package final class FeedServer: Sendable {
  private final class State: Sendable {
    struct Values {
      var desk: FeedDesk
      var faults = FaultPlan()
    }

    let values: Mutex<Values>
    let board = LiveBoard()
    let heartbeat: Duration
    let clock: @Sendable () -> Date

    init(_ desk: FeedDesk, heartbeat: Duration, clock: @escaping @Sendable () -> Date) {
      values = Mutex(Values(desk: desk))
      self.heartbeat = heartbeat
      self.clock = clock
    }

    /// Changes what the desk knows, and tells those who listen.
    func change<Value>(_ body: (inout FeedDesk, Date) -> Value) -> Value {
      let now = clock()
      let value = values.withLock { body(&$0.desk, now) }
      board.wake()
      return value
    }
  }

  private let state: State
  private let server: RawServer

  /// - Parameters:
  ///   - port: 0 takes a free one at the first start and keeps it.
  ///   - mediaDirectory: the files under `/media`; nil for none but silence.
  ///   - maxAge: seconds for `Cache-Control: max-age`; nil says `no-cache`: ask each time.
  ///   - heartbeat: how long a live connection is silent at most.
  ///   - clock: for the `Date` header and for what is inserted and posted.
  /// - Throws: when the media cannot be read.
  package init(
    archive: Archive, port: UInt16 = 0, mediaDirectory: String? = nil, maxAge: Int? = nil,
    heartbeat: Duration = .seconds(30), clock: @escaping @Sendable () -> Date = { Date() }
  ) throws {
    let media = try mediaDirectory.map { try MediaShelf(directory: $0) } ?? .empty
    let desk = FeedDesk(archive: archive, media: media, maxAge: maxAge, now: clock())
    let state = State(desk, heartbeat: heartbeat, clock: clock)
    self.state = state
    server = RawServer(port: port) { Self.answer($0, state) }
  }

  /// Listens from here on. The same port again after a stop.
  ///
  /// - Returns: the base URL, without a slash at the end.
  /// - Throws: `POSIXError`.
  @discardableResult
  package func start() throws -> String {
    try server.start()
    return baseURL
  }

  /// Ends all connections; clients are refused from then on. What was inserted and posted stays.
  package func stop() async { await server.stop() }

  /// Starts, runs the body with the base URL, and stops whatever comes of it.
  package nonisolated(nonsending) func whileServing<Value>(
    _ body: nonisolated(nonsending) (_ baseURL: String) async throws -> Value
  ) async throws -> Value {
    let base = try start()
    do {
      let value = try await body(base)
      await stop()
      return value
    } catch {
      await stop()
      throw error
    }
  }

  /// `http://127.0.0.1:PORT`
  package var baseURL: String { "http://127.0.0.1:\(server.port)" }

  /// The base URL of the Feed API.
  package var apiURL: String { baseURL + "/api" }

  package var port: UInt16 { server.port }

  /// Every request since the server was made, whatever became of it, in the order of arrival.
  package var requests: [WireRequest] { server.requests }

  package func forgetRequests() { server.forgetRequests() }

  /// How many clients are connected now.
  package var openConnections: Int { server.openConnections }

  /// How many of them wait for an answer, or for the rest of one.
  package var busyConnections: Int { server.busyConnections }

  package var archive: Archive { state.values.withLock { $0.desk.archive } }

  /// What stands under an article, oldest first; empty for an unknown one.
  package func comments(on id: String) -> [Comment] {
    state.values.withLock { $0.desk.comments(on: id) }
  }

  /// The files that clients have sent, in the order in which they were begun.
  package var uploads: [Upload] { state.values.withLock { $0.desk.uploads.uploads } }

  /// Drops a file that no comment has yet, as a server does after a while.
  package func dropUpload(_ id: String) {
    state.values.withLock { $0.desk.uploads.forget(id) }
  }

  /// Changes a comment as another client of its author would. False without such a comment.
  @discardableResult
  package func editComment(_ id: String, on article: String, to text: String) -> Bool {
    state.change { desk, now in
      guard let article = desk.archive.article(article) else { return false }
      return desk.editComment(id, on: article, to: text, now: now)
    }
  }

  /// Comments on an article as another client would. False without such an article.
  @discardableResult
  package func addComment(_ text: String, on article: String) -> Bool {
    state.change { desk, now in
      guard let article = desk.archive.article(article) else { return false }
      desk.addComment(text, on: article, now: now)
      return true
    }
  }

  /// Answers a comment as another client would. False without such a comment.
  @discardableResult
  package func answerComment(_ id: String, on article: String, with text: String) -> Bool {
    state.change { desk, now in
      guard let article = desk.archive.article(article) else { return false }
      return desk.answerComment(id, on: article, with: text, now: now)
    }
  }

  /// Takes a comment away: it is gone (410) from then on. False without such a comment.
  @discardableResult
  package func deleteComment(_ id: String, on article: String) -> Bool {
    state.change { desk, _ in desk.deleteComment(id, on: article) }
  }

  /// From here on the API asks for a sign-in, its description of itself excepted.
  ///
  /// - Parameter tokenLifetime: seconds that an access token lasts.
  package func addUser(_ name: String, password: String, tokenLifetime: Int64 = 900) {
    state.values.withLock { values in
      values.desk.sessions.passwords[name] = password
      values.desk.sessions.lifetime = tokenLifetime
    }
  }

  /// From here on paths with this prefix ask for a sign-in of this kind.
  package func protect(_ prefix: String, with protection: Protection) {
    state.values.withLock { $0.desk.sessions.protections.append((prefix, protection)) }
  }

  /// Ends all access tokens that are out; they can be renewed.
  package func expireAccessTokens() {
    state.values.withLock { $0.desk.sessions.expireAccessTokens() }
  }

  /// Ends the access tokens of one user; they can be renewed.
  package func expireAccessTokens(of user: String) {
    state.values.withLock { $0.desk.sessions.expireAccessTokens(of: user) }
  }

  /// From here on the API's pages give these articles to this user alone.
  package func give(_ articles: [String], to user: String) {
    state.values.withLock { $0.desk.give(articles, to: user) }
  }

  /// Ends all sessions: only a sign-in helps.
  package func revokeSessions() {
    state.values.withLock { $0.desk.sessions.revokeAll() }
  }

  /// How many sessions could be renewed.
  package var openSessions: Int { state.values.withLock { $0.desk.sessions.openSessions } }

  /// Adds new articles above all others.
  package func insertFresh(_ count: Int) {
    state.change { $0.insertFresh(count, now: $1) }
  }

  /// Adds these articles, or replaces those of the same id.
  package func insert(_ articles: [Archive.Article]) {
    state.change { $0.insert(articles, now: $1) }
  }

  /// Takes an article away: it is gone (410) from then on. False if there is none of that id.
  @discardableResult
  package func delete(id: String) -> Bool {
    state.change { $0.delete(id, now: $1) }
  }

  /// How many clients listen to what happens.
  package var liveConnections: Int { state.board.count }

  /// Ends the live connections that there are now. Clients may come back at once.
  ///
  /// - Parameter code: for a WebSocket's close frame; without one the connection just ends.
  package func dropLiveConnections(code: UInt16? = nil) { state.board.drop(code: code) }

  /// Plans a fault. Several planned for one path take effect together.
  ///
  /// - Parameters:
  ///   - prefix: of the path, as the client writes it.
  ///   - skipping: so many matching requests are spared first.
  ///   - times: so many requests meet it then; nil for all.
  package func inject(
    _ fault: Fault, on prefix: String = "/", skipping: Int = 0, times: Int? = 1
  ) {
    state.values.withLock {
      $0.faults.add(fault, prefix: prefix, skipping: skipping, times: times)
    }
  }

  package func clearFaults() { state.values.withLock { $0.faults.clear() } }

  private static func answer(_ request: WireRequest, _ state: State) -> Script {
    let now = state.clock()
    let answer = state.values.withLock { values -> Answer in
      var faults = values.faults.take(for: request.path)
      for list in [request.query("fault"), request.header("X-Telex-Fault")] {
        for text in list?.split(separator: ",") ?? [] {
          guard let fault = Fault(text) else {
            let error = APIError.badParameter("fault", "There is no fault of this form: \(text)")
            return Answer(reply: error.reply)
          }
          faults.append(fault)
        }
      }
      let origin = "http://" + (request.header("Host") ?? "127.0.0.1")
      let before = values.desk.journal.lastNumber
      let reply = values.desk.reply(to: request, origin: origin, faults: faults, now: now)
      let opening = reply.isOpenEnded ? values.desk.liveOpening(for: request) : nil
      let hasNews = values.desk.journal.lastNumber > before
      return Answer(reply: reply, faults: faults, opening: opening, hasNews: hasNews)
    }
    if answer.hasNews { state.board.wake() }
    guard let opening = answer.opening, !answer.faults.contains(where: \.replacesReply) else {
      return Script(answer.reply, to: request.method, faults: answer.faults)
    }
    let conversation = LiveConversation(
      opening: opening, head: answer.reply.head(), board: state.board, heartbeat: state.heartbeat,
      isMute: answer.faults.contains(.mute), journal: { state.values.withLock(\.desk.journal) })
    return Script([.handOver { conversation.hold($0, received: $1) }])
  }

  private struct Answer {
    var reply: WireReply
    var faults: [Fault] = []
    var opening: LiveOpening?
    var hasNews = false
  }
}
