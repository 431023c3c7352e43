internal import Foundation
internal import Syndication
internal import Testing

private let koi8r = String.Encoding(rawValue: 0x8000_0A02)

@Suite struct PageTextTests {
  private static let title = "Новости дня и города"

  private static func page(_ head: String) -> String {
    "<!doctype html><html><head>\(head)<title>\(title)</title></head></html>"
  }

  @Test(
    arguments: [
      ("", "text/html; charset=windows-1251", String.Encoding.windowsCP1251),
      ("<meta charset=windows-1251>", "text/html", .windowsCP1251),
      (
        "<META HTTP-EQUIV='Content-Type' CONTENT='text/html; charset=windows-1251'>", nil,
        .windowsCP1251
      ),
      ("<meta content='text/html;charset=koi8-r' http-equiv=content-type>", "text/html", koi8r),
      // The server's word goes before the page's.
      ("<meta charset=koi8-r>", "text/html; charset=windows-1251", .windowsCP1251),
      // Both are wrong.
      ("<meta charset=utf-8>", "text/html; charset=utf-8", .windowsCP1251),
      ("<meta charset=windows-1251>", "text/html", .utf8), ("", "text/html", .utf8),
      ("", nil, .utf8),
      // Who can be read so far is in no UTF-16.
      ("<meta charset=utf-16>", nil, .utf8), ("<meta charset=klingon>", nil, .utf8),
      ("", nil, .utf16), ("", "text/html; charset=utf-16le", .utf16LittleEndian),
      ("", "text/html; charset=iso-8859-1", .utf16BigEndian), ("", nil, .utf32),
    ] as [(String, String?, String.Encoding)])
  func `A page is read in its encoding`(
    _ head: String, _ contentType: String?, _ encoding: String.Encoding
  ) throws {
    let html = Self.page(head)
    let bytes = try #require(html.data(using: encoding))
    let text = PageText.utf8(Array(bytes), contentType: contentType)
    #expect(String(decoding: text, as: UTF8.self) == html)
  }

  @Test func `A byte order mark goes before all claims, and is none of the text`() {
    let html = Self.page("<meta charset=windows-1251>")
    let text = PageText.utf8(
      [0xEF, 0xBB, 0xBF] + Array(html.utf8), contentType: "text/html; charset=koi8-r")
    #expect(String(decoding: text, as: UTF8.self) == html)
  }

  @Test(
    arguments: [[], [0xFF], [0xFF, 0xFE], [0, 0x3C], [0x1F, 0x8B], [0xEF, 0xBB, 0xBF]] as [[UInt8]])
  func `Of broken bytes well-formed text is made`(_ bytes: [UInt8]) {
    for type in ["text/html", "text/html; charset=utf-16", "text/html; charset=gb18030", ""] {
      let text = PageText.utf8(bytes, contentType: type)
      #expect(String(validating: text, as: UTF8.self) != nil)
    }
  }
}
