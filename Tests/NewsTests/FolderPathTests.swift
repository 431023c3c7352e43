import News
import Testing

@Suite struct FolderPathTests {
  @Test(
    arguments: [
      (["Tech"], "Tech"), (["Tech", "Swift"], "Tech/Swift"), (["TCP/IP"], "TCP\u{2215}IP"),
      (["a/b/c", "/"], "a\u{2215}b\u{2215}c/\u{2215}"), ([], ""),
    ] as [([String], String)])
  func `A path keeps the names of its folders whole`(_ names: [String], _ path: String) {
    #expect(FolderPath.joined(names) == path)
    #expect(FolderPath.names(path) == names)
  }

  @Test func `Names of nothing but space are left out, and all are fit for the screen`() {
    #expect(FolderPath.joined(["  a  b ", " ", "", "c\u{1B}[m"]) == "a b/c[m")
  }
}
