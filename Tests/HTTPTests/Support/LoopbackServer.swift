import FeedServer
import HTTP
import Synchronization

/// A server of a test of the client: it begins to listen when it is made, and answers with steps.
final class LoopbackServer: Sendable {
  typealias Step = Script.Step

  private let server: RawServer
  let port: UInt16

  /// - Parameters:
  ///   - opening: how each connection begins.
  ///   - script: what is done for each request; called on the connection's own thread.
  init(
    opening: RawServer.Opening = .request, _ script: @escaping @Sendable (WireRequest) -> [Step]
  ) throws {
    server = RawServer(opening: opening) { Script(script($0)) }
    port = try server.start()
  }

  var requests: [WireRequest] { server.requests }
  /// How many connections were made.
  var connectionsMade: Int { server.madeConnections }
  /// How many of them the client has ended.
  var connectionsLeft: Int { server.connectionsLeft }
  /// What clients have taken of `Step.fill`, in bytes.
  var filledBytes: Int { server.filledBytes }

  func url(_ target: String = "/") -> String { "http://127.0.0.1:\(port)\(target)" }
}

extension Script.Step {
  static func text(_ text: String) -> Self { .send(Array(text.utf8)) }

  /// So many bytes of nothing, counted as the client takes them.
  static func flood(_ count: Int) -> Self { .fill(0x78, count: count) }

  /// The letter x at each interval, so many times.
  static func drip(_ count: Int, every interval: Duration) -> Self {
    .drip([UInt8](repeating: 0x78, count: count), bytes: 1, every: interval)
  }

  /// Until the gate opens or the client goes away.
  static func wait(_ gate: Gate) -> Self { .wait(until: { gate.isOpen }) }
}

/// Holds server scripts back until a test lets them go on.
final class Gate: Sendable {
  private let state = Mutex(false)
  var isOpen: Bool { state.withLock { $0 } }
  func open() { state.withLock { $0 = true } }
}

extension Script.Step {
  /// A whole response.
  static func response(
    _ status: Int = 200, _ headers: [String: String] = [:], body: [UInt8] = []
  ) -> Self {
    let fields = headers.map { "\($0): \($1)\r\n" }.joined()
    let hasBody = status != 204 && status != 304
    let length = hasBody ? "Content-Length: \(body.count)\r\n" : ""
    return .send(Array("HTTP/1.1 \(status) Said\r\n\(fields)\(length)\r\n".utf8) + body)
  }

  static func response(_ status: Int, _ headers: [String: String], _ text: String) -> Self {
    .response(status, headers, body: Array(text.utf8))
  }

  static func response(_ status: Int, _ text: String) -> Self {
    .response(status, [:], body: Array(text.utf8))
  }

  static func redirect(_ status: Int, to location: String) -> Self {
    .response(status, ["Location": location])
  }
}
