internal import Foundation

/// Calls and answers of the API of Tiny Tiny RSS. Numbers may be texts.
enum TinyTinyRSSWire {
  typealias List<Value: Decodable> = [LooseEntry<Value>]

  enum Argument: Encodable, Sendable {
    case text(String)
    case number(Int64)
    case flag(Bool)

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .text(let text): try container.encode(text)
      case .number(let number): try container.encode(number)
      case .flag(let flag): try container.encode(flag)
      }
    }
  }

  /// The envelope of each answer, always with HTTP status 200.
  struct Head: Decodable {
    /// 0 for success, 1 for an error.
    var status: LooseText
    @Loose var content: Failure?

    struct Failure: Decodable {
      var error: String?
    }
  }

  struct Answer<Content: Decodable>: Decodable {
    var content: Content
  }

  struct Session: Decodable {
    var session_id: String
  }

  /// Article, with its content if that was requested.
  struct Article: Decodable {
    var id: LooseText
    @Loose var feed_id: LooseText?
    var unread: Flag
    var marked: Flag
    @Loose var title: String?
    @Loose var link: String?
    @Loose var author: String?
    @Loose var content: String?
    /// Seconds since 1970.
    @Loose var updated: LooseText?
    @Loose var comments_link: String?
    @Loose var attachments: [LooseEntry<Attachment>]?
  }

  /// A Boolean, or 1 for true.
  struct Flag: Decodable {
    let isSet: Bool

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      let flag = try? container.decode(Bool.self)
      isSet = try flag ?? (container.decode(LooseText.self).number == 1)
    }
  }

  struct Attachment: Decodable {
    var content_url: String
    var content_type: String?
  }

  struct Feed: Decodable {
    var id: LooseText
    var feed_url: String
    var title: String?
    var cat_id: LooseText?
  }

  struct Category: Decodable {
    var id: LooseText
    var title: String
  }

  struct Unread: Decodable {
    var unread: LooseText
  }

  struct Subscribed: Decodable {
    var status: Outcome

    struct Outcome: Decodable {
      /// 0: it was there already; 1: it was added; others: failure.
      var code: LooseText
    }
  }

  /// Answer of which nothing is needed.
  struct Done: Decodable {
    init(from decoder: any Decoder) throws {}
  }
}
