internal import Foundation

/// Calls of the API of Tiny Tiny RSS and their answers, as they are on the wire. Numbers may be texts. What is
/// needed is required, and everything else may be absent, null or of another type.
enum TinyTinyRSSWire {
  typealias Word = GoogleReaderWire.Word
  typealias List<Value: Decodable> = [GoogleReaderWire.Tolerant<Value>]

  /// An argument of a call.
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

  /// What is around each answer: always with status 200.
  struct Head: Decodable {
    /// 0 for an answer, 1 for an error.
    var status: Word
    var content: Failure?

    struct Failure: Decodable {
      var error: String?
    }

    enum CodingKeys: CodingKey { case status, content }

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      status = try values.decode(Word.self, forKey: .status)
      content = try? values.decodeIfPresent(Failure.self, forKey: .content)
    }
  }

  struct Answer<Content: Decodable>: Decodable {
    var content: Content
  }

  struct Session: Decodable {
    var session_id: String
    var api_level: Word?
  }

  /// An article, with its content where that was asked for.
  struct Article: Decodable {
    var id: Word
    var feed: Word?
    var isUnread: Bool
    var isStarred: Bool
    var title: String?
    var link: String?
    var author: String?
    var content: String?
    /// Seconds since 1970.
    var updated: Word?
    var commentsLink: String?
    var attachments: [GoogleReaderWire.Tolerant<Attachment>]?

    enum CodingKeys: String, CodingKey {
      case id, feed_id, unread, marked, title, link, author, content, updated, comments_link,
        attachments
    }

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      func value<Value: Decodable>(_ key: CodingKeys) -> Value? {
        (try? values.decodeIfPresent(Value.self, forKey: key)) ?? nil
      }
      func flag(_ key: CodingKeys) throws -> Bool {
        if let flag = try? values.decode(Bool.self, forKey: key) { return flag }
        return try values.decode(Word.self, forKey: key).number == 1
      }
      id = try values.decode(Word.self, forKey: .id)
      isUnread = try flag(.unread)
      isStarred = try flag(.marked)
      feed = value(.feed_id)
      title = value(.title)
      link = value(.link)
      author = value(.author)
      content = value(.content)
      updated = value(.updated)
      commentsLink = value(.comments_link)
      attachments = value(.attachments)
    }
  }

  struct Attachment: Decodable {
    var content_url: String
    var content_type: String?
  }

  struct Feed: Decodable {
    var id: Word
    var feed_url: String
    var title: String?
    var cat_id: Word?
  }

  struct Category: Decodable {
    var id: Word
    var title: String
  }

  struct Unread: Decodable {
    var unread: Word
  }

  struct Subscribed: Decodable {
    var status: Outcome

    struct Outcome: Decodable {
      /// 0: it was there already; 1: it was added; others: it was not.
      var code: Word
      var message: String?
    }
  }

  /// An answer of which nothing is needed.
  struct Done: Decodable {
    init(from decoder: any Decoder) throws {}
  }
}
