/// Event of a server-sent event stream or a WebSocket.
package struct ServerEvent: Sendable, Hashable {
  /// The last id that the server gave, with this event or one before it; empty where there is none.
  package var id: String
  /// `message` where the server gave none.
  package var name: String
  /// The payload, usually JSON.
  package var data: String

  package init(id: String, name: String, data: String) {
    self.id = id
    self.name = name
    self.data = data
  }
}

/// Incremental parser of `text/event-stream` (HTML standard, §9.2.6). An event that the end of the stream cuts
/// off is dropped.
package struct EventStreamParser: Sendable {
  package enum Item: Sendable, Hashable {
    case event(ServerEvent)
    /// A line that only shows that the server is there.
    case comment
    /// How long the server wants clients to wait before they connect again.
    case retry(Duration)
  }

  /// The value of `Last-Event-ID` for the next connection. Events without an id leave it.
  package private(set) var lastEventID: String
  /// The number of events over the size limit, which were dropped, for tests.
  package private(set) var droppedEvents = 0

  private let maxEventBytes: Int
  private var line: [UInt8] = []
  /// Whether the line is too long: the rest of it is not kept.
  private var isSkippingLine = false
  private var isFirstLine = true
  private var endedInCR = false

  /// The id for when the event is complete.
  private var nextID: String
  private var name = ""
  private var data: [UInt8] = []
  private var isTooLarge = false

  /// - Parameters:
  ///   - lastEventID: of the connection before.
  ///   - maxEventBytes: of a line, and of all the data of an event.
  package init(lastEventID: String = "", maxEventBytes: Int = 1 << 20) {
    self.lastEventID = lastEventID
    self.maxEventBytes = maxEventBytes
    nextID = lastEventID
  }

  package mutating func consume(_ bytes: some Collection<UInt8>) -> [Item] {
    var items: [Item] = []
    for byte in bytes {
      // The LF of a CR LF, which may come in another piece, ends nothing more.
      defer { endedInCR = byte == 0x0D }
      switch byte {
      case 0x0A where endedInCR: break
      case 0x0A, 0x0D: if let item = endLine() { items.append(item) }
      default: append(byte)
      }
    }
    return items
  }

  /// The size of the incomplete line and event in memory, in bytes, for tests of `maxEventBytes`.
  package var heldBytes: Int { line.count + data.count }

  private mutating func append(_ byte: UInt8) {
    guard !isSkippingLine else { return }
    guard line.count < maxEventBytes else {
      // A long comment costs nobody an event.
      if line.first != UInt8(ascii: ":") { dropEvent() }
      isSkippingLine = true
      return
    }
    line.append(byte)
  }

  private mutating func dropEvent() {
    isTooLarge = true
    data = []
  }

  private mutating func endLine() -> Item? {
    defer {
      line.removeAll(keepingCapacity: line.count < 64 << 10)
      isSkippingLine = false
      isFirstLine = false
    }
    var line = self.line[...]
    if isFirstLine, line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
    guard !line.isEmpty else { return endEvent() }
    let colon = line.firstIndex(of: UInt8(ascii: ":"))
    if colon == line.startIndex { return .comment }
    guard !isSkippingLine else { return nil }
    var value = colon.map { line[($0 + 1)...] } ?? []
    if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
    return readField(String(decoding: line[..<(colon ?? line.endIndex)], as: UTF8.self), value)
  }

  private mutating func readField(_ field: String, _ value: ArraySlice<UInt8>) -> Item? {
    switch field {
    case "event": name = String(decoding: value, as: UTF8.self)
    case "data":
      guard !isTooLarge else { break }
      if data.count + value.count + 1 > maxEventBytes {
        dropEvent()
      } else {
        data += value
        data.append(0x0A)
      }
    case "id" where !value.contains(0): nextID = String(decoding: value, as: UTF8.self)
    case "retry":
      return digits(String(decoding: value, as: UTF8.self)).map { .retry(.milliseconds($0)) }
    default: break
    }
    return nil
  }

  private mutating func endEvent() -> Item? {
    defer {
      name = ""
      data = []
      isTooLarge = false
    }
    lastEventID = nextID
    if isTooLarge { droppedEvents += 1 }
    guard !data.isEmpty else { return nil }
    return .event(
      ServerEvent(
        id: lastEventID, name: name.isEmpty ? "message" : name,
        data: String(decoding: data.dropLast(), as: UTF8.self)))
  }
}
