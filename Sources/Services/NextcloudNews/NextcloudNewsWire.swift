internal import Foundation

/// Answers of the API of Nextcloud News, version 1.3, as they are on the wire. What is needed is required, and
/// everything else may be absent, null or of another type.
enum NextcloudNewsWire {
  struct Items: Decodable {
    var items: [GoogleReaderWire.Tolerant<Item>]
  }

  struct Item: Decodable {
    var id: Int64
    var feed: Int64
    var isUnread: Bool
    var isStarred: Bool
    var title: String?
    var url: String?
    var author: String?
    var body: String?
    var published: Date?
    /// When it was taken in or last marked.
    var modified: Date?
    var enclosureLink: String?
    var enclosureMime: String?

    enum CodingKeys: String, CodingKey {
      case id, feedId, unread, starred, title, url, author, body, pubDate, lastModified,
        enclosureLink, enclosureMime
    }

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      func value<Value: Decodable>(_ key: CodingKeys) -> Value? {
        (try? values.decodeIfPresent(Value.self, forKey: key)) ?? nil
      }
      func moment(_ key: CodingKeys) -> Date? {
        (value(key) as GoogleReaderWire.Word?)?.number.map { number in
          // Seconds; some versions have told microseconds.
          Date(timeIntervalSince1970: Double(number) / (number > 100_000_000_000 ? 1_000_000 : 1))
        }
      }
      id = try values.decode(Int64.self, forKey: .id)
      feed = try values.decode(Int64.self, forKey: .feedId)
      isUnread = try values.decode(Bool.self, forKey: .unread)
      isStarred = try values.decode(Bool.self, forKey: .starred)
      title = value(.title)
      url = value(.url)
      author = value(.author)
      body = value(.body)
      published = moment(.pubDate)
      modified = moment(.lastModified)
      enclosureLink = value(.enclosureLink)
      enclosureMime = value(.enclosureMime)
    }
  }

  struct Feeds: Decodable {
    var feeds: [GoogleReaderWire.Tolerant<Feed>]
  }

  struct Feed: Decodable {
    var id: Int64
    var url: String
    var title: String?
    var link: String?
    /// Absent, or 0, outside of all folders.
    var folderId: Int64?
    var unreadCount: Int?
  }

  struct Folders: Decodable {
    var folders: [GoogleReaderWire.Tolerant<Folder>]
  }

  struct Folder: Decodable {
    var id: Int64
    var name: String
  }

  struct Marks: Encodable {
    var itemIds: [Int64]
  }

  struct NewFeed: Encodable {
    var url: String
  }

  struct Name: Encodable {
    var name: String
  }

  struct Title: Encodable {
    var feedTitle: String
  }

  /// A folder to move a feed to; null for none, which has to be there.
  struct Place: Encodable {
    var folderId: Int64?

    enum CodingKeys: CodingKey { case folderId }

    func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: CodingKeys.self)
      try values.encode(folderId, forKey: .folderId)
    }
  }
}
