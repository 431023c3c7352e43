internal import Foundation
internal import WebSocket

/// Reader of the bytes of a live connection, on either wire. Pure.
struct LiveReader {
  enum Reading: Hashable {
    case event(ServerEvent)
    /// A sign of life without an event.
    case heartbeat
    case pong
    case retry(Duration)
    /// To be sent at once.
    case answer(WebSocketFrame)
    /// The connection is over, after this has been sent.
    case drop(LiveConnection.Drop, WebSocketFrame?)
  }

  private(set) var lastEventID: String
  /// One of the two, in place.
  private var parser: EventStreamParser?
  private var decoder: WebSocketDecoder?

  init(_ wire: LiveClient.Wire, lastEventID: String) {
    self.lastEventID = lastEventID
    switch wire {
    case .eventStream: parser = EventStreamParser(lastEventID: lastEventID)
    case .webSocket: decoder = WebSocketDecoder(role: .client)
    }
  }

  mutating func consume(_ bytes: [UInt8]) -> [Reading] {
    let items = parser?.consume(bytes) ?? []
    lastEventID = parser?.lastEventID ?? lastEventID
    let messages = decoder?.consume(bytes) ?? []
    var readings = items.map(LiveReader.reading) + messages.compactMap { read($0) }
    if let code = decoder?.violation { readings.append(.drop(.violation(code), .close(code))) }
    return readings
  }

  private static func reading(_ item: EventStreamParser.Item) -> Reading {
    switch item {
    case .event(let event): .event(event)
    case .comment: .heartbeat
    case .retry(let wait): .retry(wait)
    }
  }

  private mutating func read(_ message: WebSocketMessage) -> Reading? {
    switch message {
    case .ping(let payload): .answer(WebSocketFrame(.pong, payload))
    case .pong: .pong
    // The answer repeats the code (RFC 6455 §5.5.1).
    case .close(let code, _):
      .drop(.closed(code), code.map { .close($0) } ?? WebSocketFrame(.close))
    // Nothing of the Feed API.
    case .binary: nil
    case .text(let text): event(text)
    }
  }

  /// `{"id", "event", "data"}`; without an event it only sets the last id.
  private mutating func event(_ text: String) -> Reading? {
    guard let object = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    else { return nil }
    if let id = object["id"] as? String { lastEventID = id }
    guard let name = object["event"] as? String, let data = object["data"] else { return nil }
    guard !name.isEmpty else { return nil }
    let options: JSONSerialization.WritingOptions = [.fragmentsAllowed, .sortedKeys]
    let words = data as? String
    guard
      let bytes = words.map({ Data($0.utf8) })
        ?? (try? JSONSerialization.data(withJSONObject: data, options: options))
    else { return nil }
    return .event(
      ServerEvent(id: lastEventID, name: name, data: String(decoding: bytes, as: UTF8.self)))
  }
}
