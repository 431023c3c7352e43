internal import Foundation

/// Answers of NewsBlur's API.
enum NewsBlurWire {
  /// Members of every answer.
  struct Head: Decodable {
    /// Whether somebody is signed in: otherwise reads return the data of a demonstration.
    @Loose var authenticated: Bool?
    @Loose var user_id: LooseText?
    /// 1 for success, -1 for failure.
    @Loose var code: LooseText?
    @Loose var message: String?
  }

  struct Unread: Decodable {
    /// By the number of the feed.
    var unread_feed_story_hashes: [String: [String]]
  }

  struct Starred: Decodable {
    var starred_story_hashes: [String]
  }

  struct Stories: Decodable {
    var stories: [LooseEntry<Story>]
  }

  /// Without whether it is read: the server's value is wrong.
  struct Story: Decodable {
    var story_hash: String
    var story_feed_id: LooseText
    @Loose var story_title: String?
    @Loose var story_permalink: String?
    @Loose var story_authors: String?
    @Loose var story_content: String?
    /// Seconds since 1970.
    @Loose var story_timestamp: LooseText?
    @Loose var story_tags: [String]?
  }

  struct Feeds: Decodable {
    /// By number.
    var feeds: [String: LooseEntry<Feed>]
    var folders: Folders

    enum CodingKeys: CodingKey { case feeds, flat_folders, folders }

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      feeds = try values.decode([String: LooseEntry<Feed>].self, forKey: .feeds)
      if let flat = try? values.decodeIfPresent([String: [LooseText]].self, forKey: .flat_folders) {
        folders = Folders(names: flat.mapValues { $0.map(\.text) })
      } else {
        folders = try values.decode(Folders.self, forKey: .folders)
      }
    }
  }

  struct Feed: Decodable {
    var id: LooseText
    var feed_address: String
    var feed_title: String?
    var feed_link: String?
  }

  /// The numbers of the feeds in each folder: a list, in which a folder is an object with its name
  /// and another list.
  struct Folders: Decodable {
    var names: [String: [String]] = [:]

    private enum Node: Decodable {
      case feed(String)
      case folders([String: [Node]])

      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(LooseText.self) {
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

    /// The folders of each feed, by its number; feeds at the top have none.
    var byFeed: [String: [String]] {
      var found: [String: [String]] = [:]
      for name in names.keys.sorted() where !name.allSatisfy(\.isWhitespace) {
        for feed in names[name] ?? [] { found[feed, default: []].append(name) }
      }
      return found
    }
  }

  /// Answer of which only the head is needed.
  struct Done: Decodable {
    init(from decoder: any Decoder) throws {}
  }
}
