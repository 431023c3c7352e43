internal import Synchronization

package import struct Foundation.Date

/// A reference server of the Google Reader API, with the quirks of the products that speak it, and faults
/// on demand.
///
/// | Path below the base | What |
/// |---|---|
/// | `accounts/ClientLogin`, `reader/api/0/token`, `…/user-info` | signing in |
/// | `…/subscription/list`, `…/tag/list`, `…/unread-count` | what the user reads |
/// | `…/stream/items/ids`, `…/stream/items/contents`, `…/stream/contents` | items |
/// | `…/edit-tag`, `…/mark-all-as-read` | marks |
/// | `…/subscription/edit`, `…/subscription/quickadd`, `…/rename-tag`, `…/disable-tag` | subscriptions |
///
/// What it knows of a user is a `GoogleReaderModel`, with which a test compares what a client believes.
package final class GoogleReaderServer: Sendable {
  private struct State {
    var desk: GoogleReaderDesk
    var faults = GoogleReaderFaultPlan()
    var skew: Double = 0
  }

  private final class Core: Sendable {
    let state: Mutex<State>
    let clock: @Sendable () -> Date

    init(_ desk: GoogleReaderDesk, clock: @escaping @Sendable () -> Date) {
      state = Mutex(State(desk: desk))
      self.clock = clock
    }

    func script(for request: WireRequest) -> Script {
      let (answer, faults) = state.withLock { state -> (GoogleReaderDesk.Answer, [Fault]) in
        let planned = state.faults.take(for: request.path)
        let wire = planned.compactMap { if case .wire(let fault) = $0 { fault } else { nil } }
        // What is refused on the way is not done.
        guard !wire.contains(where: \.replacesReply) else {
          return (GoogleReaderDesk.Answer(reply: WireReply()), wire)
        }
        let now = clock().addingTimeInterval(state.skew)
        let answer = state.desk.answer(to: request, faults: planned, now: now)
        return (answer, wire + (planned.contains(.lostAnswer) ? [.reset] : []))
      }
      var script = Script(answer.reply, to: request.method, faults: faults)
      if answer.milliseconds > 0 {
        script.steps.insert(.pause(.milliseconds(answer.milliseconds)), at: 0)
      }
      return script
    }
  }

  private let core: Core
  private let server: RawServer
  package let quirks: GoogleReaderQuirks

  /// - Parameters:
  ///   - port: 0 takes a free one at the first start and keeps it.
  ///   - clock: for the `Date` header, for items that come by themselves and for the end of sign-ins.
  package init(
    _ quirks: GoogleReaderQuirks = .plain, port: UInt16 = 0,
    clock: @escaping @Sendable () -> Date = { Date() }
  ) {
    let core = Core(GoogleReaderDesk(quirks: quirks), clock: clock)
    self.core = core
    self.quirks = quirks
    server = RawServer(port: port) { core.script(for: $0) }
  }

  /// Listens from here on. The same port again after a stop.
  ///
  /// - Returns: the address of the site, without a slash at its end.
  /// - Throws: `POSIXError`.
  @discardableResult
  package func start() throws -> String {
    try server.start()
    return siteURL
  }

  /// Ends all connections; clients are refused from then on. What it knows stays.
  package func stop() async { await server.stop() }

  /// Starts, runs the body, and stops whatever comes of it.
  package nonisolated(nonsending) func whileServing<Value>(
    _ body: nonisolated(nonsending) (GoogleReaderServer) async throws -> Value
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

  /// The address of the API, without a slash at its end.
  package var apiURL: String { siteURL + quirks.basePath }

  package var port: UInt16 { server.port }
  package var requests: [WireRequest] { server.requests }
  package func forgetRequests() { server.forgetRequests() }

  /// The answer to a request that came over no wire, without what happens to answers on one: for
  /// transports in memory.
  package func reply(to request: WireRequest) -> WireReply {
    core.state.withLock { state in
      let faults = state.faults.take(for: request.path)
      let now = core.clock().addingTimeInterval(state.skew)
      return state.desk.answer(to: request, faults: faults, now: now).reply
    }
  }

  // MARK: - What it knows

  /// - Parameter password: the one of the API.
  package func addUser(
    _ name: String, password: String, library: GoogleReaderModel = GoogleReaderModel()
  ) {
    core.state.withLock {
      $0.desk.users[name] = GoogleReaderDesk.User(password: password, library: library)
    }
  }

  /// The library of a user; an empty one for nobody.
  package func library(of user: String) -> GoogleReaderModel {
    core.state.withLock { $0.desk.library(of: user) }
  }

  /// Changes a library as another client of the user would.
  package func change(_ user: String, _ body: (inout GoogleReaderModel) -> Void) {
    core.state.withLock { state in
      guard var library = state.desk.users[user]?.library else { return }
      body(&library)
      state.desk.users[user]?.library = library
    }
  }

  /// Ends all sign-ins that are out: the password opens another.
  package func endSignIns() { core.state.withLock { $0.desk.endSignIns() } }

  /// Whether the administrator allows the API.
  package var isEnabled: Bool {
    get { core.state.withLock { $0.desk.isEnabled } }
    set { core.state.withLock { $0.desk.isEnabled = newValue } }
  }

  /// Whether the web server in front drops `Authorization`.
  package var losesAuthorization: Bool {
    get { core.state.withLock { $0.desk.losesAuthorization } }
    set { core.state.withLock { $0.desk.losesAuthorization = newValue } }
  }

  /// How many seconds the server's clock is ahead.
  package var clockSkew: Double {
    get { core.state.withLock { $0.skew } }
    set { core.state.withLock { $0.skew = newValue } }
  }

  // MARK: - Faults

  /// Plans a fault. Several planned for one route take effect together.
  ///
  /// - Parameters:
  ///   - route: a part of the path, as in `edit-tag`.
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
