internal import Foundation

/// Answers of Miniflux's API, as they are on the wire. What is needed is required, and everything else may
/// be absent or of another type.
enum MinifluxWire {
  struct User: Decodable {
    var username: String
  }

  struct IDs: Decodable {
    var total: Int
    var entry_ids: [Int64]
  }

  struct Entries: Decodable {
    var total: Int
    var entries: [GoogleReaderWire.Tolerant<Entry>]
  }

  struct Entry: Decodable {
    var id: Int64
    var feed: Int64
    /// `unread`, `read` or `removed`.
    var status: String
    var isStarred: Bool
    var title: String?
    var url: String?
    var commentsURL: String?
    var author: String?
    var content: String?
    var published: Date?
    var created: Date?
    var tags: [String]?
    var enclosures: [GoogleReaderWire.Tolerant<File>]?

    enum CodingKeys: String, CodingKey {
      case id, feed_id, status, starred, title, url, comments_url, author, content, published_at,
        created_at, tags, enclosures
    }

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      func value<Value: Decodable>(_ key: CodingKeys) -> Value? {
        (try? values.decodeIfPresent(Value.self, forKey: key)) ?? nil
      }
      id = try values.decode(Int64.self, forKey: .id)
      feed = try values.decode(Int64.self, forKey: .feed_id)
      status = try values.decode(String.self, forKey: .status)
      isStarred = try values.decode(Bool.self, forKey: .starred)
      title = value(.title)
      url = value(.url)
      commentsURL = value(.comments_url)
      author = value(.author)
      content = value(.content)
      published = value(.published_at)
      created = value(.created_at)
      tags = value(.tags)
      enclosures = value(.enclosures)
    }
  }

  struct File: Decodable {
    var url: String
    var mime_type: String?
    var size: Int64?
  }

  struct Feed: Decodable {
    var id: Int64
    var feed_url: String
    var site_url: String?
    var title: String?
    var category: Category?
  }

  struct Category: Decodable {
    var id: Int64
    var title: String
  }

  /// Change of the marks of entries: one of the two.
  struct Marks: Encodable {
    var entry_ids: [Int64]
    var status: String?
    var starred: Bool?
  }

  struct NewFeed: Encodable {
    var feed_url: String
    var category_id: Int64?
  }

  struct FeedChange: Encodable {
    var title: String?
    var category_id: Int64?
  }

  struct NewCategory: Encodable {
    var title: String
  }
}
