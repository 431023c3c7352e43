internal import Foundation

/// Answers of the Google Reader API.
enum GoogleReaderWire {
  struct UserInfo: Decodable {
    var userId: LooseText?
    var userName: LooseText?
    var userEmail: LooseText?
  }

  struct Subscriptions: Decodable {
    var subscriptions: [LooseEntry<Subscription>]
  }

  struct Subscription: Decodable {
    var id: String
    var title: String?
    var url: String?
    var htmlUrl: String?
    var categories: [LooseEntry<Tag>]?
  }

  struct Tags: Decodable {
    var tags: [LooseEntry<Tag>]
  }

  struct Tag: Decodable {
    var id: String
    /// `folder` or `tag`, where the server distinguishes them.
    var type: String?
  }

  struct UnreadCounts: Decodable {
    var unreadcounts: [LooseEntry<UnreadCount>]
  }

  struct UnreadCount: Decodable {
    var id: String
    var count: LooseText
  }

  struct IDs: Decodable {
    /// Some servers omit an empty list; so do answers without ids.
    var itemRefs: [LooseEntry<ItemRef>]?
    var continuation: LooseText?
  }

  struct ItemRef: Decodable {
    var id: LooseText
  }

  struct Contents: Decodable {
    var items: [LooseEntry<Item>]
  }

  /// Only the id is required: an item with a strange date is better than none.
  struct Item: Decodable {
    var id: LooseText
    @Loose var title: String?
    @Loose var author: String?
    @Loose var published: LooseText?
    @Loose var updated: LooseText?
    @Loose var canonical: [LooseEntry<Link>]?
    @Loose var alternate: [LooseEntry<Link>]?
    @Loose var categories: [LooseEntry<String>]?
    @Loose var origin: Origin?
    @Loose var content: Content?
    @Loose var summary: Content?
    @Loose var enclosure: [LooseEntry<File>]?
  }

  struct Origin: Decodable {
    var streamId: String?
  }

  struct Content: Decodable {
    var content: String?
  }

  struct Link: Decodable {
    var href: String?
  }

  struct File: Decodable {
    var href: String
    var type: String?
    var length: LooseText?
  }
}
