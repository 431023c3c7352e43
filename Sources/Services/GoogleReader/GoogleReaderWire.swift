internal import Foundation

/// What servers of the Google Reader API send, as it is on the wire. What is needed is required, and
/// everything else may be absent or of another type.
enum GoogleReaderWire {
  struct UserInfo: Decodable {
    var userId: Word?
    var userName: Word?
    var userEmail: Word?
  }

  struct Subscriptions: Decodable {
    var subscriptions: [Tolerant<Subscription>]
  }

  struct Subscription: Decodable {
    var id: String
    var title: String?
    var url: String?
    var htmlUrl: String?
    var iconUrl: String?
    var categories: [Tolerant<Tag>]?
    var firstitemmsec: Word?
  }

  struct Tags: Decodable {
    var tags: [Tolerant<Tag>]
  }

  struct Tag: Decodable {
    var id: String
    var label: String?
    /// `folder` or `tag`, where the server tells them apart.
    var type: String?
  }

  struct UnreadCounts: Decodable {
    var unreadcounts: [Tolerant<UnreadCount>]
  }

  struct UnreadCount: Decodable {
    var id: String
    var count: Word
  }

  struct IDs: Decodable {
    /// Some servers leave an empty list out, and so does what is no list of ids at all.
    var itemRefs: [Tolerant<ItemRef>]?
    var continuation: Word?
  }

  struct ItemRef: Decodable {
    var id: Word
  }

  struct Contents: Decodable {
    var items: [Tolerant<Item>]
    var continuation: Word?
  }

  struct Item: Decodable {
    var id: Word
    var title: String?
    var author: String?
    var published: Word?
    var updated: Word?
    var crawlTimeMsec: Word?
    var timestampUsec: Word?
    var canonical: [Tolerant<Link>]?
    var alternate: [Tolerant<Link>]?
    var categories: [Tolerant<String>]?
    var origin: Origin?
    var content: Content?
    var summary: Content?
    var enclosure: [Tolerant<File>]?

    enum CodingKeys: CodingKey {
      case id, title, author, published, updated, crawlTimeMsec, timestampUsec, canonical,
        alternate, categories, origin, content, summary, enclosure
    }

    /// Only the id has to be right: an item with a strange date is better than none.
    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      func value<Value: Decodable>(_ key: CodingKeys) -> Value? {
        (try? values.decodeIfPresent(Value.self, forKey: key)) ?? nil
      }
      id = try values.decode(Word.self, forKey: .id)
      title = value(.title)
      author = value(.author)
      published = value(.published)
      updated = value(.updated)
      crawlTimeMsec = value(.crawlTimeMsec)
      timestampUsec = value(.timestampUsec)
      canonical = value(.canonical)
      alternate = value(.alternate)
      categories = value(.categories)
      origin = value(.origin)
      content = value(.content)
      summary = value(.summary)
      enclosure = value(.enclosure)
    }
  }

  struct Origin: Decodable {
    var streamId: String?
    var title: String?
    var htmlUrl: String?
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
    var length: Word?
  }

  struct QuickAdd: Decodable {
    var numResults: Word?
    var streamId: String?
    var streamName: String?
    var error: String?
  }

  /// A text that some servers write as a number.
  struct Word: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let text = try? container.decode(String.self) {
        self.text = text
      } else if let number = try? container.decode(Int64.self) {
        text = String(number)
      } else if let number = try? container.decode(UInt64.self) {
        text = String(number)
      } else {
        let number = try container.decode(Double.self)
        guard let whole = Int64(exactly: number.rounded(.down)) else {
          throw DecodingError.dataCorruptedError(
            in: container, debugDescription: "not a number of 64 bits")
        }
        text = String(whole)
      }
    }

    var number: Int64? { Int64(text) }
  }

  /// An entry of a list that is read by itself, so that one that is wrong costs no other.
  struct Tolerant<Value: Decodable>: Decodable {
    let value: Value?

    init(from decoder: any Decoder) throws {
      value = try? decoder.singleValueContainer().decode(Value.self)
    }
  }
}

extension GoogleReaderWire.Tolerant: Sendable where Value: Sendable {}

extension Array {
  /// The entries that could be read, and how many could not.
  func read<Value>() -> (values: [Value], bad: Int)
  where Element == GoogleReaderWire.Tolerant<Value> {
    let values = compactMap(\.value)
    return (values, count - values.count)
  }
}
