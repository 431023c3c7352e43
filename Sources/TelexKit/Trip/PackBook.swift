internal import Foundation
internal import News
internal import Store

/// Book of packed articles, a file in the folder of the store: with which text and pictures each
/// was packed. Whether they still exist is checked anew each time. The file is replaced as a whole
/// under a lock. A damaged one counts as empty.
struct PackBook: Sendable {
  struct Entry: Codable, Hashable {
    var text: TextStamp
    /// The names of the files of its pictures, without those that there are no more.
    var pictures: [String]
    var seconds: Int
  }

  private struct Contents: Codable {
    static let version = 1
    var version = Contents.version
    var articles: [Int64: Entry] = [:]
  }

  let path: String
  private static let purpose = "the book of what is packed"

  init(store: String) { path = store + "/packed.json" }

  /// Nothing where there is no book, or none that can be read.
  func read() -> [ArticleID: Entry] { (try? stored()) ?? [:] }

  /// - Throws: `SourceError` where the book is there and cannot be read now.
  private func stored() throws(SourceError) -> [ArticleID: Entry] {
    guard let data = try StoredFile.contents(of: path, purpose: Self.purpose),
      let contents = try? JSONDecoder().decode(Contents.self, from: data),
      contents.version == Contents.version
    else { return [:] }
    return Dictionary(uniqueKeysWithValues: contents.articles.map { (ArticleID($0), $1) })
  }

  /// Adds and removes entries. After a failure they are packed again the next time.
  func change(adding entries: [ArticleID: Entry], removing gone: Set<ArticleID> = []) {
    guard !entries.isEmpty || !gone.isEmpty else { return }
    try? StoredFile.withLock(path + ".lock", purpose: Self.purpose) {
      var all = try stored()
      for id in gone { all[id] = nil }
      for (id, entry) in entries { all[id] = entry }
      let contents = Contents(
        articles: Dictionary(uniqueKeysWithValues: all.map { ($0.rawValue, $1) }))
      try StoredFile.replace(path, with: JSONEncoder().encode(contents), purpose: Self.purpose)
    }
  }
}
