import HTTP
import Testing

@Suite struct EventStreamTests {
  private static func event(
    _ data: String, _ name: String = "message", id: String = ""
  ) -> EventStreamParser.Item {
    .event(ServerEvent(id: id, name: name, data: data))
  }

  private struct Reading: Equatable {
    var items: [EventStreamParser.Item]
    var lastEventID: String
    var droppedEvents: Int
  }

  private static func read(
    _ pieces: [some Collection<UInt8>], after id: String = "", maxEventBytes: Int = 1 << 20
  ) -> Reading {
    var parser = EventStreamParser(lastEventID: id, maxEventBytes: maxEventBytes)
    let items = pieces.flatMap { parser.consume($0) }
    return Reading(
      items: items, lastEventID: parser.lastEventID, droppedEvents: parser.droppedEvents)
  }

  private static func read(_ text: String, after id: String = "") -> Reading {
    read([Array(text.utf8)], after: id)
  }

  static let streams: [(String, [EventStreamParser.Item], id: String)] = [
    ("data: a\n\n", [event("a")], ""),
    ("data: a\r\n\r\n", [event("a")], ""),
    ("data: a\r\r", [event("a")], ""),
    ("data: a\r\n\ndata: b\n\r\n", [event("a"), event("b")], ""),
    ("\u{FEFF}data: a\n\n", [event("a")], ""),
    ("\u{FEFF}\u{FEFF}data: a\n\n", [], ""),
    ("data: a\n\n\u{FEFF}data: b\n\n", [event("a")], ""),
    // One space, and one only, belongs to the syntax.
    ("data:a\n\ndata:  b\n\ndata:\tc\n\n", [event("a"), event(" b"), event("\tc")], ""),
    ("data: a\ndata: b\ndata:\ndata\n\n", [event("a\nb\n\n")], ""),
    ("data\n\ndata:\n\n", [event(""), event("")], ""),
    ("data: a:b: c\n\n", [event("a:b: c")], ""),
    ("event: x\ndata: a\n\ndata: b\n\n", [event("a", "x"), event("b")], ""),
    ("event: x\nevent: y\ndata: a\n\n", [event("a", "y")], ""),
    ("event:\ndata: a\n\n", [event("a")], ""),
    // Without data nothing is said, and the name does not stay.
    ("event: x\n\ndata: a\n\n", [event("a")], ""),
    (
      "id: 1\ndata: a\n\ndata: b\n\nid\ndata: c\n\n",
      [event("a", id: "1"), event("b", id: "1"), event("c")], ""
    ),
    ("id: 7\n\n", [], "7"),
    ("id: 7\n\ndata: a\n\n", [event("a", id: "7")], "7"),
    (
      "id: 1\ndata: a\n\nid: 2\u{0}3\ndata: b\n\n", [event("a", id: "1"), event("b", id: "1")], "1"
    ),
    // What has no blank line was never said; nor has its id been.
    ("id: 1\ndata: a\n\nid: 2\ndata: b\n", [event("a", id: "1")], "1"),
    ("data: a", [], ""),
    (": hello\n:\n:x\n\n", [.comment, .comment, .comment], ""),
    ("retry: 1500\n", [.retry(.milliseconds(1_500))], ""),
    ("retry: 0\n", [.retry(.zero)], ""),
    ("retry: 1s\nretry: -1\nretry: 1.5\nretry:\nretry\nretry: +1\n", [], ""),
    ("retry: 99999999999999999999999\n", [], ""),
    ("Data: a\ndatum: b\n data: c\nnothing\n\n", [], ""),
    ("data: ü→🙂\n\n", [event("ü→🙂")], ""),
    ("\n\n\n\r\r\n", [], ""),
  ]

  @Test(arguments: streams)
  func `A stream is read, split at every byte and byte by byte`(
    text: String, items: [EventStreamParser.Item], id: String
  ) {
    let bytes = Array(text.utf8)
    let expected = Reading(items: items, lastEventID: id, droppedEvents: 0)
    #expect(Self.read([bytes]) == expected)
    #expect(Self.read(bytes.map { [$0] }) == expected)
    for split in 0...bytes.count {
      #expect(Self.read([bytes[..<split], bytes[split...]]) == expected, "split at \(split)")
    }
  }

  @Test func `A long stream reads the same in pieces of every size`() {
    let bytes = Array(
      ("\u{FEFF}: hi\r\nretry: 10\r\rid: a\nevent: e\r\ndata: ü\r\ndata: →\r\r\n"
        + "data: last\n\ndata: never").utf8)
    let expected = Reading(
      items: [
        .comment, .retry(.milliseconds(10)), Self.event("ü\n→", "e", id: "a"),
        Self.event("last", id: "a"),
      ], lastEventID: "a", droppedEvents: 0)
    for size in 1...bytes.count {
      let pieces = stride(from: 0, to: bytes.count, by: size).map {
        bytes[$0..<min($0 + size, bytes.count)]
      }
      #expect(Self.read(pieces) == expected, "pieces of \(size)")
    }
  }

  @Test func `Bytes that are no UTF-8 are replaced`() {
    let bytes = Array("data: a".utf8) + [0xFF, 0xC3] + Array("\n\n".utf8)
    #expect(Self.read([bytes]).items == [Self.event("a\u{FFFD}\u{FFFD}")])
  }

  @Test func `The id of the connection before goes on`() {
    #expect(Self.read("data: a\n\n", after: "9").items == [Self.event("a", id: "9")])
    #expect(Self.read("", after: "9").lastEventID == "9")
  }

  /// The allowance is 100 bytes here.
  static let oversized: [(String, [EventStreamParser.Item], dropped: Int)] = [
    (
      "data: " + String(repeating: "x", count: 93) + "\n\n",
      [event(String(repeating: "x", count: 93))], 0
    ),
    ("data: " + String(repeating: "x", count: 95) + "\n\ndata: a\n\n", [event("a")], 1),
    (String(repeating: "data: 123456789\n", count: 11) + "\ndata: a\n\n", [event("a")], 1),
    (
      "event: x\ndata: b\n" + String(repeating: "y", count: 101) + "\n\ndata: a\n\n", [event("a")],
      1
    ),
    (":" + String(repeating: "x", count: 200) + "\ndata: a\n\n", [.comment, event("a")], 0),
  ]

  @Test(arguments: oversized)
  func `What is larger than allowed is dropped and counted`(
    text: String, items: [EventStreamParser.Item], dropped: Int
  ) {
    let bytes = Array(text.utf8)
    for pieces in [[bytes[...]], bytes.indices.map { bytes[$0...$0] }] {
      let reading = Self.read(pieces, maxEventBytes: 100)
      #expect(reading.items == items)
      #expect(reading.droppedEvents == dropped)
    }
  }

  @Test func `A line without end is not kept`() {
    var parser = EventStreamParser()
    let block = [UInt8](repeating: 0x78, count: 1 << 16)
    #expect(parser.consume(Array("data: ".utf8)).isEmpty)
    for _ in 0..<64 { #expect(parser.consume(block).isEmpty) }
    #expect(parser.heldBytes <= 1 << 20)
    #expect(parser.consume(Array("\n\ndata: a\n\n".utf8)) == [Self.event("a")])
    #expect(parser.droppedEvents == 1)
  }
}
