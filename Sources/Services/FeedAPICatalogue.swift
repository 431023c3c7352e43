internal import Foundation
internal import HTTP

/// The routes of the Feed API, as `Docs/FeedAPI.md` describes them. The whole of it is here.
enum FeedAPICatalogue {
  /// What the API is: asked for once, when a feed is added.
  static func about() -> Endpoint<About> {
    Endpoint(json: .get, [], requiresAuth: false)
  }

  /// A page of articles, newest first.
  static func articles(cursor: String?, limit: Int) -> Endpoint<ArticlePage> {
    Endpoint(json: .get, ["articles"], query: ["cursor": cursor, "limit": "\(limit)"])
  }

  /// All articles from `cursor` on, a line each: to be streamed, not collected.
  static func export(cursor: String?) -> Endpoint<Void> {
    Endpoint(
      .get, ["articles.ndjson"], query: ["cursor": cursor],
      headers: ["Accept": "application/x-ndjson"]
    ) { _ in }
  }

  struct About: Decodable, Sendable {
    var api: String
    var version: Int
    var title: String?
    var link: String?
    var description: String?
    var language: String?

    static let name = "telex-feed"
  }

  struct ArticlePage: Decodable, Sendable {
    var feed: FeedHead?
    var items: [Item]
    var nextCursor: String?
  }

  struct FeedHead: Decodable, Sendable {
    var title: String?
    var link: String?
    var description: String?
    var language: String?
  }

  struct Item: Decodable, Sendable {
    var id: String
    var url: String?
    var title: String?
    var authors: [String]?
    var published: Date?
    var updated: Date?
    var contentHTML: String?
    var summary: String?
    var enclosures: [File]?
    var categories: [String]?
  }

  /// A line of an export.
  struct ExportLine: Decodable, Sendable {
    var item: Item
    /// What follows this line.
    var cursor: String?

    private enum CodingKeys: CodingKey { case cursor }

    init(from decoder: any Decoder) throws {
      item = try Item(from: decoder)
      cursor = try decoder.container(keyedBy: CodingKeys.self)
        .decodeIfPresent(String.self, forKey: .cursor)
    }
  }

  struct File: Decodable, Sendable {
    var url: String
    var type: String?
    var length: Int64?
  }
}
