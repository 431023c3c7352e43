import Foundation
import Testing

/// A mark that is written past the outbox never reaches its server.
@Suite struct MarkWritingTests {
  /// Where the user's marks are written with their rows in the outbox, and where a server's own are.
  private static let writers: Set<String> = [
    "Store/Articles/Marking.swift", "Store/Sync/ItemMarks.swift",
  ]

  @Test func `No other file writes whether an article is read or starred`() throws {
    let sources = TargetGraphTests.root.appending(path: "Sources")
    let files = try FileManager.default.subpathsOfDirectory(atPath: sources.path).filter { file in
      guard file.hasSuffix(".swift"), !file.hasPrefix("Store/Schema/") else { return false }
      let text = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
      return text.contains(#/UPDATE articleStatus[^;"]*SET[^;"]*\b(isRead|isStarred) = /#)
    }
    #expect(Set(files) == Self.writers)
  }
}
