package import News
internal import Text

/// Newsboat's list of feeds (`urls`): a line has an address and tags. A tag that begins with `~` is the user's name
/// for the feed, `!` hides it; `query:NAME:FILTER` is a list of articles, `exec:` and `filter:` are programs.
package enum NewsboatURLs {
  /// - Parameters:
  ///   - file: the file's name, for messages.
  ///   - star: the flag that becomes a star.
  package static func read(
    _ text: String, file: String, star: Character? = nil
  ) -> ReaderLibrary {
    var library = ReaderLibrary()
    for line in NewsboatLine.all(of: text) {
      let place = LibraryPlace(file, line: line.number)
      let (address, tags) = (line.tokens[0], line.tokens.dropFirst())
      if address.hasPrefix("query:") {
        library.take(query: address, at: place, star: star)
      } else if address.hasPrefix("exec:") || address.hasPrefix("filter:") {
        let subject = PlainText.sanitizedName(WebAddress.redacted(address))
        library.left.append(
          LeftOut(
            subject, at: place, because: "a program's output is no feed of Telex"))
      } else if !address.contains("://") {
        library.left.append(
          LeftOut(PlainText.sanitizedName(address), at: place, because: "it is no address"))
      } else {
        library.take(feed: address, Array(tags), at: place)
      }
    }
    return library
  }
}

extension ReaderLibrary {
  fileprivate mutating func take(feed url: String, _ tags: [String], at place: LibraryPlace) {
    let names = tags.map(PlainText.sanitizedName)
    let own = names.first { $0.hasPrefix("~") }.map { String($0.dropFirst()) }
    let folders = names.filter { !$0.hasPrefix("~") && !$0.hasPrefix("!") && !$0.isEmpty }
    feeds.append(
      LibraryFeed(
        url: url, ownTitle: own.flatMap { $0.isEmpty ? nil : $0 }, folders: folders.map { [$0] },
        isHidden: names.contains { $0.hasPrefix("!") }, at: place))
  }

  fileprivate mutating func take(query text: String, at place: LibraryPlace, star: Character?) {
    let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
    let name = parts.count > 1 ? PlainText.sanitizedName(String(parts[1])) : ""
    guard parts.count == 3, !name.isEmpty else {
      left.append(
        LeftOut(PlainText.sanitizedName(text), at: place, because: "it has no name and no filter"))
      return
    }
    take(filter: String(parts[2]), named: name, at: place, star: star)
  }

  mutating func take(
    filter: String, named name: String, at place: LibraryPlace, star: Character?
  ) {
    do {
      let query = try NewsboatFilter(filter).query(star: star)
      smartFeeds.append(LibrarySmartFeed(name: name, query: query, at: place))
    } catch {
      left.append(LeftOut("\(name): \(filter)", at: place, because: error.message))
    }
  }
}
