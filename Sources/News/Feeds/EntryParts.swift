internal import Text

package struct Author: Hashable, Sendable, Codable {
  /// The name, else the mail address.
  package var name: String
  package var email: String?
  package var url: String?

  package init(_ name: String, email: String? = nil, url: String? = nil) {
    self.name = name
    self.email = email
    self.url = url
  }
}

package struct Category: Hashable, Sendable, Codable {
  package var term: String
  /// Shown instead of the term (RFC 4287 §4.2.2.3).
  package var label: String?
  /// The vocabulary of the term: an address in Atom, any name in RSS.
  package var scheme: String?

  package init(_ term: String, label: String? = nil, scheme: String? = nil) {
    self.term = term
    self.label = label
    self.scheme = scheme
  }

  package var name: String { label ?? term }
}

/// File of an entry: a podcast episode, a picture, a document.
package struct Enclosure: Hashable, Sendable, Codable {
  package enum Role: String, Hashable, Sendable, Codable {
    case media
    /// Chapters of an episode, as JSON.
    case chapters
    /// Transcript of an episode, as text.
    case transcript
  }

  /// Absolute.
  package var url: String
  package var type: String?
  /// In bytes, from 0 to 2⁴⁴ (16 TiB); other lengths in feeds are dropped.
  package var length: Int64? { didSet { length = Self.known(length) } }
  package var title: String?
  /// In seconds, up to 10,000 hours: sums of durations in feeds cannot overflow.
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

  /// Encoded lengths pass the same bounds.
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

  /// Whether the media type is that of a picture, in any case of letters (RFC 9110 §8.3.1).
  package var isImage: Bool {
    guard let type else { return false }
    let image = "image/"
    return type.utf8.count >= image.utf8.count
      && zip(type.utf8, image.utf8).allSatisfy { byte, wanted in
        byte == wanted || wanted.isASCIILetter && byte | 0x20 == wanted
      }
  }
}

/// Links to the comments on an article.
package struct CommentLinks: Hashable, Sendable, Codable {
  package var page: String?
  package var feed: String?
  /// When the feed was written; never negative.
  package var count: Int?

  package init(page: String? = nil, feed: String? = nil, count: Int? = nil) {
    self.page = page
    self.feed = feed
    self.count = count
  }

  package var isEmpty: Bool { page == nil && feed == nil && count == nil }
}

/// Feed that first published an article (RSS 2.0 `source`, RFC 4287 §4.2.11).
package struct EntrySource: Hashable, Sendable, Codable {
  package var title: String?
  /// The feed's page.
  package var url: String?
  package var feedURL: String?

  package init(title: String? = nil, url: String? = nil, feedURL: String? = nil) {
    self.title = title
    self.url = url
    self.feedURL = feedURL
  }

  package var isEmpty: Bool { title == nil && url == nil && feedURL == nil }
}
