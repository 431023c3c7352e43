internal import Foundation

/// Answers of Feedbin's API, version 2.
enum FeedbinWire {
  struct Entry: Decodable {
    var id: Int64
    var feed_id: Int64
    @Loose var title: String?
    @Loose var url: String?
    @Loose var author: String?
    @Loose var content: String?
    @Loose var summary: String?
    @Loose var published: Date?
    @Loose var created_at: Date?
    @Loose var enclosure: File?
  }

  struct File: Decodable {
    var enclosure_url: String
    var enclosure_type: String?
    /// A number or its text.
    var enclosure_length: LooseText?
  }

  /// `id` differs from that of the feed, which articles have.
  struct Subscription: Decodable {
    var id: Int64
    var feed_id: Int64
    var title: String?
    var feed_url: String
    var site_url: String?
  }

  /// A feed in a folder.
  struct Tagging: Decodable {
    var id: Int64
    var feed_id: Int64
    var name: String
  }

  struct NewTagging: Encodable {
    var feed_id: Int64
    var name: String
  }
}
