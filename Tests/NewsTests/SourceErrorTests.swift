import Foundation
import News
import Testing

struct SourceErrorTests {
  private static let hostile = "be\u{1B}]0;x\u{7}\u{9B}\u{9D}\u{202E}\u{2066}\u{7F}\nhind"

  @Test func `An error holds nothing that speaks to a terminal, however it is filled`() {
    var error = SourceError(
      .status, stage: .fetch, subject: Self.hostile, message: Self.hostile, next: Self.hostile)
    expectClean(error)
    error.subject = Self.hostile
    error.message = Self.hostile
    error.next = Self.hostile
    expectClean(error)
    #expect(error.line.contains("be]0;x") && error.line.contains("hind"))
  }

  @Test func `An error that was stored by an earlier version is cleaned as it is read`() throws {
    let text = try String(decoding: JSONEncoder().encode(Self.hostile), as: UTF8.self)
    let stored = """
      {"kind": "status", "stage": "fetch", "subject": \(text), "message": \(text), "next": \(text),
       "status": 403, "feedURL": "https://e\u{9D}x.org/"}
      """
    let error = try JSONDecoder().decode(SourceError.self, from: Data(stored.utf8))
    expectClean(error)
    #expect(error.status == 403 && error.feedURL == nil)
    let again = try JSONDecoder().decode(SourceError.self, from: JSONEncoder().encode(error))
    #expect(again == error)
  }

  @Test(
    arguments: [
      (.status, 401, true), (.status, 404, true), (.status, 410, true), (.proxy, 407, true),
      (.tls, nil, true), (.secret, nil, true), (.notAFeed, 200, true),
      (.status, 429, false), (.status, 503, false), (.timeout, nil, false), (.offline, nil, false),
      (.decoding, 200, false), (.proxy, nil, false),
    ] as [(SourceError.Kind, Int?, Bool)])
  func `Some failures last until the user does something`(
    kind: SourceError.Kind, status: Int?, needsUser: Bool
  ) {
    let error = SourceError(kind, stage: .fetch, subject: "s", message: "m", status: status)
    #expect(error.needsUser == needsUser)
  }

  @Test func `The feed that an error names is a clean web address, or none`() {
    func feed(_ url: String) -> String? {
      SourceError(.notAFeed, stage: .parse, subject: "s", message: "m", feedURL: url).feedURL
    }
    #expect(feed("https://example.org/feed?a=b") == "https://example.org/feed?a=b")
    for url in [
      "https://e\u{9D}x.org/", "https://example.org/\u{202E}", "javascript:x", "https://", "",
      "https://example.org/\u{1B}[31m", "https://example.org/ x\n",
    ] {
      #expect(feed(url)?.contains(/[\n\u{1B}\u{9D}\u{202E}]/) != true, "\(url.debugDescription)")
    }
  }

  @Test(arguments: [
    ("there is no such file", "There is no such file."), ("It is full.", "It is full."),
    ("example.org replied 503", "example.org replied 503."),
    ("localhost does not answer", "localhost does not answer."),
    ("telex needs more", "telex needs more."), ("Why?", "Why?"), ("", ""),
    ("ca_file cannot be read", "ca_file cannot be read."),
    ("a file is missing", "A file is missing."),
    ("well, no", "Well, no."),
  ])
  func `A message is a sentence, and names are written as they are`(
    text: String, sentence: String
  ) {
    let error = SourceError(
      .file, stage: .fetch, subject: "http://localhost/feed", message: text, next: "try again.")
    #expect(error.message == sentence)
    #expect(error.next == "try again")
  }

  @Test func `An error with what helps is one sentence`() {
    let error = SourceError(
      .file, stage: .fetch, subject: "my  feed.xml", message: "there is no such file",
      next: "check the path")
    #expect(error.line == "my  feed.xml: There is no such file; check the path.")
  }

  private func expectClean(_ error: SourceError) {
    for text in [error.subject, error.message, error.next ?? "", error.line] {
      #expect(
        !text.unicodeScalars.contains {
          $0.value < 0x20 || (0x7F...0x9F).contains($0.value)
            || (0x202A...0x202E).contains($0.value) || (0x2066...0x2069).contains($0.value)
        }, "\(text.debugDescription)")
    }
  }
}
