import Foundation
import Testing

/// A front end stands on TelexKit, not on what TelexKit puts together. Else a second one would have to
/// know as much as the first.
@Suite struct FrontEndTests {
  /// What no front end imports. `Pictures` is the process that decodes pictures, which a front end is
  /// told to be.
  static let parts = (TargetGraphTests.edges["TelexKit"] ?? [])
    .subtracting(["Text", "News", "Pictures"])

  @Test func `the program imports no part that TelexKit puts together`() throws {
    let files = try Imports.inSources(of: TargetGraphTests.root).filter { $0.target == "telex" }
    #expect(files.count > 20)
    #expect(Self.parts.isSuperset(of: ["Store", "Repository", "Services", "Syndication"]))
    for file in files {
      #expect(Self.parts.isDisjoint(with: file.modules), "\(file.path)")
    }
  }

  @Test func `the second front end needs News and TelexKit alone`() throws {
    let tests = TargetGraphTests.root.appending(path: "Tests/TelexKitTests")
    let files = try FileManager.default.contentsOfDirectory(atPath: tests.path)
      .filter { $0.hasSuffix(".swift") }
    #expect(files.contains("LineReader.swift"))
    for name in files {
      let text = try String(contentsOf: tests.appending(path: name), encoding: .utf8)
      let modules = Set(Imports.modules(in: text))
      #expect(Self.parts.isDisjoint(with: modules), "\(name)")
      if name == "LineReader.swift" { #expect(modules == ["News", "TelexKit"]) }
    }
  }
}
