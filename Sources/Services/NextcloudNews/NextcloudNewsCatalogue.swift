internal import Foundation
internal import HTTP
internal import News

/// Routes of the API of Nextcloud News, below `…/apps/news/api`.
enum NextcloudNewsCatalogue {
  private static let version = "v1-3"

  enum Kind: Int {
    case starred = 2
    case all = 3
  }

  /// Whole articles: there are no lists of ids.
  ///
  /// - Parameters:
  ///   - offset: the page lies below this id, or above it with the oldest first; 0 for the
  ///     beginning.
  ///   - isOldestFirst: by id.
  static func items(
    _ kind: Kind, withRead: Bool, offset: Int64, isOldestFirst: Bool, limit: Int
  ) -> Endpoint<[LooseEntry<NextcloudNewsWire.Item>]> {
    let query = [
      "type": String(kind.rawValue), "id": "0", "getRead": String(withRead),
      "offset": String(offset), "oldestFirst": String(isOldestFirst), "batchSize": String(limit),
    ]
    return Endpoint(
      reading: NextcloudNewsWire.Items.self, [version, "items"], "a page of articles", query
    ) { $0.items }
  }

  static func feeds() -> Endpoint<[LooseEntry<NextcloudNewsWire.Feed>]> {
    Endpoint(reading: NextcloudNewsWire.Feeds.self, [version, "feeds"], "the list of feeds") {
      $0.feeds
    }
  }

  static func folders() -> Endpoint<[LooseEntry<NextcloudNewsWire.Folder>]> {
    Endpoint(reading: NextcloudNewsWire.Folders.self, [version, "folders"], "the list of folders") {
      $0.folders
    }
  }

  // MARK: - Writes

  static func mark(_ ids: [Int64], _ kind: Mark.Kind, _ isSet: Bool) throws -> Endpoint<Void> {
    let action =
      switch (kind, isSet) {
      case (.read, true): "read"
      case (.read, false): "unread"
      case (.starred, true): "star"
      case (.starred, false): "unstar"
      }
    return try write(.post, ["items", action, "multiple"], ["itemIds": ids])
  }

  static func addFeed(_ url: String) throws -> Endpoint<Void> {
    try write(.post, ["feeds"], ["url": url])
  }

  static func removeFeed(_ id: String) -> Endpoint<Void> {
    Endpoint(empty: .delete, [version, "feeds", id])
  }

  static func renameFeed(_ id: String, _ title: String) throws -> Endpoint<Void> {
    try write(.post, ["feeds", id, "rename"], ["feedTitle": title])
  }

  static func moveFeed(_ id: String, to folder: Int64?) throws -> Endpoint<Void> {
    try write(.post, ["feeds", id, "move"], NextcloudNewsWire.Place(folderId: folder))
  }

  static func addFolder(_ name: String) throws -> Endpoint<Void> {
    try write(.post, ["folders"], ["name": name])
  }

  private static func write(
    _ method: HTTPMethod, _ path: [String], _ body: some Encodable
  ) throws -> Endpoint<Void> {
    Endpoint(
      empty: method, [version] + path, headers: ["Accept": "application/json"],
      body: try .json(body))
  }
}
