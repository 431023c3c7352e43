internal import Foundation

/// Answers of the Fever API. Numbers may be texts and texts numbers.
enum FeverWire {
  /// Members of every answer.
  struct Head: Decodable {
    var auth: LooseText
    var api_version: LooseText?
  }

  struct Unread: Decodable {
    /// With commas; some servers send a single id as a number.
    var unread_item_ids: LooseText
  }

  struct Saved: Decodable {
    var saved_item_ids: LooseText
  }

  struct Groups: Decodable {
    var groups: [LooseEntry<Group>]
  }

  struct Group: Decodable {
    var id: LooseText
    var title: String
  }

  struct Feeds: Decodable {
    var feeds: [LooseEntry<Feed>]
    var feeds_groups: [LooseEntry<Membership>]?
  }

  struct Feed: Decodable {
    var id: LooseText
    var title: String?
    var url: String
    var site_url: String?
  }

  struct Membership: Decodable {
    var group_id: LooseText
    /// With commas.
    var feed_ids: LooseText
  }

  struct Items: Decodable {
    /// coldsweat omits an empty list.
    var items: [LooseEntry<Item>]?
  }

  struct Item: Decodable {
    var id: LooseText
    var feed_id: LooseText
    @Loose var title: String?
    @Loose var author: String?
    @Loose var html: String?
    @Loose var url: String?
    @Loose var is_saved: LooseText?
    @Loose var is_read: LooseText?
    @Loose var created_on_time: LooseText?
  }
}
