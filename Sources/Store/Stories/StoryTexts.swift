internal import News
internal import Synchronization

/// Cache of story texts of the last articles.
///
/// Keyed by number and digest: a rolled back transaction leaves entries whose numbers are given
/// again.
final class StoryTexts: Sendable {
  /// Articles that are kept, some two kilobytes each.
  private static let limit = 1_024

  private struct Kept {
    var id: Int64
    var digest: Int64
    var text: StoryText
  }

  /// The place of an article is its number modulo the limit, so that a new one takes that of the oldest.
  private let kept = Mutex<[Kept?]>([])

  func text(of id: Int64, _ digest: Int64) -> StoryText? {
    kept.withLock { kept in
      guard !kept.isEmpty, let found = kept[Self.place(of: id)], found.id == id,
        found.digest == digest
      else { return nil }
      return found.text
    }
  }

  func keep(_ text: StoryText, of id: Int64, _ digest: Int64) {
    kept.withLock { kept in
      if kept.isEmpty { kept = Array(repeating: nil, count: Self.limit) }
      kept[Self.place(of: id)] = Kept(id: id, digest: digest, text: text)
    }
  }

  private static func place(of id: Int64) -> Int { Int(id & Int64(limit - 1)) }
}
