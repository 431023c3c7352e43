internal import Foundation
internal import HTTP
internal import News

/// All routes of the Feed API, as `Docs/FeedAPI.md` describes them.
enum FeedAPICatalogue {
  /// The description of the API, requested once when a feed is added.
  static func about() -> Endpoint<About> {
    Endpoint(json: .get, [], requiresAuth: false)
  }

  /// Newest first.
  static func articles(cursor: String?, limit: Int) -> Endpoint<ArticlePage> {
    Endpoint(json: .get, ["articles"], query: ["cursor": cursor, "limit": "\(limit)"])
  }

  /// All articles from `cursor` on as NDJSON: to be streamed, not collected.
  static func export(cursor: String?) -> Endpoint<Void> {
    Endpoint(
      .get, ["articles.ndjson"], query: ["cursor": cursor],
      headers: ["Accept": "application/x-ndjson"]
    ) { _ in }
  }

  /// With its full content.
  static func article(_ id: String) -> Endpoint<Item> {
    Endpoint(json: .get, ["articles", id])
  }

  /// Oldest first.
  static func comments(on id: String, cursor: String?, limit: Int) -> Endpoint<CommentPage> {
    Endpoint(
      json: .get, ["articles", id, "comments"], query: ["cursor": cursor, "limit": "\(limit)"])
  }

  /// - Parameter key: the idempotency key, the same for every attempt to send this comment.
  static func post(_ comment: NewComment, on id: String, key: String) throws -> Endpoint<Comment> {
    Endpoint(
      json: .post, ["articles", id, "comments"], headers: ["Idempotency-Key": key],
      body: try .json(comment))
  }

  static func comment(_ comment: String, on id: String) -> Endpoint<Comment> {
    Endpoint(json: .get, ["articles", id, "comments", comment])
  }

  /// - Parameter version: the edited version; the server refuses any other.
  static func edit(
    _ comment: String, on id: String, to text: String, from version: String
  ) throws -> Endpoint<Comment> {
    Endpoint(
      json: .put, ["articles", id, "comments", comment],
      headers: ["If-Match": "\"\(version)\""], body: try .json(["text": text]))
  }

  /// The endless stream of live events.
  static func live() -> Endpoint<Void> { Endpoint(empty: .get, ["live"]) }

  static func signIn(_ user: String, _ password: String) throws -> Endpoint<Session> {
    let credentials = ["user": user, "password": password]
    return Endpoint(json: .post, ["session"], body: try .json(credentials), requiresAuth: false)
  }

  /// - Parameter key: the idempotency key, the same for every attempt with this refresh token.
  static func renew(_ refreshToken: String, key: String) throws -> Endpoint<Session> {
    Endpoint(
      json: .post, ["session", "refresh"], headers: ["Idempotency-Key": key],
      body: try .json(["refreshToken": refreshToken]), requiresAuth: false)
  }

  static func signOut() -> Endpoint<Void> {
    Endpoint(empty: .delete, ["session"])
  }
}

// MARK: - What is sent

extension FeedAPICatalogue {
  struct NewComment: Encodable, Sendable {
    var text: String
    var author: String?
    /// The ids of complete uploads.
    var attachments: [String]? = nil
    /// The id of the answered comment.
    var parentID: String? = nil
  }

}

// MARK: - What comes back

extension FeedAPICatalogue {
  struct About: Decodable, Sendable {
    var api: String
    var version: Int
    var title: String?
    var link: String?
    var live: Bool?

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
    /// Nil where there can be no comments.
    var commentCount: Int?
  }

  struct ExportLine: Decodable, Sendable {
    var item: Item
    var cursor: String?
    /// Members that Telex adds.
    var kept: KeptArticle
    var extras: EntryExtras

    private enum CodingKeys: CodingKey { case cursor }

    init(from decoder: any Decoder) throws {
      item = try Item(from: decoder)
      kept = try KeptArticle(from: decoder)
      extras = try EntryExtras(from: decoder)
      extras.source?.feedURL = kept.source?.feed_url
      cursor = try decoder.container(keyedBy: CodingKeys.self)
        .decodeIfPresent(String.self, forKey: .cursor)
    }
  }

  struct File: Decodable, Sendable {
    var url: String
    var type: String?
    var length: Int64?
  }

  struct CommentPage: Decodable, Sendable {
    var items: [Comment]
    var nextCursor: String?
  }

  struct Comment: Decodable, Sendable {
    var id: String
    var parentID: String?
    var author: String?
    var published: Date?
    var updated: Date?
    var text: String
    var version: String?
    var attachments: [Attachment]?
  }

  /// The body of a 409 or 412 about a comment.
  struct CommentConflict: Decodable, Sendable {
    var current: Comment?
  }

  struct Session: Decodable, Sendable {
    var accessToken: String
    var refreshToken: String
    /// Seconds.
    var expiresIn: Double
  }
}

extension FeedAPICatalogue {
  /// Sends a small file in one request.
  ///
  /// - Parameter key: the idempotency key, the same for every attempt to send this file.
  static func upload(_ form: HTTPBody, key: String) -> Endpoint<Upload> {
    Endpoint(json: .post, ["uploads"], headers: ["Idempotency-Key": key], body: form)
  }

  /// Announces a file that comes in pieces.
  static func begin(_ file: NewUpload, key: String) throws -> Endpoint<Upload> {
    Endpoint(json: .post, ["uploads"], headers: ["Idempotency-Key": key], body: try .json(file))
  }

  static func upload(_ id: String) -> Endpoint<Upload> {
    Endpoint(json: .get, ["uploads", id])
  }

  /// Sends a piece, which is not empty.
  static func send(
    _ bytes: [UInt8], at offset: Int64, of length: Int64, to id: String
  ) -> Endpoint<Upload> {
    Endpoint(
      json: .put, ["uploads", id],
      headers: [
        "Content-Range": "bytes \(offset)-\(offset + Int64(bytes.count) - 1)/\(length)"
      ],
      body: HTTPBody(bytes, contentType: "application/octet-stream"))
  }

  /// Ends the upload, idempotently.
  static func finalize(_ id: String, key: String) -> Endpoint<Upload> {
    Endpoint(json: .post, ["uploads", id, "finalize"], headers: ["Idempotency-Key": key])
  }

  static func drop(_ id: String) -> Endpoint<Void> {
    Endpoint(empty: .delete, ["uploads", id])
  }

  struct NewUpload: Encodable, Sendable {
    var name: String
    var type: String
    /// Bytes.
    var length: Int64
  }

  struct Upload: Decodable, Sendable {
    var id: String
    /// The bytes that the server has.
    var offset: Int64
    var complete: Bool
  }
}
