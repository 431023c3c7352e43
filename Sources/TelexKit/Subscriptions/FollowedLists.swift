internal import Foundation
internal import News

/// The lists that the subscriptions are kept in step with, in a file of the store's folder (`lists`, JSON).
struct FollowedLists: Sendable {
  struct List: Codable, Sendable {
    /// An address on the web, or the path of a file.
    var source: String
    /// When it was read last, in seconds since 1970.
    var checked: Int64?
    /// The addresses that were in it then: what the user has removed since is not added again.
    var urls: [String]
  }

  private let path: String

  init(folder: String) { path = folder + "/lists" }

  /// None where there is no file, or none that can be read.
  var all: [List] {
    guard let data = FileManager.default.contents(atPath: path) else { return [] }
    return (try? JSONDecoder().decode([List].self, from: data)) ?? []
  }

  subscript(source: String) -> List? { all.first { $0.source == source } }

  /// - Throws: `SourceError` where the file cannot be written.
  func keep(_ list: List) throws {
    try write(all.filter { $0.source != list.source } + [list])
  }

  /// - Returns: whether there was such a list.
  func forget(_ source: String) throws -> Bool {
    let lists = all
    try write(lists.filter { $0.source != source })
    return lists.contains { $0.source == source }
  }

  private func write(_ lists: [List]) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    do {
      try encoder.encode(lists).write(to: URL(filePath: path), options: .atomic)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    } catch {
      throw SourceError(
        .file, stage: .store, subject: path, message: "the file cannot be written",
        next: "see whether the disk is full")
    }
  }
}
