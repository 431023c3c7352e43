internal import Foundation

/// Answers of the Fever API, as they are on the wire. Numbers may be texts and texts numbers.
enum FeverWire {
  /// What every answer holds.
  struct Head: Decodable {
    var auth: GoogleReaderWire.Word
    var api_version: GoogleReaderWire.Word?
  }

  struct Unread: Decodable {
    /// A list with commas; some servers send a single id as a number.
    var unread_item_ids: GoogleReaderWire.Word
  }

  struct Saved: Decodable {
    var saved_item_ids: GoogleReaderWire.Word
  }

  struct Groups: Decodable {
    var groups: [GoogleReaderWire.Tolerant<Group>]
  }

  struct Group: Decodable {
    var id: GoogleReaderWire.Word
    var title: String
  }

  struct Feeds: Decodable {
    var feeds: [GoogleReaderWire.Tolerant<Feed>]
    var feeds_groups: [GoogleReaderWire.Tolerant<Membership>]?
  }

  struct Feed: Decodable {
    var id: GoogleReaderWire.Word
    var title: String?
    var url: String
    var site_url: String?
  }

  /// The feeds of a group.
  struct Membership: Decodable {
    var group_id: GoogleReaderWire.Word
    /// Numbers with commas.
    var feed_ids: GoogleReaderWire.Word
  }

  struct Items: Decodable {
    /// coldsweat leaves it out where there are none.
    var items: [GoogleReaderWire.Tolerant<Item>]?
  }

  struct Item: Decodable {
    var id: GoogleReaderWire.Word
    var feed_id: GoogleReaderWire.Word
    var title: String?
    var author: String?
    var html: String?
    var url: String?
    var is_saved: GoogleReaderWire.Word?
    var is_read: GoogleReaderWire.Word?
    var created_on_time: GoogleReaderWire.Word?

    enum CodingKeys: CodingKey {
      case id, feed_id, title, author, html, url, is_saved, is_read, created_on_time
    }

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      func value<Value: Decodable>(_ key: CodingKeys) -> Value? {
        (try? values.decodeIfPresent(Value.self, forKey: key)) ?? nil
      }
      id = try values.decode(GoogleReaderWire.Word.self, forKey: .id)
      feed_id = try values.decode(GoogleReaderWire.Word.self, forKey: .feed_id)
      title = value(.title)
      author = value(.author)
      html = value(.html)
      url = value(.url)
      is_saved = value(.is_saved)
      is_read = value(.is_read)
      created_on_time = value(.created_on_time)
    }
  }
}
