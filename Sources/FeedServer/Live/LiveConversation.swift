internal import Foundation
internal import WebSocket

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Tells one client what happens, on the thread of its connection, until either side has had enough.
struct LiveConversation: Sendable {
  let opening: LiveOpening
  let head: [UInt8]
  let board: LiveBoard
  /// How long the client hears nothing at most.
  let heartbeat: Duration
  /// Says nothing, and does not answer either.
  let isMute: Bool
  /// The journal as it is now.
  let journal: @Sendable () -> LiveJournal

  func hold(_ connection: RawConnection, received: [UInt8]) {
    guard let seat = board.sit() else { return }
    defer { board.leave(seat) }
    var decoder = WebSocketDecoder(role: .server)
    var told = opening.beginning.number
    // After the seat is taken: who has seen the head is woken, and can be dropped.
    guard connection.send(head[...]), say(opening.greeting(journal()), on: connection),
      hear(received, &decoder, on: connection)
    else { return }
    var nextHeartbeat = ContinuousClock.now + heartbeat
    while true {
      let (isDropped, code) = board.hasDropped(seat)
      guard !isDropped else {
        if let code, opening.wire == .webSocket {
          _ = say(
            WebSocketFrame.close(WebSocketCloseCode(rawValue: code)).bytes(mask: nil),
            on: connection)
        }
        return
      }
      let journal = journal()
      let news = journal.events(after: told, in: opening.section)
      told = journal.lastNumber
      let bytes = news.flatMap { opening.bytes(of: $0, journal) }
      guard say(bytes, on: connection) else { return }
      if nextHeartbeat <= .now {
        guard say(opening.heartbeat, on: connection) else { return }
        nextHeartbeat = .now + heartbeat
      }
      switch connection.wait(until: nextHeartbeat, orWoken: seat.woken) {
      case .woken: drain(seat.woken)
      case .tooLate: break
      case .readable:
        var bytes: [UInt8] = []
        guard connection.receive(into: &bytes), hear(bytes, &decoder, on: connection) else {
          return
        }
      }
    }
  }

  /// False once the client is gone.
  private func say(_ bytes: [UInt8], on connection: RawConnection) -> Bool {
    isMute || connection.send(bytes[...])
  }

  /// False once the client has said goodbye, or broken the rules.
  private func hear(
    _ bytes: [UInt8], _ decoder: inout WebSocketDecoder, on connection: RawConnection
  ) -> Bool {
    // Nobody has anything to say on an event stream.
    guard opening.wire == .webSocket else { return true }
    for message in decoder.consume(bytes) {
      switch message {
      case .ping(let payload):
        let pong = WebSocketFrame(.pong, payload).bytes(mask: nil)
        guard say(pong, on: connection) else { return false }
      case .close(let code, _):
        let answer = code.map { WebSocketFrame.close($0) } ?? WebSocketFrame(.close)
        _ = say(answer.bytes(mask: nil), on: connection)
        return false
      case .text, .binary, .pong: break
      }
    }
    guard let violation = decoder.violation else { return true }
    _ = say(WebSocketFrame.close(violation).bytes(mask: nil), on: connection)
    return false
  }

  private func drain(_ pipe: Int32) {
    var bytes = [UInt8](repeating: 0, count: 256)
    while read(pipe, &bytes, bytes.count) > 0 {}
  }
}
