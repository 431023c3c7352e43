internal import Foundation

/// Answers of Feedbin's API, version 2, as they are on the wire. What is needed is required, and everything
/// else may be absent, null or of another type.
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
    /// A number, or the text of one.
    var enclosure_length: LooseText?
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

  struct NewTagging: Encodable {
    var feed_id: Int64
    var name: String
  }
}
