/// Message of rtnetlink, as far as it matters here: rtnetlink(7), linux/rtnetlink.h. Cut or invalid bytes end the
/// reading, and nothing beyond the bytes is read.
struct NetlinkMessage: Hashable, Sendable {
  enum Body: Hashable, Sendable {
    case link(NetworkPicture.Link)
    case address(NetworkPicture.Address)
    case defaultRoute(NetworkPicture.DefaultRoute)
    /// A message about links, addresses or routes that does not matter in a dump: a route to one network, or a removal.
    case other
    /// The end of a dump.
    case done
    /// The number of an error; positive.
    case failed(Int32)
    /// Some messages were lost.
    case lost
  }

  var body: Body
  var sequence: UInt32 = 0
  /// Whether it answers a question, rather than being news.
  var isAnswer = false
  /// Whether the dumped data has changed meanwhile.
  var isInterrupted = false

  /// The messages of one datagram that could be read, and whether that was all.
  static func parse(_ bytes: [UInt8]) -> (messages: [NetlinkMessage], isWhole: Bool) {
    var messages: [NetlinkMessage] = []
    var rest = ByteField(bytes[...])
    while rest.count >= headSize {
      guard let length = rest.number(at: 0).map(Int.init), length >= headSize,
        let message = rest.prefix(length)
      else { return (messages, false) }
      if let parsed = NetlinkMessage(message) { messages.append(parsed) }
      rest = rest.dropFirst(aligned(length))
    }
    return (messages, rest.count == 0)
  }

  private static let headSize = 16

  /// Nil for one without meaning here.
  private init?(_ message: ByteField) {
    guard let type = message.short(at: 4), let flags = message.short(at: 6),
      let sequence = message.number(at: 8)
    else { return nil }
    let payload = message.dropFirst(Self.headSize)
    switch type {
    case 2:
      // An error of zero is an acknowledgement, which nobody has asked for.
      guard let code = payload.signed(at: 0), code < 0 else { return nil }
      body = .failed(code.magnitudeAsSigned)
    case 3:
      // Since Linux 4.20 a dump that failed says so at its end.
      let code = payload.signed(at: 0) ?? 0
      body = code < 0 ? .failed(code.magnitudeAsSigned) : .done
    case 4: body = .lost
    case 16: body = Self.link(payload)
    case 20: body = Self.address(payload)
    case 24: body = Self.route(payload)
    case 17, 21, 25: body = .other
    default: return nil
    }
    self.sequence = sequence
    // The end of a dump and an error answer a question even where the flag is missing.
    isAnswer = flags & 0x2 != 0 || type == 2 || type == 3
    isInterrupted = flags & 0x10 != 0
  }

  private static func link(_ payload: ByteField) -> Body {
    guard let index = payload.signed(at: 4), let flags = payload.number(at: 8) else {
      return .other
    }
    let (up, loopback, running): (UInt32, UInt32, UInt32) = (0x1, 0x8, 0x40)
    return .link(
      NetworkPicture.Link(
        index: index, isLoopback: flags & loopback != 0,
        isRunning: flags & up != 0 && flags & running != 0))
  }

  private static func address(_ payload: ByteField) -> Body {
    guard let shortFlags = payload.byte(at: 2), let scope = payload.byte(at: 3),
      let link = payload.signed(at: 4)
    else { return .other }
    var flags = UInt32(shortFlags)
    // IFA_FLAGS holds more of them than the byte in the head.
    payload.dropFirst(8).forEachAttribute { type, value in
      if type == 8, let wide = value.number(at: 0) { flags = wide }
    }
    let (failed, tentative): (UInt32, UInt32) = (0x08, 0x40)
    return .address(
      NetworkPicture.Address(
        link: link, isGlobal: scope == 0 && flags & (failed | tentative) == 0))
  }

  private static func route(_ payload: ByteField) -> Body {
    guard let destination = payload.byte(at: 1), let type = payload.byte(at: 7),
      let flags = payload.number(at: 8)
    else { return .other }
    let (unicast, cached): (UInt8, UInt32) = (1, 0x200)
    guard destination == 0, type == unicast, flags & cached == 0 else { return .other }
    var links: [Int32] = []
    var isNamed = false
    payload.dropFirst(12).forEachAttribute { type, value in
      switch type {
      case 4:
        guard let link = value.signed(at: 0) else { return }
        isNamed = true
        if !isDead(flags) { links.append(link) }
      case 9:
        isNamed = true
        links += liveHops(value)
      default: break
      }
    }
    // A route whose every link is dead leads nowhere.
    return isNamed && links.isEmpty || !isNamed && isDead(flags)
      ? .other : .defaultRoute(NetworkPicture.DefaultRoute(links: links))
  }

  /// The links of a route over several (RTA_MULTIPATH).
  private static func liveHops(_ value: ByteField) -> [Int32] {
    var links: [Int32] = []
    var rest = value
    while let length = rest.short(at: 0).map(Int.init), length >= 8, rest.count >= length,
      let flags = rest.byte(at: 2), let link = rest.signed(at: 4)
    {
      if !isDead(UInt32(flags)) { links.append(link) }
      rest = rest.dropFirst(aligned(length))
    }
    return links
  }

  /// RTNH_F_DEAD and RTNH_F_LINKDOWN.
  private static func isDead(_ flags: UInt32) -> Bool { flags & 0x11 != 0 }
}

extension NetlinkMessage {
  init(_ body: Body, sequence: UInt32 = 0, isAnswer: Bool = false, isInterrupted: Bool = false) {
    self.body = body
    self.sequence = sequence
    self.isAnswer = isAnswer
    self.isInterrupted = isInterrupted
  }
}

/// Some bytes of a message, with the numbers in them in the machine's own order.
private struct ByteField {
  private let bytes: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  var count: Int { bytes.count }

  func byte(at offset: Int) -> UInt8? { load(at: offset) }
  func short(at offset: Int) -> UInt16? { load(at: offset) }
  func number(at offset: Int) -> UInt32? { load(at: offset) }
  func signed(at offset: Int) -> Int32? { load(at: offset) }

  func prefix(_ length: Int) -> ByteField? {
    length <= bytes.count ? ByteField(bytes.prefix(length)) : nil
  }

  func dropFirst(_ length: Int) -> ByteField { ByteField(bytes.dropFirst(length)) }

  func forEachAttribute(_ body: (_ type: UInt16, _ value: ByteField) -> Void) {
    var rest = self
    while let length = rest.short(at: 0).map(Int.init), let type = rest.short(at: 2), length >= 4,
      let attribute = rest.prefix(length)
    {
      // The two highest bits are flags.
      body(type & 0x3FFF, attribute.dropFirst(4))
      rest = rest.dropFirst(aligned(length))
    }
  }

  private func load<Number: FixedWidthInteger & BitwiseCopyable>(at offset: Int) -> Number? {
    guard offset + MemoryLayout<Number>.size <= bytes.count else { return nil }
    return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Number.self) }
  }
}

/// The length with its padding.
private func aligned(_ length: Int) -> Int { (length + 3) & ~3 }

extension Int32 {
  /// Of the smallest number the largest: it has no positive of its own.
  fileprivate var magnitudeAsSigned: Int32 { Int32(clamping: magnitude) }
}
