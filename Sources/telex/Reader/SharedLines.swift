internal import Foundation
internal import Synchronization

/// A small file that several readers write: each merges its changed lines into the current ones. A
/// line replaces one with the same key.
final class SharedLines: Sendable {
  private let path: String
  private let key: @Sendable (String) -> String
  /// The lines that this reader read or wrote last.
  private let known = Mutex<[String]>([])

  init(_ path: String, key: @escaping @Sendable (String) -> String) {
    self.path = path
    self.key = key
  }

  /// Empty without a readable file.
  func read() -> [String] {
    guard let data = FileManager.default.contents(atPath: path) else { return [] }
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Sets the base of the next change.
  func know(_ lines: [String]) { known.withLock { $0 = lines } }

  /// Merges the lines that changed since the last call. Errors are ignored.
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
