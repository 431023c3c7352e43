import Testing

@testable import NetworkMonitor

@Suite struct NetlinkMessageTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var bytes: [UInt8]
    var bodies: [NetlinkMessage.Body]

    init(_ name: String, _ bytes: [UInt8], _ bodies: [NetlinkMessage.Body]) {
      testDescription = name
      self.bytes = bytes
      self.bodies = bodies
    }
  }

  private static func route(
    _ links: [Int32], destination: UInt8 = 0, type: UInt8 = 1, flags: UInt32 = 0,
    attributes: [UInt8] = []
  ) -> [UInt8] {
    let head = [2, destination, 0, 0, 254, 3, 0, type] + word(flags)
    return Wire.message(24, head + links.flatMap { Wire.attribute(4, word($0)) } + attributes)
  }

  private static func link(_ index: Int32, _ flags: UInt32) -> [UInt8] {
    Wire.message(16, [0, 0, 1, 0] + word(index) + word(flags) + word(UInt32(0)))
  }

  private static func address(
    _ link: Int32, scope: UInt8, flags: UInt8 = 0, attributes: [UInt8] = []
  ) -> [UInt8] {
    Wire.message(20, [2, 24, flags, scope] + word(link) + attributes)
  }

  private static func hop(_ link: Int32, flags: UInt8, attributes: [UInt8] = []) -> [UInt8] {
    let length = UInt16(8 + attributes.count)
    return [UInt8(length & 255), UInt8(length >> 8), flags, 0] + word(link) + attributes
  }

  static let cases = [
    Case(
      "a loopback that is up", link(1, 0x8 | 0x1 | 0x40),
      [.link(.init(index: 1, isLoopback: true, isRunning: true))]),
    Case(
      "a link that is up without a carrier", link(2, 0x1),
      [.link(.init(index: 2, isLoopback: false, isRunning: false))]),
    Case(
      "a link with a carrier that is off", link(2, 0x40),
      [.link(.init(index: 2, isLoopback: false, isRunning: false))]),
    Case("a global address", address(2, scope: 0), [.address(.init(link: 2, isGlobal: true))]),
    Case(
      "a link-local address", address(2, scope: 253), [.address(.init(link: 2, isGlobal: false))]),
    Case(
      "a tentative address", address(2, scope: 0, flags: 0x40),
      [.address(.init(link: 2, isGlobal: false))]),
    Case(
      "an address that the wide flags call tentative",
      address(
        2, scope: 0,
        attributes: Wire.attribute(1, [1, 2, 3]) + Wire.attribute(8, word(UInt32(0x140)))),
      [.address(.init(link: 2, isGlobal: false))]),
    Case("a default route", route([2]), [.defaultRoute(.init(links: [2]))]),
    Case("a default route without a link", route([]), [.defaultRoute(.init(links: []))]),
    Case("a route to one network", route([2], destination: 24), [.other]),
    // The kernel's own "unreachable default dev lo" of IPv6.
    Case("a default route that is unreachable", route([1], type: 7), [.other]),
    Case("a default route over a dead link", route([2], flags: 0x1), [.other]),
    Case("a default route over a link without carrier", route([2], flags: 0x10), [.other]),
    Case("a cached route", route([2], flags: 0x200), [.other]),
    Case(
      "a route over two links, one of them dead",
      route(
        [],
        attributes: Wire.attribute(
          9,
          hop(2, flags: 1) + hop(3, flags: 0, attributes: Wire.attribute(5, [10, 0, 0, 1])))),
      [.defaultRoute(.init(links: [3]))]),
    Case(
      "a route over two dead links",
      route([], attributes: Wire.attribute(9, hop(2, flags: 1) + hop(3, flags: 16))), [.other]),
    Case("the end of a dump", Wire.message(3, word(Int32(0))), [.done]),
    Case("the end of a dump that failed", Wire.message(3, word(Int32(-16))), [.failed(16)]),
    Case("an error", Wire.message(2, word(Int32(-1))), [.failed(1)]),
    Case("an error of the smallest number", Wire.message(2, word(Int32.min)), [.failed(.max)]),
    Case("an acknowledgement", Wire.message(2, word(Int32(0))), []),
    Case("an error cut short", Wire.message(2, []), []),
    Case("an overrun", Wire.message(4, []), [.lost]),
    Case("nothing", Wire.message(1, []), []),
    Case("a type of later kernels", Wire.message(999, [1, 2, 3, 4]), []),
    Case("a link without a body", Wire.message(16, []), [.other]),
    Case("an address without a body", Wire.message(20, [2]), [.other]),
    Case("a route without a body", Wire.message(24, [2, 0]), [.other]),
    Case(
      "an attribute longer than the message", address(2, scope: 0, attributes: [200, 0, 8, 0, 1]),
      [.address(.init(link: 2, isGlobal: true))]),
    Case(
      "an attribute of no length", address(2, scope: 0, attributes: [0, 0, 8, 0, 64, 0, 0, 0]),
      [.address(.init(link: 2, isGlobal: true))]),
    Case(
      "hops of no length", route([], attributes: Wire.attribute(9, [0, 0, 0, 0, 2, 0, 0, 0])),
      [.other]),
    Case(
      "two in one datagram", address(2, scope: 0) + Wire.message(3, []),
      [
        .address(.init(link: 2, isGlobal: true)), .done,
      ]),
    Case("an empty datagram", [], []),
  ]

  @Test(arguments: cases)
  func `A message is what the kernel's headers say`(_ item: Case) {
    let (messages, isWhole) = NetlinkMessage.parse(item.bytes)
    #expect(messages.map(\.body) == item.bodies)
    #expect(isWhole)
  }

  @Test(arguments: cases)
  func `A message cut anywhere is read as far as it goes`(_ item: Case) {
    for end in 0..<item.bytes.count {
      let (messages, isWhole) = NetlinkMessage.parse(Array(item.bytes[..<end]))
      #expect(messages.count <= item.bodies.count)
      // Between two messages, and in the padding there, it is no cut.
      let first = Int(item.bytes[0])
      let isBorder = end == 0 || (first...(first + 3) & ~3).contains(end)
      #expect(isWhole == isBorder)
    }
  }

  @Test func `What a message answers, and whether its dump was disturbed, is in its head`() throws {
    let bytes = Wire.message(20, [2, 24, 0, 0] + word(Int32(2)), flags: 0x12, sequence: 77)
    let message = try #require(NetlinkMessage.parse(bytes).messages.first)
    #expect(message.sequence == 77)
    #expect(message.isAnswer)
    #expect(message.isInterrupted)
    let news = try #require(NetlinkMessage.parse(Self.address(2, scope: 0)).messages.first)
    #expect(!news.isAnswer)
    #expect(!news.isInterrupted)
  }

  @Test(
    arguments: [
      [0, 0, 0, 0], [15, 0, 0, 0], [255, 255, 255, 255], [17, 0, 0, 0], [0, 1, 0, 0],
    ] as [[UInt8]])
  func `A length that cannot be ends the reading`(_ length: [UInt8]) {
    let good = Wire.message(3, [])
    var bad = good
    bad.replaceSubrange(0..<4, with: length)
    let (messages, isWhole) = NetlinkMessage.parse(good + bad)
    #expect(messages.map(\.body) == [.done])
    #expect(!isWhole)
  }

  @Test func `Noise ends, whatever it is`() {
    var dice = SystemRandomNumberGenerator()
    for _ in 0..<2_000 {
      let count = Int.random(in: 0...300, using: &dice)
      var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &dice) }
      // A length and a type that make sense lead further in.
      if count >= 20 {
        bytes.replaceSubrange(0..<4, with: word(UInt32(count)))
        bytes.replaceSubrange(4..<6, with: [[16, 20, 24, 2, 3].randomElement() ?? 16, 0])
      }
      let (messages, _) = NetlinkMessage.parse(bytes)
      #expect(messages.count <= 1 + count / 16)
    }
  }
}

/// Messages as the kernel writes them.
enum Wire {
  static func message(
    _ type: UInt16, _ body: [UInt8], flags: UInt16 = 0, sequence: UInt32 = 0
  ) -> [UInt8] {
    let head =
      word(UInt32(16 + body.count)) + half(type) + half(flags) + word(sequence) + word(UInt32(0))
    return padded(head + body)
  }

  static func attribute(_ type: UInt16, _ value: [UInt8]) -> [UInt8] {
    padded(half(UInt16(4 + value.count)) + half(type) + value)
  }

  private static func padded(_ bytes: [UInt8]) -> [UInt8] {
    bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
  }

  private static func half(_ value: UInt16) -> [UInt8] { withUnsafeBytes(of: value, Array.init) }
}

func word(_ value: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: value, Array.init) }
