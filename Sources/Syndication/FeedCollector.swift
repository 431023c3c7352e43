internal import Foundation
internal import News

/// Gathers the entries of a document: each id once, with a bounded list of warnings.
struct FeedCollector {
  var feed: ParsedFeed
  /// The authors of entries that name none.
  var inheritedAuthors: [String] = []
  private var ids: Set<String> = []
  private var duplicates = 0
  private var isFull = false

  /// A document with more entries than this is cut there.
  static let entryLimit = 100_000
  private static let warningLimit = 20

  init(format: FeedFormat) {
    feed = ParsedFeed(description: FeedDescription(format: format))
  }

  mutating func add(_ draft: EntryDraft) {
    guard feed.entries.count < Self.entryLimit else {
      if !isFull { warn("Only the first \(Self.entryLimit) entries were read.") }
      isFull = true
      return
    }
    guard let entry = draft.entry(inheritedAuthors: inheritedAuthors) else {
      warn("An entry without any content was left out.")
      return
    }
    if ids.insert(entry.id).inserted {
      feed.entries.append(entry)
    } else {
      duplicates += 1
    }
  }

  mutating func warn(_ warning: String) {
    guard feed.warnings.count < Self.warningLimit, !feed.warnings.contains(warning) else { return }
    feed.warnings.append(warning)
  }

  mutating func finished() -> ParsedFeed {
    if duplicates > 0 {
      warn(
        duplicates == 1
          ? "An entry was left out: its id is that of an earlier one."
          : "\(duplicates) entries were left out: their ids are those of earlier ones.")
    }
    return feed
  }

  /// The date in a text; a warning where there is text but no date.
  mutating func date(_ text: ByteBuffer) -> Date? {
    if let date = FeedDate.parse(bytes: text) { return date }
    let shown = PlainText.stripped(bytes: text, limit: 60)
    if !shown.isEmpty { warn("A date could not be read: “\(shown)”.") }
    return nil
  }
}
