internal import Foundation
internal import HTTP
internal import News

/// Routes of Miniflux's API, below `/v1`.
enum MinifluxCatalogue {
  static func user() -> Endpoint<String> {
    Endpoint(reading: MinifluxWire.User.self, ["me"], "the user") { $0.username }
  }

  static func feeds() -> Endpoint<[LooseEntry<MinifluxWire.Feed>]> {
    Endpoint(reading: [LooseEntry<MinifluxWire.Feed>].self, ["feeds"], "the list of feeds") { $0 }
  }

  static func categories() -> Endpoint<[MinifluxWire.Category]> {
    Endpoint(reading: [MinifluxWire.Category].self, ["categories"], "the list of folders") { $0 }
  }

  /// Newest first; since 2.3.2.
  static func ids(in set: ItemSet, offset: Int, limit: Int) -> Endpoint<MinifluxWire.IDs> {
    var query = filter(set)
    query["offset"] = String(offset)
    query["limit"] = String(limit)
    return Endpoint(reading: MinifluxWire.IDs.self, ["entries", "ids"], "a list of ids", query) {
      $0
    }
  }

  /// Entries whose ids lie between two others.
  static func entries(
    in set: ItemSet, after lower: Int64? = nil, before upper: Int64?, isOldestFirst: Bool,
    limit: Int
  ) -> Endpoint<MinifluxWire.Entries> {
    var query = filter(set)
    query["order"] = "id"
    query["direction"] = isOldestFirst ? "asc" : "desc"
    query["limit"] = String(limit)
    query["after_entry_id"] = lower.map { String($0) }
    query["before_entry_id"] = upper.map { String($0) }
    return Endpoint(reading: MinifluxWire.Entries.self, ["entries"], "a page of articles", query) {
      $0
    }
  }

  static func entry(_ id: Int64) -> Endpoint<MinifluxWire.Entry> {
    Endpoint(reading: MinifluxWire.Entry.self, ["entries", String(id)], "an article") { $0 }
  }

  private static func filter(_ set: ItemSet) -> [String: String?] {
    switch set {
    case .all: [:]
    case .unread: ["status": "unread"]
    case .starred: ["starred": "true"]
    }
  }

  // MARK: - Writes

  static func setRead(_ ids: [Int64], _ isRead: Bool) throws -> Endpoint<Void> {
    Endpoint(
      empty: .put, ["entries"],
      body: try .json(
        MinifluxWire.Marks(entry_ids: ids, status: isRead ? "read" : "unread", starred: nil)))
  }

  /// Since 2.3.2.
  static func setStarred(_ ids: [Int64], _ isStarred: Bool) throws -> Endpoint<Void> {
    Endpoint(
      empty: .put, ["entries"],
      body: try .json(MinifluxWire.Marks(entry_ids: ids, status: nil, starred: isStarred)))
  }

  /// Answers 202 before the services have been called, and 400 where none is set up.
  static func save(_ id: Int64) -> Endpoint<Void> {
    Endpoint(empty: .post, ["entries", String(id), "save"])
  }

  static func toggleStar(_ id: Int64) -> Endpoint<Void> {
    Endpoint(empty: .put, ["entries", String(id), "bookmark"])
  }

  static func addFeed(_ url: String, category: Int64?) throws -> Endpoint<Void> {
    Endpoint(
      empty: .post, ["feeds"],
      body: try .json(MinifluxWire.NewFeed(feed_url: url, category_id: category)))
  }

  static func removeFeed(_ id: String) -> Endpoint<Void> {
    Endpoint(empty: .delete, ["feeds", id])
  }

  static func changeFeed(
    _ id: String, title: String? = nil, category: Int64? = nil
  ) throws -> Endpoint<Void> {
    Endpoint(
      empty: .put, ["feeds", id],
      body: try .json(MinifluxWire.FeedChange(title: title, category_id: category)))
  }

  static func addCategory(_ title: String) throws -> Endpoint<MinifluxWire.Category> {
    var endpoint = Endpoint(
      reading: MinifluxWire.Category.self, ["categories"], "the new folder"
    ) { $0 }
    endpoint.method = .post
    endpoint.body = try .json(["title": title])
    return endpoint
  }
}
