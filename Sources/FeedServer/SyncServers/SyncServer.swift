internal import Synchronization

package import struct Foundation.Date

/// User of a sync server: what opens the account, and what is in it.
struct SyncUser: Sendable {
  var password: String
  /// A key of the API; empty where there is none.
  var key = ""
  var library = GoogleReaderModel()
}

/// The knowledge and the dialect of a sync server: a value without sockets, threads or a clock.
protocol SyncDesk: Sendable {
  /// By name.
  var users: [String: SyncUser] { get set }

  /// - Parameters:
  ///   - faults: those that change what the answer holds; what becomes of its bytes is not the desk's.
  ///   - now: the clock of the server, which need not be right.
  mutating func answer(
    to request: WireRequest, faults: [GoogleReaderFault], now: Date
  ) -> WireReply
}

/// A reference server of a protocol of its own, over the same model as `GoogleReaderServer`, with the quirks
/// of its dialect and faults on demand.
package final class SyncServer: Sendable {
  /// The protocol, with the quirks of a product or of one of its versions.
  package enum Dialect: Sendable, Hashable {
    case miniflux(MinifluxQuirks)
    case fever(FeverQuirks)
    case nextcloudNews(NextcloudNewsQuirks)
    case feedbin(FeedbinQuirks)
    case newsBlur(NewsBlurQuirks)
    case tinyTinyRSS(TinyTinyRSSQuirks)
  }

  private struct State {
    var desk: any SyncDesk
    var faults = GoogleReaderFaultPlan()
  }

  private final class Core: Sendable {
    let state: Mutex<State>
    let clock: @Sendable () -> Date

    init(_ desk: any SyncDesk, clock: @escaping @Sendable () -> Date) {
      state = Mutex(State(desk: desk))
      self.clock = clock
    }

    func script(for request: WireRequest) -> Script {
      let (reply, faults) = state.withLock { state -> (WireReply, [Fault]) in
        let planned = state.faults.take(for: request.target)
        let wire = planned.compactMap { if case .wire(let fault) = $0 { fault } else { nil } }
        // What is refused on the way is not done.
        guard !wire.contains(where: \.replacesReply) else { return (WireReply(), wire) }
        let reply = Self.reply(to: request, at: &state.desk, planned, now: clock())
        return (reply, wire + (planned.contains(.lostAnswer) ? [.reset] : []))
      }
      return Script(reply, to: request.method, faults: faults)
    }

    static func reply(
      to request: WireRequest, at desk: inout any SyncDesk, _ faults: [GoogleReaderFault], now: Date
    ) -> WireReply {
      for fault in faults {
        switch fault {
        case .insertedItems(let count):
          for name in desk.users.keys {
            desk.users[name]?.library.insertFresh(count, now: now)
          }
        case .shiftedOffset(let count):
          for name in desk.users.keys { desk.users[name]?.library.readNewest(count) }
        default: break
        }
      }
      let before = desk.users
      var reply = desk.answer(to: request, faults: faults, now: now)
      if faults.contains(.ignoredMark) { desk.users = before }
      for fault in faults {
        switch fault {
        case .cutText: reply.body = Array(reply.body.prefix(reply.body.count / 2))
        case .html:
          reply = WireReply(
            type: FeedDesk.htmlType,
            text: "<!DOCTYPE html><html><title>Sign in</title><p>Please sign in.</html>")
        case .emptyArray: reply = WireReply(type: GoogleReaderDesk.jsonType, text: "[]\n")
        case .error(let text): reply = WireReply(type: GoogleReaderDesk.textType, text: text)
        default: break
        }
      }
      reply[header: "Date"] = now.httpDate
      return reply
    }
  }

  private let core: Core
  private let server: RawServer

  /// - Parameters:
  ///   - port: 0 takes a free one at the first start and keeps it.
  ///   - clock: for the `Date` header and for items that come by themselves.
  package init(
    _ dialect: Dialect, port: UInt16 = 0, clock: @escaping @Sendable () -> Date = { Date() }
  ) {
    let desk: any SyncDesk =
      switch dialect {
      case .miniflux(let quirks): MinifluxDesk(quirks: quirks)
      case .fever(let quirks): FeverDesk(quirks: quirks)
      case .nextcloudNews(let quirks): NextcloudNewsDesk(quirks: quirks)
      case .feedbin(let quirks): FeedbinDesk(quirks: quirks)
      case .newsBlur(let quirks): NewsBlurDesk(quirks: quirks)
      case .tinyTinyRSS(let quirks): TinyTinyRSSDesk(quirks: quirks)
      }
    let core = Core(desk, clock: clock)
    self.core = core
    server = RawServer(port: port) { core.script(for: $0) }
  }

  /// Listens from here on. The same port again after a stop.
  ///
  /// - Throws: `POSIXError`.
  package func start() throws { try server.start() }

  /// Ends all connections; clients are refused from then on. What it knows stays.
  package func stop() async { await server.stop() }

  /// Starts, runs the body, and stops whatever comes of it.
  package nonisolated(nonsending) func whileServing<Value>(
    _ body: nonisolated(nonsending) (SyncServer) async throws -> Value
  ) async throws -> Value {
    try start()
    do {
      let value = try await body(self)
      await stop()
      return value
    } catch {
      await stop()
      throw error
    }
  }

  /// What the user types: `http://127.0.0.1:PORT`.
  package var siteURL: String { "http://127.0.0.1:\(server.port)" }
  package var requests: [WireRequest] { server.requests }
  package func forgetRequests() { server.forgetRequests() }

  /// How many requests had a part in their target, as in `entries/ids`.
  package func count(_ part: String, _ method: String? = nil) -> Int {
    requests.count { $0.target.contains(part) && (method == nil || $0.method == method) }
  }

  /// The answer to a request that came over no wire, without what happens to answers on one: for transports in
  /// memory.
  package func reply(to request: WireRequest) -> WireReply {
    core.state.withLock { state in
      let planned = state.faults.take(for: request.target)
      return Core.reply(to: request, at: &state.desk, planned, now: core.clock())
    }
  }

  // MARK: - What it knows

  /// - Parameter key: a key of the API; none for the empty one.
  package func addUser(
    _ name: String, password: String, key: String = "",
    library: GoogleReaderModel = GoogleReaderModel()
  ) {
    core.state.withLock {
      $0.desk.users[name] = SyncUser(password: password, key: key, library: library)
    }
  }

  /// The library of a user; an empty one for nobody.
  package func library(of user: String) -> GoogleReaderModel {
    core.state.withLock { $0.desk.users[user]?.library ?? GoogleReaderModel() }
  }

  /// Changes a library as another client of the user would.
  package func change(_ user: String, _ body: (inout GoogleReaderModel) -> Void) {
    core.state.withLock { state in
      guard var library = state.desk.users[user]?.library else { return }
      body(&library)
      state.desk.users[user]?.library = library
    }
  }

  // MARK: - Faults

  /// Plans a fault. Several planned for one route take effect together.
  ///
  /// - Parameters:
  ///   - route: a part of the request's target, as in `entries/ids`.
  ///   - skipping: so many matching requests are spared first.
  ///   - times: so many requests meet it then; nil for all.
  package func inject(
    _ fault: GoogleReaderFault, on route: String = "/", skipping: Int = 0, times: Int? = 1
  ) {
    core.state.withLock {
      $0.faults.add(fault, route: route, skipping: skipping, times: times)
    }
  }

  package func clearFaults() { core.state.withLock { $0.faults.clear() } }
}

extension GoogleReaderModel {
  /// Marks the newest unread items as read, as another client would.
  fileprivate mutating func readNewest(_ count: Int) {
    let unread = items(in: .all).filter { states[$0.id]?.isRead == false }
    mark(unread.prefix(count).map(\.id), adding: [.read])
  }
}

/// An answer that is no success.
struct SyncRefusal: Error {
  var status: Int
  var text: String
}

extension WireRequest {
  /// The name and password of Basic credentials (RFC 7617); nil where there are none.
  var basicCredentials: (user: String, password: String)? {
    guard let header = header("Authorization"), header.hasPrefix("Basic "),
      let text = Self.decodedBase64(String(header.dropFirst("Basic ".count)))
    else { return nil }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
  }

  /// The members of a JSON body; none where it is no object.
  var jsonMembers: [String: Any] { Self.members(of: body) }

  /// All values of a query parameter.
  func queryValues(_ name: String) -> [String] { WireParameters(self).all(name) }

  /// A query parameter that is a number.
  func queryNumber(_ name: String) -> Int64? { query(name).flatMap { Int64($0) } }
}
