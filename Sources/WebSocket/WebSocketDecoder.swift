/// Message of the other side, assembled from its frames.
package enum WebSocketMessage: Sendable, Hashable {
  case text(String)
  case binary([UInt8])
  case ping([UInt8])
  case pong([UInt8])
  /// The last one. The code is nil where the frame named none.
  case close(WebSocketCloseCode?, reason: String)
}

/// Assembles messages from frames that arrive in pieces of any size, and holds no more than one message of the
/// allowed size (RFC 6455 §5).
package struct WebSocketDecoder: Sendable {
  /// The reading side: a server's frames come masked, a client's never do.
  package enum Role: Sendable {
    case client, server
  }

  /// The code for closing the connection after the first violation of the protocol, after which nothing is read.
  package private(set) var violation: WebSocketCloseCode?
  /// Whether the other side has closed.
  package private(set) var isClosed = false

  private let role: Role
  private let maxMessageBytes: Int
  /// The bytes so far of a frame's head.
  private var headBytes: [UInt8] = []
  /// The frame whose payload is coming in.
  private var frame: IncomingFrame?
  /// The text or binary message whose later parts are still to come.
  private var unfinished: (opcode: WebSocketFrame.Opcode, payload: [UInt8])?

  package init(role: Role, maxMessageBytes: Int = 1 << 20) {
    self.role = role
    self.maxMessageBytes = maxMessageBytes
  }

  /// The messages that these bytes complete, in order; those before a violation included.
  package mutating func consume(_ bytes: some Collection<UInt8>) -> [WebSocketMessage] {
    var messages: [WebSocketMessage] = []
    var rest = Array(bytes)[...]
    while violation == nil, !isClosed, !rest.isEmpty {
      if frame == nil {
        headBytes.append(rest.removeFirst())
        do throws(WebSocketCloseCode) {
          frame = try IncomingFrame(head: headBytes, role: role)
          if let frame { try check(frame) }
        } catch {
          violation = error
          break
        }
      }
      // Taken out, so that its payload grows in place.
      guard var current = frame.take() else { continue }
      rest = rest.dropFirst(current.append(rest))
      guard current.isWhole else {
        frame = current
        break
      }
      headBytes = []
      do throws(WebSocketCloseCode) {
        if let message = try message(completedBy: current) { messages.append(message) }
      } catch {
        violation = error
      }
    }
    return messages
  }

  /// Checks a frame by its head, before any of its payload is kept.
  private func check(_ frame: IncomingFrame) throws(WebSocketCloseCode) {
    switch frame.opcode {
    case .close, .ping, .pong: return
    case .continuation: guard unfinished != nil else { throw .protocolError }
    case .text, .binary: guard unfinished == nil else { throw .protocolError }
    }
    // A length may be any number of 63 bits.
    guard frame.length <= maxMessageBytes - (unfinished?.payload.count ?? 0) else {
      throw .tooLarge
    }
  }

  private mutating func message(
    completedBy frame: IncomingFrame
  ) throws(WebSocketCloseCode) -> WebSocketMessage? {
    switch frame.opcode {
    case .ping: return .ping(frame.payload)
    case .pong: return .pong(frame.payload)
    case .close:
      isClosed = true
      return try closeMessage(frame.payload)
    case .text, .binary, .continuation:
      var whole = unfinished ?? (frame.opcode, [])
      unfinished = nil
      whole.payload += frame.payload
      guard frame.isFinal else {
        unfinished = whole
        return nil
      }
      guard whole.opcode == .text else { return .binary(whole.payload) }
      return .text(try text(whole.payload[...]))
    }
  }

  private func closeMessage(_ payload: [UInt8]) throws(WebSocketCloseCode) -> WebSocketMessage {
    guard !payload.isEmpty else { return .close(nil, reason: "") }
    guard payload.count >= 2 else { throw .protocolError }
    let code = WebSocketCloseCode(rawValue: UInt16(payload[0]) << 8 | UInt16(payload[1]))
    guard code.isSendable else { throw .protocolError }
    return .close(code, reason: try text(payload[2...]))
  }

  private func text(_ bytes: ArraySlice<UInt8>) throws(WebSocketCloseCode) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .invalidData }
    return text
  }
}

/// A frame whose head is known, and as much of its payload as has arrived.
private struct IncomingFrame: Sendable {
  let opcode: WebSocketFrame.Opcode
  let isFinal: Bool
  let length: Int
  private let key: [UInt8]
  private(set) var payload: [UInt8] = []

  var isWhole: Bool { payload.count == length }

  /// nil while the head is not complete.
  init?(head: [UInt8], role: WebSocketDecoder.Role) throws(WebSocketCloseCode) {
    guard let opcode = WebSocketFrame.Opcode(rawValue: head[0] & 0x0F), head[0] & 0x70 == 0 else {
      throw .protocolError
    }
    self.opcode = opcode
    isFinal = head[0] & 0x80 != 0
    guard head.count >= 2 else { return nil }
    let isMasked = head[1] & 0x80 != 0
    guard isMasked == (role == .server) else { throw .protocolError }
    let short = Int(head[1] & 0x7F)
    if opcode.isControl && (!isFinal || short > WebSocketFrame.longestControlPayload) {
      throw .protocolError
    }
    let lengthBytes = short == 126 ? 2 : short == 127 ? 8 : 0
    guard head.count == 2 + lengthBytes + (isMasked ? 4 : 0) else { return nil }
    let number = head[2..<2 + lengthBytes].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    // The shortest form is the only one, and the highest bit is never set.
    switch short {
    case 126 where number < 126, 127 where number <= 0xFFFF || number > UInt64(Int64.max):
      throw .protocolError
    case 126, 127: length = Int(number)
    default: length = short
    }
    key = Array(head[(2 + lengthBytes)...])
  }

  /// Returns the number of bytes that belonged to the payload.
  mutating func append(_ bytes: ArraySlice<UInt8>) -> Int {
    let part = bytes.prefix(length - payload.count)
    if key.isEmpty {
      payload += part
    } else {
      for byte in part { payload.append(byte ^ key[payload.count & 3]) }
    }
    return part.count
  }
}
