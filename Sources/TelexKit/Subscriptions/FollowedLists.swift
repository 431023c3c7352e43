internal import Foundation
internal import News

/// The followed lists in a JSON file of the store's folder (`lists`), replaced as a whole under a
/// lock.
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

  private static let purpose = "the file of followed lists"

  init(folder: String) { path = folder + "/lists" }

  /// None where there is no file.
  ///
  /// - Throws: `SourceError` where it cannot be read.
  func all() throws -> [List] {
    guard let data = try StoredFile.contents(of: path, purpose: Self.purpose) else { return [] }
    do { return try JSONDecoder().decode([List].self, from: data) } catch {
      throw SourceError(
        .decoding, stage: .store, subject: path, message: "\(Self.purpose) is damaged",
        next: "nothing has changed; mend the file, or move it away and follow its lists again")
    }
  }

  /// Keeps a list.
  ///
  /// - Parameter isNew: whether it is kept even if it is not followed.
  /// - Returns: whether it is followed now.
  /// - Throws: `SourceError` where the file cannot be read or written; nothing has changed.
  func keep(_ list: List, isNew: Bool) throws -> Bool {
    try edit { lists in
      guard isNew || lists.contains(where: { $0.source == list.source }) else { return false }
      lists = lists.filter { $0.source != list.source } + [list]
      return true
    }
  }

  /// - Returns: whether there was such a list.
  /// - Throws: as `keep`.
  func forget(_ source: String) throws -> Bool {
    try edit { lists in
      let count = lists.count
      lists.removeAll { $0.source == source }
      return lists.count < count
    }
  }

  /// Changes the lists while no other process does.
  ///
  /// - Parameter change: returns whether to write.
  private func edit(_ change: (inout [List]) -> Bool) throws -> Bool {
    try StoredFile.withLock(path + ".lock", purpose: Self.purpose) {
      var lists = try all()
      guard change(&lists) else { return false }
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
      try StoredFile.replace(path, with: encoder.encode(lists), purpose: Self.purpose)
      return true
    }
  }
}
