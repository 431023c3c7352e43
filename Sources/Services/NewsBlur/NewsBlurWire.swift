internal import Foundation

/// Answers of NewsBlur's API, as they are on the wire. What is needed is required, and everything else may be
/// absent, null or of another type.
enum NewsBlurWire {
  typealias Word = GoogleReaderWire.Word
  typealias Tolerant = GoogleReaderWire.Tolerant

  /// What every answer has beside what was asked for.
  struct Head: Decodable {
    /// Whether somebody is signed in: without, a read is answered with the data of a demonstration.
    var authenticated: Bool?
    var user_id: Word?
    /// 1 for what was done, -1 for what was not.
    var code: Word?
    var message: String?

    enum CodingKeys: CodingKey { case authenticated, user_id, code, message }

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      authenticated = try? values.decodeIfPresent(Bool.self, forKey: .authenticated)
      user_id = try? values.decodeIfPresent(Word.self, forKey: .user_id)
      code = try? values.decodeIfPresent(Word.self, forKey: .code)
      message = try? values.decodeIfPresent(String.self, forKey: .message)
    }
  }

  struct Unread: Decodable {
    /// By the number of the feed.
    var unread_feed_story_hashes: [String: [String]]
  }

  struct Starred: Decodable {
    var starred_story_hashes: [String]
  }

  struct Stories: Decodable {
    var stories: [Tolerant<Story>]
  }

  /// A story, without whether it is read: what the server says of that is not so.
  struct Story: Decodable {
    var hash: String
    var feed: Word
    var title: String?
    var link: String?
    var authors: String?
    var content: String?
    /// Seconds since 1970.
    var timestamp: Word?
    var tags: [String]?

    enum CodingKeys: String, CodingKey {
      case story_hash, story_feed_id, story_title, story_permalink, story_authors, story_content,
        story_timestamp, story_tags
    }

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      func value<Value: Decodable>(_ key: CodingKeys) -> Value? {
        (try? values.decodeIfPresent(Value.self, forKey: key)) ?? nil
      }
      hash = try values.decode(String.self, forKey: .story_hash)
      feed = try values.decode(Word.self, forKey: .story_feed_id)
      title = value(.story_title)
      link = value(.story_permalink)
      authors = value(.story_authors)
      content = value(.story_content)
      timestamp = value(.story_timestamp)
      tags = value(.story_tags)
    }
  }

  struct Feeds: Decodable {
    /// By number.
    var feeds: [String: Tolerant<Feed>]
    var folders: Folders

    enum CodingKeys: CodingKey { case feeds, flat_folders, folders }

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      feeds = try values.decode([String: Tolerant<Feed>].self, forKey: .feeds)
      if let flat = try? values.decodeIfPresent([String: [Word]].self, forKey: .flat_folders) {
        folders = Folders(names: flat.mapValues { $0.map(\.text) })
      } else {
        folders = try values.decode(Folders.self, forKey: .folders)
      }
    }
  }

  struct Feed: Decodable {
    var id: Word
    var feed_address: String
    var feed_title: String?
    var feed_link: String?
  }

  /// The numbers of the feeds in each folder: in a list, in which a folder is an object whose name leads to
  /// another list.
  struct Folders: Decodable {
    var names: [String: [String]] = [:]

    private enum Node: Decodable {
      case feed(String)
      case folders([String: [Node]])

      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Word.self) {
          self = .feed(number.text)
        } else {
          self = .folders(try container.decode([String: [Node]].self))
        }
      }
    }

    init(names: [String: [String]]) { self.names = names }

    init(from decoder: any Decoder) throws {
      let nodes = try decoder.singleValueContainer().decode([Node].self)
      collect(nodes, in: "")
    }

    private mutating func collect(_ nodes: [Node], in folder: String) {
      for node in nodes {
        switch node {
        case .feed(let number): names[folder, default: []].append(number)
        case .folders(let folders):
          for (name, nodes) in folders { collect(nodes, in: name) }
        }
      }
    }

    /// The folders of each feed, by its number; those at the top lie in none.
    var byFeed: [String: [String]] {
      var found: [String: [String]] = [:]
      for name in names.keys.sorted() where !name.allSatisfy(\.isWhitespace) {
        for feed in names[name] ?? [] { found[feed, default: []].append(name) }
      }
      return found
    }
  }

  /// An answer of which nothing is needed but its head.
  struct Done: Decodable {
    init(from decoder: any Decoder) throws {}
  }
}
