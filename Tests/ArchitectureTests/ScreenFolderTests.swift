import Foundation
import Testing

/// Holds the screens of the reader apart: a folder each, and none names what is in another's.
@Suite struct ScreenFolderTests {
  private static let reader = TargetGraphTests.root.appending(path: "Sources/Reader")
  /// What screens share, by role, and the capabilities without a screen, which several of them use.
  private static let shared: Set<String> = [
    "Core", "Controls", "Dates", "Drawing", "Keys", "Commands", "Panes",
    "Accounts", "Finding", "Marks", "Opening", "Preferences", "Programs", "Reading",
    "Subscriptions",
  ]
  /// The members of the `ReaderState` that hold what a pane keeps.
  private static let members = ["Sidebar": "sidebar", "List": "list", "Article": "article"]

  /// The sources of each folder, without comments and texts.
  private static func sources() throws -> [String: [(name: String, text: String)]] {
    let manager = FileManager.default
    var sources: [String: [(name: String, text: String)]] = [:]
    for folder in try manager.contentsOfDirectory(atPath: reader.path) {
      let path = reader.appending(path: folder).path
      for file in try manager.contentsOfDirectory(atPath: path) where file.hasSuffix(".swift") {
        let text = try String(contentsOfFile: "\(path)/\(file)", encoding: .utf8)
        let code = text.split(separator: "\n", omittingEmptySubsequences: false)
          .filter { !$0.drop { $0 == " " }.hasPrefix("//") }
        let plain = code.joined(separator: "\n").replacing(#/"[^"\n]*"/#, with: "")
        sources[folder, default: []].append(("\(folder)/\(file)", plain))
      }
    }
    return sources
  }

  /// The names of the types that a folder declares.
  private static func types(of files: [(name: String, text: String)]) -> Set<String> {
    let declaration = #/^(?:package )?(?:struct|enum|protocol|final class|actor) (\w+)/#
      .anchorsMatchLineEndings()
    return Set(files.flatMap { $0.text.matches(of: declaration).map { String($0.1) } })
  }

  /// The types in `ScreenStack.kinds`.
  private static func kinds() throws -> [String] {
    let stack = try String(
      contentsOf: reader.appending(path: "Core/ScreenStack.swift"), encoding: .utf8)
    let list = try #require(stack.firstMatch(of: #/static let kinds[^=]*= \[([^\]]*)\]/#))
    return list.1.matches(of: #/(\w+)\.self/#).map { String($0.1) }
  }

  @Test func `Each screen of the stack has a folder of its own`() throws {
    let sources = try Self.sources()
    let folders = try Self.kinds().map { kind in
      try #require(
        sources.first { Self.types(of: $0.value).contains(kind) }?.key, "where is \(kind)?")
    }
    #expect(folders.count >= 7)
    #expect(Set(folders).count == folders.count, "\(folders)")
    #expect(Set(folders).isDisjoint(with: Self.shared))
    // No folder is left over, and no file lies beside them.
    #expect(Set(sources.keys) == Set(folders).union(Self.shared))
  }

  @Test func `No screen's file names what another screen's folder holds`() throws {
    let sources = try Self.sources()
    let screens = sources.filter { !Self.shared.contains($0.key) }
    for (folder, files) in screens {
      for (other, theirs) in screens where other != folder {
        let types = Self.types(of: theirs)
        for file in files {
          let words = file.text.split { !$0.isLetter && !$0.isNumber }
          let named = types.intersection(words.map(String.init))
          #expect(named.isEmpty, "\(file.name) names \(named.sorted()) of \(other)")
        }
        guard let member = Self.members[other] else { continue }
        // `state.list` does not end a word for Unicode, as `3.5` does not.
        let ofState = try Regex(#"state\.\#(member)(?!\w)"#)
        // As the extensions of the `ReaderState` see it.
        let bare = try Regex(#"(?m)(^|[^\w.])\#(member)[.?]"#)
        for file in files {
          #expect(!file.text.contains(ofState), "\(file.name) uses the \(member)")
          guard file.text.contains("extension ReaderState") else { continue }
          #expect(!file.text.contains(bare), "\(file.name) uses the \(member)")
        }
      }
    }
  }
}
