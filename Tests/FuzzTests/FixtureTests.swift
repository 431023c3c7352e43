import Foundation
import FuzzProperties
import TestSupport
import Testing

/// A reader and a document it is given.
struct FuzzCase: Sendable, CustomTestStringConvertible {
  var target: FuzzTarget
  var file: String

  var testDescription: String { "\(target.rawValue): \(file)" }

  func bytes() throws -> [UInt8] {
    try Array(Data(contentsOf: fixtures.appending(path: file)))
  }
}

enum Fixtures {
  /// Every document in the fixtures that somebody might send, for the readers it suits.
  static let documents: [FuzzCase] = {
    let folders: [(FuzzTarget, [String])] = [
      (.feed, ["feeds", "opml", "articles"]), (.json, ["feeds"]), (.opml, ["opml", "feeds"]),
      (.html, ["articles", "typesetting", "feeds", "pages"]),
      (.page, ["pages", "articles", "typesetting"]), (.encoding, ["feeds"]), (.width, ["articles"]),
      (.picture, ["pictures"]),
    ]
    return folders.flatMap { target, folders in
      folders.flatMap { folder in
        fixtureFiles(in: folder).filter { !$0.hasSuffix(".expected.json") }
          .map { FuzzCase(target: target, file: "\(folder)/\($0)") }
      }
    }
  }()

  /// Inputs that broke something once, as the fuzzer wrote them: `TARGET-WHAT`.
  static let reproducers: [FuzzCase] = fixtureFiles(in: "fuzzing").compactMap { name in
    FuzzTarget(rawValue: String(name.prefix { $0 != "-" }))
      .map { FuzzCase(target: $0, file: "fuzzing/\(name)") }
  }
}

struct FixtureTests {
  /// How the documents are cut, and which variant reads them.
  private static let headers: [[UInt8]] = [
    [0, 0x20, 0x80, 0xC0], [8, 0x10, 0x90, 0xF0], [0x13, 0x30, 0x31, 0xA0], [0x48, 1, 2, 3],
  ]

  @Test(arguments: Fixtures.documents)
  func `What has to hold for any input holds for the fixtures`(_ document: FuzzCase) throws {
    // The plain one, and one of the others by the name: all of them for each document take minutes.
    let other = 1 + document.file.utf8.reduce(0) { $0 + Int($1) } % (Self.headers.count - 1)
    for header in [Self.headers[0], Self.headers[other]] {
      try document.target.check(header + document.bytes())
    }
  }

  @Test(arguments: Fixtures.reproducers)
  func `What broke a reader once does not any more`(_ input: FuzzCase) throws {
    try input.target.check(input.bytes())
  }

  @Test func `There are fixtures for the readers of documents`() {
    #expect(Fixtures.documents.count > 300)
    #expect(!Fixtures.reproducers.isEmpty)
  }
}
