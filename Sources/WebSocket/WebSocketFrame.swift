// The front door of WebSocket: RFC 6455 as values, for a client (HTTP) and a server (FeedServer).
// `WebSocketFrame` writes, `WebSocketDecoder` reads, `WebSocketHandshake` begins. Bytes in, bytes
// out; sockets are somebody else's.

/// Outgoing frame (RFC 6455 §5.2).
package struct WebSocketFrame: Sendable, Hashable {
  package enum Opcode: UInt8, Sendable {
    case continuation = 0
    case text = 1
    case binary = 2
    case close = 8
    case ping = 9
    case pong = 10

    var isControl: Bool { rawValue >= 8 }
  }

  /// The longest payload of a control frame (§5.5).
  package static let longestControlPayload = 125

  package var opcode: Opcode
  package var payload: [UInt8]
  /// False for a part of a message that goes on in continuation frames.
  package var isFinal: Bool

  package init(_ opcode: Opcode, _ payload: [UInt8] = [], isFinal: Bool = true) {
    self.opcode = opcode
    self.payload = payload
    self.isFinal = isFinal
  }

  package static func text(_ text: String) -> WebSocketFrame {
    WebSocketFrame(.text, Array(text.utf8))
  }

  /// - Parameter reason: cut to what fits, at a whole character.
  package static func close(_ code: WebSocketCloseCode, _ reason: String = "") -> WebSocketFrame {
    var reason = reason
    while reason.utf8.count > longestControlPayload - 2 { reason.removeLast() }
    return WebSocketFrame(
      .close, [UInt8(code.rawValue >> 8), UInt8(code.rawValue & 255)] + reason.utf8)
  }

  /// - Parameter mask: new and unpredictable for each frame of a client; nil for a server's.
  package func bytes(mask: UInt32?) -> [UInt8] {
    var bytes = [(isFinal ? 0x80 : 0) | opcode.rawValue]
    let maskBit: UInt8 = mask == nil ? 0 : 0x80
    switch payload.count {
    case ...125: bytes.append(maskBit | UInt8(payload.count))
    case ...0xFFFF: bytes += [maskBit | 126] + bigEndian(UInt16(payload.count))
    default: bytes += [maskBit | 127] + bigEndian(UInt64(payload.count))
    }
    guard let mask else { return bytes + payload }
    let key = bigEndian(mask)
    bytes += key
    bytes.reserveCapacity(bytes.count + payload.count)
    for (index, byte) in payload.enumerated() { bytes.append(byte ^ key[index & 3]) }
    return bytes
  }
}

/// Why a connection is closed (RFC 6455 §7.4).
package struct WebSocketCloseCode: RawRepresentable, Error, Hashable {
  package var rawValue: UInt16

  package init(rawValue: UInt16) { self.rawValue = rawValue }

  package static let normal = WebSocketCloseCode(rawValue: 1000)
  package static let goingAway = WebSocketCloseCode(rawValue: 1001)
  package static let protocolError = WebSocketCloseCode(rawValue: 1002)
  /// Text that is not UTF-8.
  package static let invalidData = WebSocketCloseCode(rawValue: 1007)
  package static let policyViolation = WebSocketCloseCode(rawValue: 1008)
  package static let tooLarge = WebSocketCloseCode(rawValue: 1009)
  package static let internalError = WebSocketCloseCode(rawValue: 1011)

  /// Whether it may stand in a frame: 1005, 1006 and 1015 are words of an API, never of the wire.
  package var isSendable: Bool {
    switch rawValue {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }
}

func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
  stride(from: number.bitWidth - 8, through: 0, by: -8).map {
    UInt8(truncatingIfNeeded: number >> $0)
  }
}
