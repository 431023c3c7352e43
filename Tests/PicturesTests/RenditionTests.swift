import Pictures
import Testing

@Suite struct RenditionTests {
  /// Two columns, one row: a half block of red over nothing, and a space on colour 200.
  static let valid: [UInt8] =
    Array("TXP1".utf8) + [5, 0, 0, 0, 7, 1, 0, 0, 2, 0, 1, 0]
    + [0x80, 0x25, 0, 0, 0, 0, 0xFF, 0, 0xFF, 0xFF, 0xFF, 0xFF]
    + [0x20, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 200, 0, 0, 1]

  @Test func `A rendition is read and written`() throws {
    let rendition = try Rendition(bytes: Self.valid)
    #expect(rendition.size == PictureSize(width: 5, height: 263))
    #expect(rendition.columns == 2)
    #expect(rendition.rows == 1)
    #expect(
      rendition[0, 0] == .init(scalar: "▀", foreground: .rgb(0xFF0000), background: .none))
    #expect(rendition[1, 0] == .init(scalar: " ", foreground: .none, background: .palette(200)))
    #expect(rendition.bytes == Self.valid)
  }

  /// Where a byte is changed, and to what.
  @Test(arguments: [
    ("the signature", 3, [0x32]), ("no width", 4, [0]), ("no columns", 12, [0]),
    ("more rows than bytes", 14, [2]), ("65,281 columns", 13, [0xFF]),
    ("an escape character", 16, [0x1B, 0]), ("a letter that is wide", 16, [0x16, 0x4E]),
    ("a surrogate", 16, [0x00, 0xD8]), ("no scalar", 18, [0x11]),
    ("a foreground of another kind", 23, [2]), ("a number over 255", 37, [1]),
    ("a background of another kind", 27, [0xFE]),
  ])
  func `Bytes that are no rendition are refused`(what: String, offset: Int, bytes: [UInt8]) {
    var changed = Self.valid
    changed.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    #expect(throws: Rendition.Malformed.self, "\(what)") { try Rendition(bytes: changed) }
  }

  @Test func `A rendition has an exact length`() {
    for end in Self.valid.indices {
      #expect(throws: Rendition.Malformed.self) { try Rendition(bytes: Array(Self.valid[..<end])) }
    }
    #expect(throws: Rendition.Malformed.self) { try Rendition(bytes: Self.valid + [0]) }
  }
}
