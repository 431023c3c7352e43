internal import Text

/// An author of an article or a feed.
package struct Author: Hashable, Sendable, Codable {
  /// The name, else the mail address.
  package var name: String
  package var email: String?
  /// The address of the author's page.
  package var url: String?

  package init(_ name: String, email: String? = nil, url: String? = nil) {
    self.name = name
    self.email = email
    self.url = url
  }
}

/// Category of an article or a feed.
package struct Category: Hashable, Sendable, Codable {
  package var term: String
  /// The text to show instead of the term (RFC 4287 §4.2.2.3).
  package var label: String?
  /// The vocabulary that the term belongs to: an address in Atom, any name in RSS.
  package var scheme: String?

  package init(_ term: String, label: String? = nil, scheme: String? = nil) {
    self.term = term
    self.label = label
    self.scheme = scheme
  }

  /// The text to show.
  package var name: String { label ?? term }
}

/// File of an entry (enclosure): a podcast episode, a picture, a document.
package struct Enclosure: Hashable, Sendable, Codable {
  /// The role of the file.
  package enum Role: String, Hashable, Sendable, Codable {
    case media
    /// The chapters of an episode, as JSON.
    case chapters
    /// The transcript of an episode, as text.
    case transcript
  }

  /// Absolute.
  package var url: String
  /// The media type as the feed names it.
  package var type: String?
  /// The size in bytes, where the feed gives one that a file can have: up to 2⁴⁴ (16 TiB), never negative.
  package var length: Int64? { didSet { length = Self.known(length) } }
  package var title: String?
  /// The playing time, in seconds, up to 10,000 hours. Anybody may write a feed: whoever adds these numbers up can rely
  /// on their bounds.
  package var duration: Int? { didSet { duration = Self.known(duration) } }
  package var role: Role

  private static func known(_ length: Int64?) -> Int64? {
    length.flatMap { (0...1 << 44).contains($0) ? $0 : nil }
  }

  private static func known(_ duration: Int?) -> Int? {
    duration.flatMap { (0...36_000_000).contains($0) ? $0 : nil }
  }

  package init(
    url: String, type: String? = nil, length: Int64? = nil, title: String? = nil,
    duration: Int? = nil, role: Role = .media
  ) {
    self.url = url
    self.type = type
    self.length = Self.known(length)
    self.title = title
    self.duration = Self.known(duration)
    self.role = role
  }

  /// As it was encoded, by an earlier version that knew no bounds too.
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      url: try values.decode(String.self, forKey: .url),
      type: try values.decodeIfPresent(String.self, forKey: .type),
      length: try values.decodeIfPresent(Int64.self, forKey: .length),
      title: try values.decodeIfPresent(String.self, forKey: .title),
      duration: try values.decodeIfPresent(Int.self, forKey: .duration),
      role: try values.decode(Role.self, forKey: .role))
  }

  /// Whether its type is that of a picture (RFC 9110 §8.3.1: in any case of letters).
  package var isImage: Bool {
    guard let type else { return false }
    let image = "image/"
    return type.utf8.count >= image.utf8.count
      && zip(type.utf8, image.utf8).allSatisfy { byte, wanted in
        byte == wanted || wanted.isASCIILetter && byte | 0x20 == wanted
      }
  }
}

/// Comments on an article, by its feed.
package struct CommentLinks: Hashable, Sendable, Codable {
  /// The page with the comments.
  package var page: String?
  /// A feed of the comments.
  package var feed: String?
  /// The number of comments when the feed was written; never negative.
  package var count: Int?

  package init(page: String? = nil, feed: String? = nil, count: Int? = nil) {
    self.page = page
    self.feed = feed
    self.count = count
  }

  package var isEmpty: Bool { page == nil && feed == nil && count == nil }
}

/// The feed an article was first published in (RSS 2.0 `source`, RFC 4287 §4.2.11).
package struct EntrySource: Hashable, Sendable, Codable {
  package var title: String?
  /// The feed's page.
  package var url: String?
  /// The feed itself.
  package var feedURL: String?

  package init(title: String? = nil, url: String? = nil, feedURL: String? = nil) {
    self.title = title
    self.url = url
    self.feedURL = feedURL
  }

  package var isEmpty: Bool { title == nil && url == nil && feedURL == nil }
}
