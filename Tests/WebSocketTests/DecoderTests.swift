import Testing
import WebSocket

@Suite struct DecoderTests {
  private typealias Frame = WebSocketFrame

  /// The messages of a whole conversation and how it ended, read in pieces of one size.
  private static func read(
    _ bytes: [UInt8], as role: WebSocketDecoder.Role = .client, piece: Int = .max,
    maxMessageBytes: Int = 1 << 20
  ) -> (messages: [WebSocketMessage], violation: WebSocketCloseCode?) {
    var decoder = WebSocketDecoder(role: role, maxMessageBytes: maxMessageBytes)
    var messages: [WebSocketMessage] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      messages += decoder.consume(rest.prefix(piece))
      rest = rest.dropFirst(piece)
    }
    return (messages, decoder.violation)
  }

  /// RFC 6455 §5.7, byte for byte.
  @Test func `The examples of the standard are read`() {
    let plain: [UInt8] = [0x81, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F]
    #expect(Self.read(plain).messages == [.text("Hello")])
    #expect(Frame.text("Hello").bytes(mask: nil) == plain)
    let masked: [UInt8] = [
      0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58,
    ]
    #expect(Self.read(masked, as: .server).messages == [.text("Hello")])
    #expect(Frame.text("Hello").bytes(mask: 0x37FA_213D) == masked)
    let fragmented: [UInt8] = [0x01, 0x03, 0x48, 0x65, 0x6C, 0x80, 0x02, 0x6C, 0x6F]
    #expect(Self.read(fragmented).messages == [.text("Hello")])
    let ping: [UInt8] = [0x89, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F]
    #expect(Self.read(ping).messages == [.ping(Array("Hello".utf8))])
    let large = [0x82, 0x7F, 0, 0, 0, 0, 0, 1, 0, 0] + [UInt8](repeating: 7, count: 65_536)
    #expect(Self.read(large).messages == [.binary([UInt8](repeating: 7, count: 65_536))])
  }

  /// Both sides, each form of the length, control frames between fragments.
  @Test(arguments: [WebSocketDecoder.Role.client, .server], [1, 2, 3, 7, 4_096, .max])
  func `What is written is read, in pieces of any size`(
    role: WebSocketDecoder.Role, piece: Int
  ) {
    let sizes = [0, 1, 125, 126, 127, 65_535, 65_536]
    var frames = sizes.map { Frame(.binary, [UInt8](repeating: UInt8($0 & 255), count: $0)) }
    frames += [
      .text("ü→🙂"), Frame(.text, [0xF0, 0x9F], isFinal: false), Frame(.ping, [1, 2]),
      Frame(.continuation, [], isFinal: false), Frame(.pong), Frame(.continuation, [0x99, 0x82]),
      .close(.goingAway, "so long"),
    ]
    let bytes = frames.enumerated().flatMap { index, frame in
      frame.bytes(mask: role == .server ? 0x0102_0304 &* UInt32(index) : nil)
    }
    let read = Self.read(bytes + [0xFF, 0xFF], as: role, piece: piece)
    #expect(
      read.messages == sizes.map { .binary([UInt8](repeating: UInt8($0 & 255), count: $0)) } + [
        .text("ü→🙂"), .ping([1, 2]), .pong([]), .text("🙂"),
        .close(.goingAway, reason: "so long"),
      ])
    // What follows a close frame is not looked at.
    #expect(read.violation == nil)
  }

  static let violations: [(String, [UInt8], WebSocketCloseCode)] = [
    ("a masked frame from the server", [0x81, 0x80], .protocolError),
    ("a reserved bit", [0xC1], .protocolError),
    ("another", [0xA1], .protocolError),
    ("the third", [0x91], .protocolError),
    ("an unknown opcode", [0x83], .protocolError),
    ("an unknown control opcode", [0x8B], .protocolError),
    ("a control frame of 126 bytes", [0x89, 126], .protocolError),
    ("a control frame in parts", [0x09, 0], .protocolError),
    ("a continuation of nothing", [0x80, 0], .protocolError),
    ("a message within a message", [0x01, 1, 0x61, 0x81, 1], .protocolError),
    ("a length that is longer than it needs to be", [0x82, 126, 0, 125], .protocolError),
    ("the same in eight bytes", [0x82, 127, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], .protocolError),
    ("a negative length", [0x82, 127, 0x80, 0, 0, 0, 0, 0, 0, 0], .protocolError),
    ("half a close code", [0x88, 1, 3], .protocolError),
    ("the close code 999", [0x88, 2, 0x03, 0xE7], .protocolError),
    ("the close code 1004", [0x88, 2, 0x03, 0xEC], .protocolError),
    ("the close code 1005", [0x88, 2, 0x03, 0xED], .protocolError),
    ("the close code 1006", [0x88, 2, 0x03, 0xEE], .protocolError),
    ("the close code 1015", [0x88, 2, 0x03, 0xF7], .protocolError),
    ("the close code 2999", [0x88, 2, 0x0B, 0xB7], .protocolError),
    ("the close code 5000", [0x88, 2, 0x13, 0x88], .protocolError),
    ("a close reason that is no UTF-8", [0x88, 3, 0x03, 0xE8, 0xFF], .invalidData),
    ("text that is no UTF-8", [0x81, 2, 0xC3, 0x28], .invalidData),
    ("text that ends within a character", [0x01, 1, 0xC3, 0x80, 0], .invalidData),
    ("a message that is too large", [0x82, 127, 0, 0, 0, 0, 0, 0x10, 0, 1], .tooLarge),
    ("the largest length", [0x82, 127, 0x7F, 255, 255, 255, 255, 255, 255, 255], .tooLarge),
    (
      "the largest length of a further part",
      [0x01, 1, 0x61, 0x80, 127, 0x7F, 255, 255, 255, 255, 255, 255, 255], .tooLarge
    ),
    (
      "a message too large in parts",
      Frame(.binary, [UInt8](repeating: 0, count: 1 << 20), isFinal: false).bytes(mask: nil)
        + [0x80, 1], .tooLarge
    ),
  ]

  @Test(arguments: violations)
  func `A violation is named and ends the reading`(
    what: String, bytes: [UInt8], code: WebSocketCloseCode
  ) {
    let before = Frame.text("before").bytes(mask: nil)
    let after = Frame.text("after").bytes(mask: nil)
    for piece in [1, .max] {
      let read = Self.read(before + bytes + after, piece: piece)
      #expect(read.violation == code, "\(what)")
      #expect(read.messages == [.text("before")], "\(what)")
    }
  }

  @Test func `A client that does not mask breaks the rules`() {
    #expect(Self.read([0x81, 0x00], as: .server).violation == .protocolError)
    #expect(Self.read([0x81, 0x80, 1, 2, 3, 4], as: .server).messages == [.text("")])
  }

  @Test func `The largest message is read`() {
    let bytes = Frame(.binary, [UInt8](repeating: 1, count: 100)).bytes(mask: nil)
    #expect(Self.read(bytes, maxMessageBytes: 100).messages.count == 1)
    #expect(Self.read(bytes, maxMessageBytes: 99).violation == .tooLarge)
  }

  @Test func `A close frame may be empty, and its reason is cut to fit`() {
    #expect(Self.read([0x88, 0]).messages == [.close(nil, reason: "")])
    let long = Frame.close(.internalError, String(repeating: "ü", count: 100))
    #expect(long.payload.count == 124)
    #expect(
      Self.read(long.bytes(mask: nil)).messages == [
        .close(.internalError, reason: String(repeating: "ü", count: 61))
      ])
  }

  @Test func `Noise of any kind is survived`() {
    var dice = SystemRandomNumberGenerator()
    for _ in 0..<300 {
      let noise = (0..<200).map { _ in UInt8.random(in: 0...255, using: &dice) }
      let whole = Self.read(noise)
      for piece in [1, 3] {
        let pieces = Self.read(noise, piece: piece)
        #expect(pieces.messages == whole.messages, "\(noise)")
        #expect(pieces.violation == whole.violation, "\(noise)")
      }
    }
  }
}
