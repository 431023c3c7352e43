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
}
