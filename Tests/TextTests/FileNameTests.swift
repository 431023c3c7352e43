import Testing
import Text

struct FileNameTests {
  static let cases: [(String, String)] = [
    ("episode.mp3", "episode.mp3"), ("../../etc/passwd", "passwd"), ("..", "download"),
    (".", "download"), ("", "download"), ("/", "download"), ("a/", "a"), (".bashrc", "bashrc"),
    ("...hidden.mp3", "hidden.mp3"), ("..\\..\\boot.ini", "boot.ini"), ("-rf", "rf"),
    ("a\u{0}b\u{1B}[31m.mp3", "ab[31m.mp3"), ("gnp.\u{202E}3pm.exe", "gnp.3pm.exe"),
    ("a\nb.mp3", "a b.mp3"), ("CON", "_CON"), ("nul.txt", "_nul.txt"), ("com1.mp3", "_com1.mp3"),
    ("common.mp3", "common.mp3"), ("a:b?.mp3", "a_b_.mp3"), ("name. . ", "name"),
    ("größe – naïve.ogg", "größe – naïve.ogg"), ("a\u{2028}b", "a b"),
  ]

  @Test(arguments: cases)
  func `A name from outside stays in its folder and is plain`(text: String, expected: String) {
    #expect(FileName.safe(text) == expected)
  }

  @Test func `A long name is cut in front of its ending, between characters`() {
    let long = FileName.safe(String(repeating: "👩‍👩‍👧", count: 40) + ".mp3")
    #expect(long.utf8.count <= FileName.longest)
    #expect(long.hasSuffix("👩‍👩‍👧.mp3"))
    #expect(FileName.safe(String(repeating: "x", count: 5_000)).utf8.count == FileName.longest)
    #expect(FileName.safe("a." + String(repeating: "x", count: 5_000)).utf8.count <= 200)
    #expect(FileName.safe(String(repeating: ".", count: 5_000)) == "download")
  }

  @Test func `A number goes before the ending`() {
    #expect(FileName.numbered("a.mp3", 1) == "a.mp3")
    #expect(FileName.numbered("a.mp3", 2) == "a (2).mp3")
    #expect(FileName.numbered("a.tar.gz", 3) == "a (3).tar.gz")
    #expect(FileName.numbered("Vol. 3 of it", 2) == "Vol. 3 of it (2)")
    #expect(FileName.numbered("plain", 2) == "plain (2)")
  }

  @Test func `Separators in a title become hyphens`() {
    #expect(FileName.component("AC/DC: live") == "AC-DC_ live")
    #expect(FileName.component("../x") == "x" || FileName.component("../x") == "-x")
    #expect(!FileName.component("../../x").contains("/"))
  }
}
