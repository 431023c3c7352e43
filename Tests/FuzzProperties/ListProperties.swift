internal import Foundation
internal import News
internal import Syndication
internal import Text

extension FuzzTarget {
  func checkOPML(_ input: [UInt8]) throws(Violation) {
    let document: OPMLDocument
    do throws(SourceError) {
      document = try OPML.parse(input)
    } catch {
      return try checkLine(error.message, "the message of an error")
    }
    try checkLine(document.title, "the list's title")
    for feed in document.feeds {
      try checkLine(feed.url, "a feed's address")
      try checkLine(feed.title, "a feed's title")
      try checkLine(feed.htmlUrl, "a feed's page")
      for name in feed.categories.joined() { try checkLine(name, "a folder") }
    }
    let addresses = Set(document.feeds.map(\.url))
    try require(addresses.count == document.feeds.count, "an address is there twice")
    let written = OPML.write(document)
    let again: OPMLDocument
    do throws(SourceError) {
      again = try OPML.parse(Array(written.utf8))
    } catch {
      throw Violation("what was written cannot be read: \(error.message)\n\(written)")
    }
    try require(
      again.title == document.title && contents(again) == contents(document),
      "what was written reads differently:\n\(document)\n\(again)\n\(written)")
  }

  func checkDate(_ input: [UInt8]) throws(Violation) {
    let date = input.withUnsafeBufferPointer { FeedDate.parse(bytes: $0) }
    guard let date else { return }
    let seconds = date.timeIntervalSince1970
    try require(seconds.isFinite, "a date of \(seconds)")
    // Its zone may put a moment a day beyond the years that can be written.
    let range = -62_135_596_800.0...253_402_300_799.0
    try require(
      seconds > range.lowerBound - 200_000 && seconds < range.upperBound + 200_000,
      "a date of \(seconds)")
    let written = Timestamp.text(of: date)
    let expected = min(max(seconds, range.lowerBound), range.upperBound).rounded(.down)
    try require(
      FeedDate.parse(written)?.timeIntervalSince1970 == expected,
      "\(seconds) is written as \(written)")
  }
}

/// What a list says of each feed, in no order: folders gather what stands in them.
private func contents(_ document: OPMLDocument) -> [String: [String: Set<[String]>]] {
  var contents: [String: [String: Set<[String]>]] = [:]
  for feed in document.feeds {
    contents[feed.url] = ["\(feed.title ?? "")\n\(feed.htmlUrl ?? "")": Set(feed.categories)]
  }
  return contents
}
