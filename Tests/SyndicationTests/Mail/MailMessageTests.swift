import Testing

@testable import Syndication

@Suite
struct MailMessageTests {
  private func message(_ text: String) -> MailMessage { MailMessage(Array(text.utf8)) }

  @Test func `Headers are unfolded, their encoded words decoded, and the first of a name counts`() {
    let message = message(
      """
      Message-Id: <tag:a@b,1>\r
      Subject: =?UTF-8?B?R3LDvMOfZQ==?= =?ISO-8859-1?Q?_=E4=5F?=\r
      Keywords: one,\r
        two\r
      KEYWORDS: three\r
      \r
      text\r

      """)
    #expect(message.id == "tag:a@b,1" && message.header("Subject") == "Grüße ä_")
    #expect(message.header("keywords") == "one, two" && message.header("From") == nil)
    #expect(message.parts.map(\.body) == ["text\n"])
  }

  @Test func `Parts have headers of their own, and lines that a mailbox has quoted are as written`()
  {
    let parts = message(
      """
      Content-Type: multipart/mixed; boundary="------------42"\r
      \r
      This is a multi-part message in MIME format.\r
      --------------42\r
      Content-Type: text/html; charset=UTF-8\r
      \r
      <p>one</p>\r
      >From me\r
      \r
      --------------42\r
      Content-Type: audio/mpeg; name="1.mp3"\r
      --------------42--\r

      """
    ).parts
    #expect(
      parts.map { $0.headers["content-type"] } == [
        "text/html; charset=UTF-8", "audio/mpeg; name=\"1.mp3\"",
      ])
    #expect(parts.map(\.body) == ["<p>one</p>\nFrom me\n", ""])
  }

  @Test(arguments: ["From - Fri Nov  6 13:00:00 2026\n", "From \n", ""])
  func `The line before a message may stand in a file of its own too`(line: String) {
    let message = message(line + "Message-Id: <1>\nSubject: T\n\nx")
    #expect(message.id == "1" && message.header("subject") == "T")
    #expect(message.parts.map(\.body) == ["x"])
  }

  @Test(arguments: ["", "Subject: T\n\nx", "Message-Id: <>\n\nx", "\n\n", "=?"])
  func `A message without an id is read nevertheless`(text: String) {
    #expect(message(text).id == nil && message(text).parts.count == 1)
  }
}
