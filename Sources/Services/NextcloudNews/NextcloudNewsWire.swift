internal import Foundation

/// Answers of the API of Nextcloud News, version 1.3.
enum NextcloudNewsWire {
  struct Items: Decodable {
    var items: [LooseEntry<Item>]
  }

  struct Item: Decodable {
    var id: Int64
    var feedId: Int64
    var unread: Bool
    var starred: Bool
    @Loose var title: String?
    @Loose var url: String?
    @Loose var author: String?
    @Loose var body: String?
    @Loose var pubDate: LooseText?
    @Loose var lastModified: LooseText?
    @Loose var enclosureLink: String?
    @Loose var enclosureMime: String?

    var published: Date? { pubDate?.moment }
    /// When it arrived or was last marked.
    var modified: Date? { lastModified?.moment }
  }

  struct Feeds: Decodable {
    var feeds: [LooseEntry<Feed>]
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
    var folders: [LooseEntry<Folder>]
  }

  struct Folder: Decodable {
    var id: Int64
    var name: String
  }

  /// The folder of a feed; an explicit null for none.
  struct Place: Encodable {
    var folderId: Int64?

    enum CodingKeys: CodingKey { case folderId }

    func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: CodingKeys.self)
      try values.encode(folderId, forKey: .folderId)
    }
  }
}

extension LooseText {
  /// Seconds since 1970; microseconds in some versions of the server.
  fileprivate var moment: Date? {
    number.map {
      Date(timeIntervalSince1970: Double($0) / ($0 > 100_000_000_000 ? 1_000_000 : 1))
    }
  }
}
