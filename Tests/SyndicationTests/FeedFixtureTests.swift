import Foundation
import News
import Syndication
import Testing

/// What a fixture comes to: `NAME.xml` beside `NAME.expected.json`.
private struct Expectation: Codable, Equatable {
  struct Item: Codable, Equatable {
    var id: String
    var url: String?
    var title: String?
    var authors: [String]?
    var published: String?
    var updated: String?
    var contentHTML: String?
    var summary: String?
    var enclosures: [File]?
    var categories: [String]?
  }

  struct File: Codable, Equatable {
    var url: String
    var type: String?
    var length: Int64?
  }

  // Given to the parser.
  var contentType: String?
  var baseURL: String?
  // Compared with what comes out.
  var error: String?
  var format: String?
  var title: String?
  var link: String?
  var description: String?
  var language: String?
  var nextURL: String?
  var minutesToLive: Int?
  var warnings: [String]?
  var entries: [Item]?
}

extension Expectation {
  fileprivate init(_ result: Result<ParsedFeed, SourceError>, like given: Expectation) {
    contentType = given.contentType
    baseURL = given.baseURL
    switch result {
    case .failure(let failure): error = failure.kind.rawValue
    case .success(let feed):
      format = feed.description.format.rawValue
      title = feed.description.title
      link = feed.description.link
      description = feed.description.description
      language = feed.description.language
      nextURL = feed.description.nextURL
      minutesToLive = feed.description.minutesToLive
      warnings = feed.warnings.isEmpty ? nil : feed.warnings
      entries = feed.entries.map(Item.init)
    }
  }
}

extension Expectation.Item {
  fileprivate init(_ entry: Entry) {
    id = entry.id
    url = entry.url
    title = entry.title
    authors = entry.authors.isEmpty ? nil : entry.authors
    published = entry.published.map(FeedDate.iso8601)
    updated = entry.updated.map(FeedDate.iso8601)
    contentHTML = entry.contentHTML
    summary = entry.summary
    let files = entry.enclosures.map {
      Expectation.File(url: $0.url, type: $0.type, length: $0.length)
    }
    enclosures = files.isEmpty ? nil : files
    categories = entry.categories.isEmpty ? nil : entry.categories
  }
}

private let folder = URL(filePath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  .appending(path: "Fixtures/feeds")

private let fixtures: [String] = {
  let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
  return names.filter { !$0.hasSuffix(".expected.json") }.sorted()
}()

/// With `TELEX_RECORD=1`, what a fixture comes to is written beside it where that says no more than what
/// the parser is given (`baseURL`, `contentType`). It is to be read before it is committed.
private let isRecording = ProcessInfo.processInfo.environment["TELEX_RECORD"] == "1"

private func record(_ parsed: Expectation, of name: String) throws {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
  let stem = folder.appending(path: name).deletingPathExtension().lastPathComponent
  try encoder.encode(parsed).write(to: folder.appending(path: stem + ".expected.json"))
}

private func load(_ name: String) throws -> (bytes: [UInt8], expected: Expectation) {
  let file = folder.appending(path: name)
  let stem = file.deletingPathExtension().lastPathComponent
  let expected = try Data(contentsOf: folder.appending(path: stem + ".expected.json"))
  return (
    [UInt8](try Data(contentsOf: file)),
    try JSONDecoder().decode(Expectation.self, from: expected)
  )
}

private func parse(_ pieces: [ArraySlice<UInt8>], _ given: Expectation) -> Expectation {
  var parser = FeedParser(contentType: given.contentType, baseURL: given.baseURL)
  for piece in pieces { parser.consume(piece) }
  do throws(SourceError) {
    return Expectation(.success(try parser.finish()), like: given)
  } catch {
    return Expectation(.failure(error), like: given)
  }
}

@Suite struct FeedFixtureTests {
  @Test func `The table of fixtures is found`() {
    #expect(fixtures.count >= 60)
  }

  @Test(arguments: fixtures)
  func `A fixture comes to what is written beside it`(_ name: String) throws {
    var (bytes, expected) = try load(name)
    let parsed = parse([bytes[...]], expected)
    if isRecording, expected.format == nil, expected.error == nil {
      try record(parsed, of: name)
      expected = parsed
    }
    #expect(parsed.entries?.count == expected.entries?.count)
    for (item, wanted) in zip(parsed.entries ?? [], expected.entries ?? []) {
      #expect(item == wanted)
    }
    #expect(parsed == expected)
  }

  @Test(arguments: fixtures)
  func `A fixture cut in two comes to the same`(_ name: String) throws {
    let (bytes, expected) = try load(name)
    try #require(bytes.count < 20_000)
    // Long ones are cut at 200 places all over them; the test below cuts at every byte at once.
    for cut in stride(from: 0, through: bytes.count, by: max(1, bytes.count / 200)) {
      let parsed = parse([bytes[..<cut], bytes[cut...]], expected)
      guard parsed != expected else { continue }
      Issue.record("Cut at \(cut), \(name) comes to \(parsed)")
      return
    }
  }

  @Test(arguments: fixtures)
  func `A fixture given byte by byte comes to the same`(_ name: String) throws {
    let (bytes, expected) = try load(name)
    let parsed = parse(bytes.indices.map { bytes[$0...$0] }, expected)
    #expect(parsed == expected)
  }
}
