import Foundation
import News
import Syndication
import TestSupport
import Testing
import Text

/// What a fixture comes to: `TOPIC/NAME.xml` beside `TOPIC/NAME.expected.json`. What is absent, and what
/// is empty, is left out.
private struct Expectation: Codable, Equatable {
  struct Item: Codable, Equatable {
    var id: String
    var url: String?
    var title: String?
    var authors: [Author]?
    var published: String?
    var updated: String?
    var contentHTML: String?
    var summary: String?
    var enclosures: [Enclosure]?
    var categories: [News.Category]?
    var language: String?
    var image: String?
    var comments: CommentLinks?
    var source: EntrySource?
    var rights: String?
  }

  // Given to the parser.
  var contentType: String?
  var baseURL: String?
  // Compared with what comes out.
  var error: String?
  var message: String?
  var format: String?
  var title: String?
  var link: String?
  var description: String?
  var language: String?
  var image: String?
  var icon: String?
  var authors: [Author]?
  var categories: [News.Category]?
  var rights: String?
  var updated: String?
  var feedURL: String?
  var movedTo: String?
  var nextURL: String?
  var generator: String?
  var listTotal: Int?
  var isComplete: Bool?
  var isArchive: Bool?
  var minutesToLive: Int?
  var warnings: [String]?
  var entries: [Item]?
}

extension Expectation {
  fileprivate init(_ result: Result<ParsedFeed, SourceError>, like given: Expectation) {
    contentType = given.contentType
    baseURL = given.baseURL
    switch result {
    case .failure(let failure):
      error = failure.kind.rawValue
      message = failure.message
    case .success(let feed):
      let head = feed.description
      format = head.format.rawValue
      title = head.title
      link = head.link
      description = head.description
      language = head.language
      image = head.image
      icon = head.icon
      authors = present(head.authors)
      categories = present(head.categories)
      rights = head.rights
      updated = head.updated.map(Timestamp.text(of:))
      feedURL = head.feedURL
      movedTo = head.movedTo
      nextURL = head.nextURL
      generator = head.generator
      listTotal = head.listTotal
      isComplete = head.isComplete ? true : nil
      isArchive = head.isArchive ? true : nil
      minutesToLive = head.minutesToLive
      warnings = present(feed.warnings)
      entries = feed.entries.map(Item.init)
    }
  }

  /// Sorted, so that a difference is a difference of lines.
  var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}

extension Expectation.Item {
  fileprivate init(_ entry: Entry) {
    id = entry.id
    url = entry.url
    title = entry.title
    authors = present(entry.authors)
    published = entry.published.map(Timestamp.text(of:))
    updated = entry.updated.map(Timestamp.text(of:))
    contentHTML = entry.contentHTML
    summary = entry.summary
    enclosures = present(entry.enclosures)
    categories = present(entry.categories)
    language = entry.language
    image = entry.image
    comments = entry.comments
    source = entry.source
    rights = entry.rights
  }
}

private func present<Element>(_ list: [Element]) -> [Element]? { list.isEmpty ? nil : list }

/// The lines in which two texts differ, with what stands around them.
private func difference(_ found: String, from wanted: String) -> String {
  let (old, new) = (wanted.components(separatedBy: "\n"), found.components(separatedBy: "\n"))
  let changes = new.difference(from: old)
  let removed = Set(
    changes.removals.map { change in
      if case .remove(let offset, _, _) = change { offset } else { 0 }
    })
  let inserted = Set(
    changes.insertions.map { change in
      if case .insert(let offset, _, _) = change { offset } else { 0 }
    })
  var lines: [String] = []
  var (left, right) = (0, 0)
  while left < old.count || right < new.count {
    if left < old.count, removed.contains(left) {
      lines.append("- " + old[left])
      left += 1
    } else if right < new.count, inserted.contains(right) {
      lines.append("+ " + new[right])
      right += 1
    } else {
      lines.append("  " + old[left])
      left += 1
      right += 1
    }
  }
  let shown = lines.indices.filter { place in
    (max(0, place - 2)...min(lines.count - 1, place + 2)).contains { lines[$0].first != " " }
  }
  return shown.map { lines[$0] }.joined(separator: "\n")
}

private let folder = fixtures.appending(path: "feeds")

/// The documents, as `TOPIC/NAME.xml`.
private let documents = fixtureFiles(in: "feeds").filter { !$0.hasSuffix(".expected.json") }

private func expectationFile(of name: String) -> URL {
  folder.appending(path: (name as NSString).deletingPathExtension + ".expected.json")
}

/// `TELEX_RECORD=1` writes down what fixtures come to: all of it, to be read before it is committed.
private let isRecording = ProcessInfo.processInfo.environment["TELEX_RECORD"] == "1"

private func load(_ name: String) throws -> (bytes: [UInt8], expected: Expectation) {
  let bytes = [UInt8](try Data(contentsOf: folder.appending(path: name)))
  guard let expected = try? Data(contentsOf: expectationFile(of: name)) else {
    try #require(isRecording, "\(name) has no expectation beside it.")
    return (bytes, Expectation(baseURL: "https://example.org/feed.xml"))
  }
  return (bytes, try JSONDecoder().decode(Expectation.self, from: expected))
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
    #expect(documents.count >= 680)
  }

  @Test(arguments: documents)
  func `A fixture comes to what is written beside it`(_ name: String) throws {
    let (bytes, expected) = try load(name)
    let parsed = parse([bytes[...]], expected)
    if isRecording {
      try Data((parsed.text + "\n").utf8).write(to: expectationFile(of: name))
    } else if parsed != expected {
      Issue.record("\(name):\n\(difference(parsed.text, from: expected.text))")
    }
  }

  @Test(arguments: documents)
  func `A fixture cut in two comes to the same`(_ name: String) throws {
    let (bytes, expected) = try load(name)
    try #require(bytes.count < 20_000)
    // Long ones are cut at 16 places all over them; the test below cuts at every byte at once.
    for cut in stride(from: 0, through: bytes.count, by: max(1, bytes.count / 16)) {
      let parsed = parse([bytes[..<cut], bytes[cut...]], expected)
      guard parsed != expected else { continue }
      Issue.record("\(name), cut at \(cut):\n\(difference(parsed.text, from: expected.text))")
      return
    }
  }

  @Test(arguments: documents)
  func `A fixture given byte by byte comes to the same`(_ name: String) throws {
    let (bytes, expected) = try load(name)
    let parsed = parse(bytes.indices.map { bytes[$0...$0] }, expected)
    guard parsed != expected else { return }
    Issue.record("\(name), byte by byte:\n\(difference(parsed.text, from: expected.text))")
  }
}
