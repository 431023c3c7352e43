internal import Foundation

/// Answers of Feedbin's API, version 2, as they are on the wire. What is needed is required, and everything
/// else may be absent, null or of another type.
enum FeedbinWire {
  struct Entry: Decodable {
    var id: Int64
    var feed: Int64
    var title: String?
    var url: String?
    var author: String?
    var content: String?
    var published: Date?
    var enclosure: File?

    enum CodingKeys: String, CodingKey {
      case id, feed_id, title, url, author, content, summary, published, created_at, enclosure
    }

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      func value<Value: Decodable>(_ key: CodingKeys) -> Value? {
        (try? values.decodeIfPresent(Value.self, forKey: key)) ?? nil
      }
      id = try values.decode(Int64.self, forKey: .id)
      feed = try values.decode(Int64.self, forKey: .feed_id)
      title = value(.title)
      url = value(.url)
      author = value(.author)
      content = value(.content) ?? value(.summary)
      published = value(.published) ?? value(.created_at)
      enclosure = value(.enclosure)
    }
  }

  struct File: Decodable {
    var enclosure_url: String
    var enclosure_type: String?
    /// A number, or the text of one.
    var enclosure_length: GoogleReaderWire.Word?
  }

  /// Its id is not that of its feed, by which articles name it.
  struct Subscription: Decodable {
    var id: Int64
    var feed_id: Int64
    var title: String?
    var feed_url: String
    var site_url: String?
  }

  /// Membership of a feed in a folder.
  struct Tagging: Decodable {
    var id: Int64
    var feed_id: Int64
    var name: String
  }

  struct Unread: Encodable {
    var unread_entries: [Int64]
  }

  struct Starred: Encodable {
    var starred_entries: [Int64]
  }

  struct NewSubscription: Encodable {
    var feed_url: String
  }

  struct Title: Encodable {
    var title: String
  }

  struct NewTagging: Encodable {
    var feed_id: Int64
    var name: String
  }
}
