import Foundation
import News
import Syndication
import TestSupport
import Testing
import Text

/// What a list comes to: `NAME.opml` beside `NAME.expected.json`.
private struct Expectation: Codable, Equatable {
  struct Feed: Codable, Equatable {
    var url: String
    var title: String?
    var hasCustomTitle: Bool?
    var htmlUrl: String?
    var categories: [[String]]?
    var attributes: [OutlineAttribute]?
  }

  struct Folder: Codable, Equatable {
    var path: [String]
    var attributes: [OutlineAttribute]
    var isKept: Bool?
  }

  struct Skipped: Codable, Equatable {
    var line: Int
    var title: String?
    var url: String?
    var reason: String
  }

  var error: String?
  var title: String?
  var feeds: [Feed]?
  var folders: [Folder]?
  var skipped: [Skipped]?
  var warnings: [String]?
}

extension Expectation {
  fileprivate init(_ document: OPMLDocument) {
    title = document.title
    feeds = document.feeds.map { feed in
      Feed(
        url: feed.url, title: feed.title, hasCustomTitle: feed.hasCustomTitle ? true : nil,
        htmlUrl: feed.htmlUrl, categories: feed.categories.isEmpty ? nil : feed.categories,
        attributes: feed.attributes.isEmpty ? nil : feed.attributes)
    }
    folders =
      document.folders.isEmpty
      ? nil
      : document.folders.map {
        Folder(path: $0.path, attributes: $0.attributes, isKept: $0.isKept ? true : nil)
      }
    skipped =
      document.skipped.isEmpty
      ? nil
      : document.skipped.map {
        Skipped(line: $0.line, title: $0.title, url: $0.url, reason: $0.reason)
      }
    warnings = document.warnings.isEmpty ? nil : document.warnings
  }

  fileprivate init(reading bytes: [UInt8]) {
    do throws(SourceError) {
      self.init(try OPML.parse(bytes))
    } catch {
      self.init(error: error.message)
    }
  }
}

private let folder = fixtures.appending(path: "opml")

private let lists = fixtureFiles(in: "opml").filter { $0.hasSuffix(".opml") }.map {
  String($0.dropLast(5))
}

private func bytes(_ name: String) throws -> [UInt8] {
  [UInt8](try Data(contentsOf: folder.appending(path: name + ".opml")))
}

/// `TELEX_RECORD=1` writes the expectations anew; a change of one is evidence to be explained.
@Suite struct OPMLFixtureTests {
  @Test func `The table of lists is found`() {
    #expect(lists.count >= 60)
  }

  @Test(arguments: lists)
  func `A list comes to what is written beside it`(_ name: String) throws {
    let read = Expectation(reading: try bytes(name))
    let file = folder.appending(path: name + ".expected.json")
    if ProcessInfo.processInfo.environment["TELEX_RECORD"] != nil {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      try (encoder.encode(read) + Data("\n".utf8)).write(to: file)
    }
    let expected = try JSONDecoder().decode(Expectation.self, from: Data(contentsOf: file))
    #expect(read == expected)
  }

  /// Folders come before loose feeds in what is written, so that the order may be another one; and a
  /// prefix that a list has not declared is declared in ours.
  @Test(arguments: lists)
  func `What is read and written reads as the same`(_ name: String) throws {
    guard let document = try? OPML.parse(try bytes(name)) else { return }
    let text = OPML.write(document)
    let again = try OPML.parse(Array(text.utf8))
    #expect(again.title == document.title)
    #expect(again.skipped.isEmpty)
    func comparable(_ feeds: [OPMLDocument.Feed]) -> [OPMLDocument.Feed] {
      feeds.map { feed in
        var feed = feed
        feed.categories.sort { $0.joined(separator: "\n") < $1.joined(separator: "\n") }
        for index in feed.attributes.indices { feed.attributes[index].namespace = nil }
        feed.attributes.sort { $0.name < $1.name }
        return feed
      }.sorted { $0.url < $1.url }
    }
    #expect(comparable(again.feeds) == comparable(document.feeds))
    let empty = { (document: OPMLDocument) in Set(document.folders.filter(\.isKept).map(\.path)) }
    #expect(empty(again) == empty(document))
    #expect(OPML.write(again) == text)
  }

  @Test(arguments: lists)
  func `A list that is cut anywhere is read as far as it goes`(_ name: String) throws {
    let bytes = try bytes(name)
    for cut in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 60)) {
      guard let document = try? OPML.parse(Array(bytes[..<cut])) else { continue }
      #expect(document.feeds.allSatisfy { WebAddress.scheme(of: $0.url) != "javascript" })
    }
  }
}
