package import News
internal import Text

/// Newsboat's list of feeds (`urls`): an address and tags on each line. `~` begins the user's
/// title, `!` hides a feed; `query:NAME:FILTER` is a smart feed, `exec:COMMAND` a program, and
/// `filter:PROGRAM:ADDRESS` a filtered feed. Telex runs no shell: only plain words are accepted.
package enum NewsboatURLs {
  /// - Parameters:
  ///   - file: file name for messages.
  ///   - star: the flag that becomes a star.
  ///   - home: the user's home directory if programs are imported; nil otherwise.
  package static func read(
    _ text: String, file: String, star: Character? = nil, programsOf home: String? = nil
  ) -> ReaderLibrary {
    var library = ReaderLibrary()
    for line in NewsboatLine.all(of: text) {
      let place = LibraryPlace(file, line: line.number)
      let (address, tags) = (line.tokens[0], line.tokens.dropFirst())
      if address.hasPrefix("query:") {
        library.add(query: address, at: place, star: star)
      } else if address.hasPrefix("exec:") || address.hasPrefix("filter:") {
        library.add(program: address, Array(tags), at: place, home: home)
      } else if !address.contains("://") {
        library.left.append(
          LeftOut(PlainText.sanitizedName(address), at: place, because: "it is no address"))
      } else {
        library.add(feed: address, Array(tags), at: place)
      }
    }
    return library
  }
}

extension ReaderLibrary {
  fileprivate mutating func add(
    program line: String, _ tags: [String], at place: LibraryPlace, home: String?
  ) {
    func leave(_ reason: String) {
      let subject = PlainText.sanitizedName(WebAddress.redacted(line))
      left.append(LeftOut(subject, at: place, because: reason))
    }
    guard let home else {
      return leave("programs do not come along by themselves; --commands takes them")
    }
    let isFilter = line.hasPrefix("filter:")
    let rest = line.dropFirst(isFilter ? 7 : 5)
    let command = isFilter ? rest.prefix { $0 != ":" } : rest
    let address = String(rest.dropFirst(command.count + 1))
    if isFilter, !address.contains("://") { return leave("it names no address") }
    let words: [String]
    do throws(CommandWords.Mistake) {
      words = try CommandWords(String(command), home: home).words
    } catch {
      return leave("\(error.message); put it into a script, for telex add")
    }
    guard !words[0].contains("/") || words[0].hasPrefix("/") else {
      return leave("the path of its program begins in no folder that is known")
    }
    add(feed: line, tags, at: place)
    feeds[feeds.count - 1].command = isFilter ? nil : words
    feeds[feeds.count - 1].filter = isFilter ? words : nil
    if isFilter { feeds[feeds.count - 1].address = address }
  }

  fileprivate mutating func add(feed url: String, _ tags: [String], at place: LibraryPlace) {
    let names = tags.map(PlainText.sanitizedName)
    let own = names.first { $0.hasPrefix("~") }.map { String($0.dropFirst()) }
    let folders = names.filter { !$0.hasPrefix("~") && !$0.hasPrefix("!") && !$0.isEmpty }
    feeds.append(
      LibraryFeed(
        url: url, ownTitle: own.flatMap { $0.isEmpty ? nil : $0 }, folders: folders.map { [$0] },
        isHidden: names.contains { $0.hasPrefix("!") }, at: place))
  }

  fileprivate mutating func add(query text: String, at place: LibraryPlace, star: Character?) {
    let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
    let name = parts.count > 1 ? PlainText.sanitizedName(String(parts[1])) : ""
    guard parts.count == 3, !name.isEmpty else {
      left.append(
        LeftOut(PlainText.sanitizedName(text), at: place, because: "it has no name and no filter"))
      return
    }
    do {
      let query = try NewsboatFilter(String(parts[2])).query(star: star)
      smartFeeds.append(LibrarySmartFeed(name: name, query: query, at: place))
    } catch {
      left.append(LeftOut("\(name): \(parts[2])", at: place, because: error.message))
    }
  }
}
