internal import Foundation
internal import Synchronization

/// Lines of a small file that several readers write: each puts what has changed with it over what the file holds by then.
/// A line has a name, its key, and replaces one of the same key.
final class SharedLines: Sendable {
  private let path: String
  /// The key of a line.
  private let key: @Sendable (String) -> String
  /// What this reader has read, or written last.
  private let known = Mutex<[String]>([])

  init(_ path: String, key: @escaping @Sendable (String) -> String) {
    self.path = path
    self.key = key
  }

  /// None where there is no file, or none that can be read.
  func read() -> [String] {
    guard let data = FileManager.default.contents(atPath: path) else { return [] }
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Notes what this reader goes on from.
  func know(_ lines: [String]) { known.withLock { $0 = lines } }

  /// Writes those that were changed, added or taken out since the last time. What cannot be written is not kept.
  func write(_ lines: [String]) {
    known.withLock { known in
      let changed = Set(Set(known).symmetricDifference(lines).map(key))
      known = lines
      guard !changed.isEmpty else { return }
      let kept = read().filter { !changed.contains(key($0)) }
      let new = lines.filter { changed.contains(key($0)) }
      SmallFile.write((kept + new).map { $0 + "\n" }.joined(), to: path)
    }
  }
}
