import Foundation
import News
import Testing

@Suite struct EnclosureTests {
  @Test(
    arguments: [
      ("image/png", true), ("IMAGE/JPEG", true), ("Image/svg+xml; charset=utf-8", true),
      ("image/", true), ("image", false), ("imagine/png", false), ("video/mp4", false),
      (" image/png", false), ("image\u{0F}png", false), ("ımage/png", false), ("", false),
      (nil, false),
    ] as [(String?, Bool)])
  func `A picture is known by its type`(_ type: String?, _ isImage: Bool) {
    #expect(Enclosure(url: "https://example.org/1.png", type: type).isImage == isImage)
  }

  @Test func `Numbers that no file has are not known, however they come`() throws {
    var file = Enclosure(url: "https://example.org/1.mp3", length: .max, duration: .max)
    #expect(file.length == nil && file.duration == nil)
    (file.length, file.duration) = (-1, -1)
    #expect(file.length == nil && file.duration == nil)
    let stored = #"{"url":"u","length":9223372036854775807,"duration":-5,"role":"media"}"#
    #expect(
      try JSONDecoder().decode(Enclosure.self, from: Data(stored.utf8)) == Enclosure(url: "u"))
    file = Enclosure(url: "u", type: "audio/mpeg", length: 5, title: "t", duration: 7)
    let again = try JSONDecoder().decode(Enclosure.self, from: try JSONEncoder().encode(file))
    #expect(again == file)
  }
}
