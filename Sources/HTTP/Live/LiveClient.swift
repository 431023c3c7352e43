internal import WebSocket

package import struct Foundation.Date

/// State or event of a live connection, for the listener.
package enum LiveEvent: Sendable, Hashable {
  /// Connected.
  case opened
  case event(ServerEvent)
  /// Not connected; the next attempt is at that moment, the first of a row is 1.
  case waiting(until: Date, attempt: Int, because: HTTPError)
  /// The last one. The error is nil where the server had nothing more to say.
  case ended(LiveConnection.Stop, HTTPError?)
}

/// Client for live events over server-sent events or a WebSocket. It reconnects when the connection
/// is lost.
package struct LiveClient: Sendable {
  package enum Wire: Sendable, Hashable, CaseIterable {
    case eventStream, webSocket
  }

  package struct Configuration: Sendable {
    package var limits = LiveConnection.Limits()
    package var clock = RetryClock.system
    /// Source of the keys and masks of a WebSocket, which must be unpredictable.
    package var randomBits: @Sendable () -> UInt32 = { .random(in: 0 ... .max) }

    package init() {}
  }

  private let client: HTTPClient
  private let configuration: Configuration

  package init(client: HTTPClient, configuration: Configuration = Configuration()) {
    self.client = client
    self.configuration = configuration
  }

  /// Events from now on, or from `lastEventID` on. Connects when the first element is asked for, and works only
  /// while one is. Cancelling the task, or dropping the iterator, closes the connection.
  ///
  /// - Parameters:
  ///   - renew: called after a 401: whether there is a new credential. Nil where there never is one.
  ///   - makeRequest: a GET of the address (`ws` and `wss` stand for `http` and `https`) with its credentials, made
  ///     before each connection. Its errors, `HTTPError` aside, end the events.
  package func events(
    over wire: Wire, after lastEventID: String = "",
    renew: (@Sendable () async throws -> Bool)? = nil,
    makeRequest: @escaping @Sendable () async throws -> HTTPRequest
  ) -> LiveEvents {
    var configuration = configuration
    if wire == .eventStream { configuration.limits.ping = nil }
    return LiveEvents(
      wire: wire, client: client, configuration: configuration, lastEventID: lastEventID,
      renew: renew, makeRequest: makeRequest)
  }
}

extension LiveClient.Wire {
  /// The request with the headers of this wire.
  func request(_ request: HTTPRequest, lastEventID: String, key: String) -> HTTPRequest {
    var request = request
    request.url = LiveClient.Wire.webAddress(request.url)
    request.headers.setDefault("Cache-Control", "no-cache")
    // An id that no header can carry is as good as none.
    let isSendable =
      lastEventID.utf8.count <= 4_096
      && !lastEventID.utf8.contains { $0 < 0x20 || $0 == 0x7F }
    if !lastEventID.isEmpty && isSendable { request.headers["Last-Event-ID"] = lastEventID }
    switch self {
    case .eventStream: request.headers["Accept"] = "text/event-stream"
    case .webSocket:
      request.headers["Sec-WebSocket-Version"] = "13"
      request.headers["Sec-WebSocket-Key"] = key
    }
    return request
  }

  /// Whether the response begins a live connection.
  func accepts(_ head: HTTPResponseHead, key: String) -> Bool {
    switch self {
    case .eventStream:
      let type = head.headers["Content-Type"]?.prefix { $0 != ";" && $0 != " " } ?? ""
      return head.status == 200 && HTTPHeaders.isSame(String(type), "text/event-stream")
    case .webSocket:
      return head.status == 101
        && WebSocketHandshake.isAccepted(key: key) { head.headers.values(of: $0) }
    }
  }

  private static func webAddress(_ url: String) -> String {
    for (scheme, web) in [("ws://", "http://"), ("wss://", "https://")]
    where url.prefix(scheme.count).lowercased() == scheme {
      return web + url.dropFirst(scheme.count)
    }
    return url
  }
}
