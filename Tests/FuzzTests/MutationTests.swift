import FuzzProperties
import Testing

/// Damages documents in the ways that parsers get wrong. The same seed makes the same damage.
struct Mutator {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

  mutating func next(below bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return bound > 0 ? Int(state >> 33) % bound : 0
  }

  /// A document with one to four damages, behind a header that says how it is cut.
  mutating func damaged(_ document: [UInt8]) -> [UInt8] {
    var bytes = document
    for _ in 0...next(below: 4) { damage(&bytes) }
    return (0..<InputPlan.headerSize).map { _ in UInt8(next(below: 256)) } + bytes
  }

  private mutating func damage(_ bytes: inout [UInt8]) {
    let start = next(below: bytes.count + 1)
    let end = min(bytes.count, start + next(below: 40))
    switch next(below: 6) {
    case 0 where start < bytes.count: bytes[start] ^= 1 << UInt8(next(below: 8))
    case 1: bytes.removeSubrange(start..<end)
    case 2: bytes.insert(contentsOf: bytes[start..<end], at: next(below: bytes.count + 1))
    case 3: bytes.removeSubrange(start...)
    default:
      let token = Self.tokens[next(below: Self.tokens.count)]
      let count = 1 << next(below: 4)
      for _ in 0..<count { bytes.insert(contentsOf: token.utf8, at: start) }
    }
  }

  private static let tokens = [
    "<", ">", "&", "&#", "&#x1b;", "&#x202e;", "&amp;", "&amp;lt;", "\"", "'", "=", "]]>",
    "<![CDATA[", "<!--", "-->", "<!DOCTYPE a [<!ENTITY b \"&b;\">]>", "&b;", "<?", "?>", "</",
    "<item>", "</item>", "<entry>", "</entry>", "<title>", "</title>", "<guid>", "</guid>",
    "<description>", "</channel>", "<link href=\"//x\">", "<content type=\"xhtml\"><div>",
    "<outline text=\"a\">", "</outline>", "<outline xmlUrl=\"http://x\" category=\"/a,b/c\"/>",
    "<p>", "</p>", "<b>", "</b>", "<table>", "<tr>", "<td>", "</table>", "<ul>", "<li>", "<pre>\t",
    "<a href='", "<svg>", "<select>", "<script>", "<template>", "<blockquote>", "{", "}", "[", "]",
    ",", ":", "\\", "\\ud800", "\\u0000", "null", "1e999", "\u{0}", "\u{1B}", "\u{202E}",
    "\u{FEFF}", "\u{FFFE}", "\u{85}", "\u{301}", "\u{200D}", "\u{1F468}", "\u{1F1E9}", "世", "\r",
    "\r\n", "\n", "\t", "2024-02-30", "+14:00", "data:", "id:", "retry:",
  ]
}

struct MutationTests {
  /// Rounds over all fixtures of a reader, so that debugging builds are done within seconds.
  @Test(arguments: FuzzTarget.allCases, 0..<4)
  func `What has to hold for any input holds for damaged documents`(
    _ target: FuzzTarget, seed: UInt64
  ) throws {
    var mutator = Mutator(seed: seed &+ UInt64(target.rawValue.utf8.first ?? 0) << 8)
    var documents = try Fixtures.documents.filter { $0.target == target }.map { try $0.bytes() }
    if documents.isEmpty { documents = Self.samples[target] ?? [] }
    try #require(!documents.isEmpty)
    for round in 0..<60 {
      let whole = documents[(round &* 7 &+ Int(seed)) % documents.count]
      let input = mutator.damaged(Array(whole.prefix(6_000)))
      do {
        try target.check(input)
      } catch {
        Issue.record("\(error)\nfrom \(String(decoding: input, as: UTF8.self).debugDescription)")
      }
    }
  }

  /// For the readers without fixtures.
  private static let samples: [FuzzTarget: [[UInt8]]] = [
    .date: [
      Array("Wed, 01 May 2024 12:00:00 GMT".utf8), Array("2024-05-01T12:00:00.5+02:00".utf8),
      Array("Wednesday, 01-May-24 3:04:05 pm EST".utf8), Array("20240501T1200Z".utf8),
    ],
    .sse: [Array("id: 1\nevent: new\ndata: a\ndata: b\n\n: here\r\n\r\nretry: 9\rdata\r\r".utf8)],
    .websocket: [
      [0x81, 0x05] + Array("hello".utf8) + [0x01, 2, 0x61, 0x62, 0x80, 1, 0x63, 0x89, 0],
      [0x81, 0x85, 1, 2, 3, 4] + Array("idoho".utf8) + [0x88, 0x82, 0, 0, 0, 0, 3, 0xE8],
    ],
  ]
}
