internal import Foundation
package import News
internal import Text

/// Thunderbird's list of the feeds of an account: `feeds.json`, or `feeds.rdf` of versions before 73.
package struct ThunderbirdFeeds: Sendable {
  package private(set) var library = ReaderLibrary()
  /// The folders on the way to the one that holds the articles of a feed, and that folder, by the address of the feed.
  package private(set) var folders: [String: [String]] = [:]

  /// - Parameter file: the file's name, for messages.
  package init(json text: String, file: String) {
    guard let feeds = try? JSONDecoder().decode([Subscription].self, from: Data(text.utf8)) else {
      library.left.append(
        LeftOut("the feeds", at: LibraryPlace(file), because: "it is no list of feeds"))
      return
    }
    take(feeds.map { ($0, LibraryPlace(file)) })
  }

  /// - Parameter file: the file's name, for messages.
  package init(rdf text: String, file: String) {
    var feeds: [(Subscription, LibraryPlace)] = []
    var isInFeed = false
    for tag in ForeignTags.all(of: text) {
      switch tag.name {
      case "feed":
        isInFeed = !tag.isEnd && !tag.closesItself
        guard !tag.isEnd, let url = tag.attributes["identifier"] ?? tag.attributes["about"] else {
          continue
        }
        feeds.append(
          (
            Subscription(
              url: url, title: tag.attributes["title"], link: tag.attributes["link"],
              destFolder: nil, options: nil),
            LibraryPlace(file, line: tag.line)
          ))
      case "destFolder" where isInFeed && !feeds.isEmpty:
        feeds[feeds.count - 1].0.destFolder = tag.attributes["resource"]
      default: break
      }
    }
    take(feeds)
  }

  private struct Subscription: Decodable {
    struct Options: Decodable {
      struct Updates: Decodable { var enabled: Bool? }
      var updates: Updates?
    }

    var url: String
    var title: String?
    var link: String?
    var destFolder: String?
    var options: Options?
  }

  private mutating func take(_ feeds: [(feed: Subscription, place: LibraryPlace)]) {
    var counts: [[String]: Int] = [:]
    for (feed, _) in feeds { counts[Self.path(feed.destFolder), default: 0] += 1 }
    for (feed, place) in feeds {
      guard feed.url.contains("://") else {
        let name = PlainText.sanitizedName(feed.url)
        library.left.append(LeftOut(name, at: place, because: "it is no address"))
        continue
      }
      let path = Self.path(feed.destFolder)
      folders[feed.url] = path
      // A feed has a folder to itself, by default with its name: that is no folder of feeds.
      let above = counts[path] == 1 ? path.dropLast() : path[...]
      let names = above.map(PlainText.sanitizedName)
      let title = feed.title.map(PlainText.sanitizedName)
      let page = feed.link.flatMap { $0 == feed.url || $0.isEmpty ? nil : $0 }
      var taken = LibraryFeed(
        url: feed.url, ownTitle: title.flatMap { $0.isEmpty ? nil : $0 }, page: page,
        folders: names.isEmpty ? [] : [names], at: place)
      taken.isPaused = feed.options?.updates?.enabled == false
      library.feeds.append(taken)
    }
  }

  /// The folders of `mailbox://nobody@Feeds/News/A%20feed`.
  private static func path(_ address: String?) -> [String] {
    guard let address, let host = address.range(of: "://") else { return [] }
    return address[host.upperBound...].split(separator: "/").dropFirst()
      .map { percentDecoded(String($0)) }
      // They become parts of a path.
      .filter { $0 != ".." && $0 != "." && !$0.contains("/") && !$0.contains("\0") }
  }

  /// The feeds that list an article, by its id, as `feeditems.json` has them.
  package static func sources(ofItems text: String) -> [String: [String]] {
    struct Item: Decodable { var feedURLs: [String]? }
    let items = try? JSONDecoder().decode([String: Item].self, from: Data(text.utf8))
    return (items ?? [:]).compactMapValues(\.feedURLs)
  }
}
