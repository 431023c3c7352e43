internal import Foundation
internal import News
internal import Text

/// Collects the entries of a document, each id once, and its warnings.
struct FeedCollector {
  var feed: ParsedFeed
  var warnings = ParseWarnings()
  private var places: [String: Int] = [:]
  /// Indices of entries with the id of an earlier one.
  private var repeated: [Int] = []
  private var firstRepeatedLine: Int?
  private var hasWarnedOfLimit = false
  private var ofExtensions: [(entry: Entry, line: Int?)] = []

  static let entryLimit = 20_000

  init(format: FeedFormat) { feed = ParsedFeed(description: FeedDescription(format: format)) }

  var isFull: Bool { feed.entries.count >= Self.entryLimit }

  /// - Parameters:
  ///   - entry: nil if it has no content.
  ///   - isOfExtension: whether it counts only if the feed has no others.
  mutating func add(_ entry: consuming Entry?, line: Int?, isOfExtension: Bool = false) {
    if isOfExtension {
      if let entry, ofExtensions.count < Self.entryLimit { ofExtensions.append((entry, line)) }
      return
    }
    guard !isFull else {
      if !hasWarnedOfLimit {
        warnings.add("Only the first \(Self.entryLimit) entries were read.", line: line)
      }
      hasWarnedOfLimit = true
      return
    }
    guard let entry else {
      warnings.add("An entry without any content was left out.", line: line)
      return
    }
    if places.updateValue(feed.entries.count, forKey: entry.id) != nil {
      repeated.append(feed.entries.count)
      firstRepeatedLine = firstRepeatedLine ?? line
    }
    feed.entries.append(entry)
  }

  /// - Parameter authors: authors for entries without any.
  mutating func finished(authors: [Author]) -> ParsedFeed {
    if feed.entries.isEmpty {
      for (entry, line) in ofExtensions { add(entry, line: line) }
    } else if let first = ofExtensions.first {
      warnings.add("Entries in an extension of the feed were left out.", line: first.line)
    }
    let site = idsOfTheSite
    if !repeated.isEmpty || !site.isEmpty { distinguish(site) }
    if !authors.isEmpty {
      for index in feed.entries.indices where feed.entries[index].authors.isEmpty {
        feed.entries[index].authors = authors
      }
    }
    feed.warnings = warnings.sentences
    return feed
  }

  /// Entries with one id are versions of one in Atom (RFC 4287 §4.1.1) if they can be: the latest
  /// counts. Otherwise entries with different addresses, titles, dates or first files get distinct
  /// ids (`EntryIdentity.distinct`), because the feed misuses ids.
  private mutating func distinguish(_ site: [String]) {
    var groups: [String: [Int]] = [:]
    for id in site { groups[id] = [] }
    for place in repeated { groups[feed.entries[place].id] = [] }
    for (place, entry) in feed.entries.enumerated() { groups[entry.id]?.append(place) }
    var dropped: Set<Int> = []
    for (id, places) in groups {
      if feed.description.format == .atom, areVersions(places) {
        keepLatest(of: places)
        dropped.formUnion(places.dropFirst())
      } else {
        dropped.formUnion(nameApart(places, isSite: site.contains(id)))
      }
    }
    feed.entries = feed.entries.enumerated().filter { !dropped.contains($0.offset) }.map(\.element)
    let (one, many) =
      feed.description.format == .atom
      ? ("An older version of an entry was left out.", "older versions of entries were left out.")
      : (
        "An entry was left out: another one is the same.",
        "entries were left out: others are the same."
      )
    if !dropped.isEmpty {
      warnings.add(dropped.count == 1 ? one : "\(dropped.count) \(many)", line: firstRepeatedLine)
    }
  }

  /// Ids that are the site's address. Even a unique one would be repeated by the next entry.
  private var idsOfTheSite: [String] {
    guard feed.description.format != .atom, let link = feed.description.link else { return [] }
    return LinkIdentity.spellings(of: link).filter { places[$0] != nil }
  }

  /// Whether entries with one id can be versions: not if both address and title differ.
  private func areVersions(_ places: [Int]) -> Bool {
    guard let first = places.first.map({ feed.entries[$0] }) else { return true }
    let site = feed.description.link ?? ""
    return places.allSatisfy { place in
      let entry = feed.entries[place]
      if let title = entry.title, title == first.title { return true }
      guard ![entry.id, entry.url].contains(site) else { return false }
      if let url = entry.url, let other = first.url { return url == other }
      // An id that is no IRI is not meant to be unique.
      return entry.id.contains(":")
    }
  }

  private mutating func keepLatest(of places: [Int]) {
    func date(_ place: Int) -> Date { feed.entries[place].updated ?? .distantPast }
    guard let first = places.first, let latest = places.max(by: { date($0) < date($1) }) else {
      return
    }
    feed.entries[first] = feed.entries[latest]
  }

  /// Gives different entries distinct ids, and returns those that repeat an earlier one.
  private mutating func nameApart(_ places: [Int], isSite: Bool) -> [Int] {
    var names: [String: Int] = [:]
    var same: [Int] = []
    for place in places {
      let name = EntryIdentity.distinct(feed.entries[place])
      if names[name] == nil { names[name] = place } else { same.append(place) }
    }
    guard names.count > 1 || isSite else { return same }
    for (name, place) in names { feed.entries[place].id = name }
    if names.count > 1 {
      warnings.add(
        "Different entries have the same id; they were told apart by what they say.",
        line: firstRepeatedLine)
    }
    return same
  }

  mutating func date(_ text: ByteBuffer, line: Int?) -> Date? {
    if let date = FeedDate.parse(bytes: text) { return date }
    let shown = PlainText.stripped(bytes: text, limit: 60)
    if !shown.isEmpty { warnings.add("A date could not be read: “\(shown)”.", line: line) }
    return nil
  }
}
