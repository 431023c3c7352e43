internal import HTTP
internal import Testing

/// Forms with files.
struct FileFormTests {
  @Test func `Lines end with CR LF, and the bytes of a file stay as they are`() {
    let form = HTTPBody.form(
      "file", fileName: "a.png", type: "image/png", [0x0D, 0x0A, 0x2D, 0xFF, 0x00], boundary: "b")
    let expected =
      Array(
        ("--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.png\"\r\n"
          + "Content-Type: image/png\r\n\r\n").utf8)
      + [0x0D, 0x0A, 0x2D, 0xFF, 0x00] + Array("\r\n--b--\r\n".utf8)
    #expect(form.bytes == expected)
    #expect(form.contentType == "multipart/form-data; boundary=b")
  }

  @Test(
    arguments: [
      (#"a "b".png"#, "a %22b%22.png"), ("a\r\nX-Evil: 1", "a%0D%0AX-Evil: 1"),
      ("日本.png", "日本.png"), (#"a\b"#, #"a\b"#),
    ])
  func `No name ends its quotes or its line`(_ name: String, _ written: String) {
    let form = HTTPBody.form("file", fileName: name, type: "image/png", [], boundary: "b")
    let lines = String(decoding: form.bytes, as: UTF8.self).split(
      separator: "\r\n", omittingEmptySubsequences: false)
    #expect(lines.count == 7)
    #expect(
      lines[1] == "Content-Disposition: form-data; name=\"file\"; filename=\"\(written)\"")
  }

  @Test(arguments: ["", "image", "image/png\r\nX-Evil: 1", "image/png; a=b", "a/b/c", "/png"])
  func `What is no media type is sent as bytes`(_ type: String) {
    let form = HTTPBody.form("file", fileName: "a", type: type, [])
    #expect(
      String(decoding: form.bytes, as: UTF8.self).contains(
        "\r\nContent-Type: application/octet-stream\r\n\r\n"))
  }

  @Test func `Two forms have two boundaries`() {
    let forms = (0..<2).map { _ in HTTPBody.form("file", fileName: "a", type: "a/b", []) }
    #expect(forms[0].contentType != forms[1].contentType)
  }
}
