internal import Foundation
internal import HTTP
internal import News

/// The routes of the API of Nextcloud News, below `…/apps/news/api`.
enum NextcloudNewsCatalogue {
  private static let version = "v1-3"

  enum Kind: Int {
    case starred = 2
    case all = 3
  }

  /// Whole articles: there are no lists of ids.
  ///
  /// - Parameters:
  ///   - offset: the id that the page lies below, or above from the oldest on; 0 for its beginning.
  ///   - isOldestFirst: by id.
  static func items(
    _ kind: Kind, withRead: Bool, offset: Int64, isOldestFirst: Bool, limit: Int
  ) -> Endpoint<[LooseEntry<NextcloudNewsWire.Item>]> {
    let query = [
      "type": String(kind.rawValue), "id": "0", "getRead": String(withRead),
      "offset": String(offset), "oldestFirst": String(isOldestFirst), "batchSize": String(limit),
    ]
    return read(NextcloudNewsWire.Items.self, ["items"], "a page of articles", query) { $0.items }
  }

  static func feeds() -> Endpoint<[LooseEntry<NextcloudNewsWire.Feed>]> {
    read(NextcloudNewsWire.Feeds.self, ["feeds"], "the list of feeds") { $0.feeds }
  }

  static func folders() -> Endpoint<[LooseEntry<NextcloudNewsWire.Folder>]> {
    read(NextcloudNewsWire.Folders.self, ["folders"], "the list of folders") { $0.folders }
  }

  // MARK: - Writes

  static func mark(
    _ ids: [Int64], _ kind: Mark.Kind, _ isSet: Bool
  ) throws -> Endpoint<Void> {
    let action =
      switch (kind, isSet) {
      case (.read, true): "read"
      case (.read, false): "unread"
      case (.starred, true): "star"
      case (.starred, false): "unstar"
      }
    return try write(.post, ["items", action, "multiple"], NextcloudNewsWire.Marks(itemIds: ids))
  }

  static func addFeed(_ url: String) throws -> Endpoint<Void> {
    try write(.post, ["feeds"], NextcloudNewsWire.NewFeed(url: url))
  }

  static func removeFeed(_ id: String) -> Endpoint<Void> {
    Endpoint(empty: .delete, [version, "feeds", id])
  }

  static func renameFeed(_ id: String, _ title: String) throws -> Endpoint<Void> {
    try write(.post, ["feeds", id, "rename"], NextcloudNewsWire.Title(feedTitle: title))
  }

  static func moveFeed(_ id: String, to folder: Int64?) throws -> Endpoint<Void> {
    try write(.post, ["feeds", id, "move"], NextcloudNewsWire.Place(folderId: folder))
  }

  static func addFolder(_ name: String) throws -> Endpoint<Void> {
    try write(.post, ["folders"], NextcloudNewsWire.Name(name: name))
  }

  private static func write(
    _ method: HTTPMethod, _ path: [String], _ body: some Encodable
  ) throws -> Endpoint<Void> {
    Endpoint(
      empty: method, [version] + path, headers: ["Accept": "application/json"],
      body: try .json(body))
  }

  private static func read<Wire: Decodable & SendableMetatype, Value: Sendable>(
    _ type: Wire.Type, _ path: [String], _ subject: String, _ query: [String: String?] = [:],
    _ value: @escaping @Sendable (Wire) throws -> Value
  ) -> Endpoint<Value> {
    Endpoint(
      .get, [version] + path, query: query, headers: ["Accept": "application/json"]
    ) { response in
      try value(try SyncAnswer.json(Wire.self, in: response, subject))
    }
  }
}
