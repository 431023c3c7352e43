import Testing

@testable import TelexKit

@Suite struct FileNamePatternTests {
  private let values = FileNamePattern.Values(
    name: "ep.1.mp3", title: "../A/B", feed: "..", date: "2026-03-01", id: "7")

  @Test(arguments: [
    ("{name}", "ep.1.mp3"), ("{title}", "A-B.mp3"), ("{feed}/{name}", "download/ep.1.mp3"),
    ("{date} {id} {name}", "2026-03-01 7 ep.1.mp3"), ("x/y {id}", "x/y 7.mp3"),
    (".{name}", "ep.1.mp3"), ("{name} {id}", "ep.1.mp3 7.mp3"),
  ])
  func `A pattern makes a path that stays below its folder`(
    pattern: String, expected: String
  ) throws {
    let path = try FileNamePattern(pattern).path(values)
    #expect(path == expected || path == expected.replacing("A-B", with: "-A-B"))
    #expect(!path.split(separator: "/").contains { $0.hasPrefix(".") })
  }

  @Test(arguments: ["", "/", "a//{name}", "../{name}", "{name}/..", "{x}", "{", "}{", "plain"])
  func `A pattern that names no file is refused`(pattern: String) {
    #expect(throws: SettingMistake.self) { try FileNamePattern(pattern) }
  }
}
