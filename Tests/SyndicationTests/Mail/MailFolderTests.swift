import Testing

@testable import Syndication

@Suite
struct MailFolderTests {
  @Test func `Messages of a mailbox are separated by the line before them, in any piece of a file`()
  {
    let text = "From - x\nA: 1\n\nFrom me\nFrom - no header\n\nFrom \nB: 2\n\nend\n"
    let bytes = Array(text.utf8)
    func texts(_ found: [Range<Int>], of bytes: [UInt8]) -> [String] {
      found.map { String(decoding: bytes[$0], as: UTF8.self) }
    }
    let whole = MailboxReader.messages(in: bytes, isEnd: true)
    let expected = ["A: 1\n\nFrom me\nFrom - no header\n\n", "B: 2\n\nend\n"]
    #expect(texts(whole.messages, of: bytes) == expected && whole.rest == bytes.count)
    for cut in 1..<bytes.count {
      let first = MailboxReader.messages(in: Array(bytes[..<cut]), isEnd: false)
      let rest = Array(bytes[(first.messages.isEmpty ? 0 : first.rest)...])
      let second = MailboxReader.messages(in: rest, isEnd: true)
      #expect(
        texts(first.messages, of: bytes) + texts(second.messages, of: rest) == expected, "\(cut)")
    }
  }

  @Test(arguments: [
    ("1793966405000000.eml", ""), ("1.eml:2,", ""), ("1.eml:2,FS", "read starred"),
    ("1.host;2,RST", "read deleted"), ("1!2,DF", "starred"), ("1.eml:1,S", ""), ("S", ""),
    ("1:S2,", ""), (":2,S", "read"), ("1:2,F:2,S", "read"), ("", ""),
  ])
  func `Marks of a message in a maildir stand at the end of its file's name`(
    name: String, expected: String
  ) {
    let marks = Maildir.Marks(ofName: name)
    let names = [
      marks.isRead ? "read" : nil, marks.isStarred ? "starred" : nil,
      marks.isDeleted ? "deleted" : nil,
    ]
    #expect(names.compactMap(\.self).joined(separator: " ") == expected)
  }

  @Test func `Hidden files of a maildir are no messages`() {
    #expect(!Maildir.isMessage(".hidden") && Maildir.isMessage("1.eml"))
  }
}
