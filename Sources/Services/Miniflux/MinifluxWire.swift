internal import Foundation

/// Answers of Miniflux's API.
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
    var entries: [LooseEntry<Entry>]
  }

  struct Entry: Decodable {
    var id: Int64
    var feed_id: Int64
    /// `unread`, `read` or `removed`.
    var status: String
    var starred: Bool
    @Loose var title: String?
    @Loose var url: String?
    @Loose var comments_url: String?
    @Loose var author: String?
    @Loose var content: String?
    @Loose var published_at: Date?
    @Loose var created_at: Date?
    @Loose var tags: [String]?
    @Loose var enclosures: [LooseEntry<File>]?
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

  /// Change of one of the two marks.
  struct Marks: Encodable {
    var entry_ids: [Int64]
    var status: String?
    var starred: Bool?
  }

  struct NewFeed: Encodable {
    var feed_url: String
    var category_id: Int64?
  }
}
