package import News
internal import Text

/// Liferea's list of feeds (`feedlist.opml`): outlines of feeds, folders and search folders.
package struct LifereaFeedList {
  package private(set) var library = ReaderLibrary()
  /// The ids of feeds in Liferea's database, by their addresses.
  package private(set) var nodes: [String: String] = [:]

  private let file: String
  /// What the open outlines are.
  private var open: [Outline] = []

  private enum Outline {
    case folder(String)
    case search(SearchFolder)
    case other
  }

  /// - Parameter file: the file's name, for messages.
  package init(_ text: String, file: String) {
    self.file = file
    for tag in ForeignTags.all(of: text) where tag.name == "outline" {
      if tag.isEnd {
        close()
      } else {
        open.append(outline(tag))
        if tag.closesItself { close() }
      }
    }
    while !open.isEmpty { close() }
  }

  private func place(_ tag: ForeignTags.Tag) -> LibraryPlace { LibraryPlace(file, line: tag.line) }

  private mutating func outline(_ tag: ForeignTags.Tag) -> Outline {
    let name = PlainText.sanitizedName(tag.attributes["title"] ?? tag.attributes["text"] ?? "")
    if case .search(var folder) = open.last {
      folder.take(tag.attributes)
      open[open.count - 1] = .search(folder)
      return .other
    }
    switch tag.attributes["type"] ?? "" {
    case "folder": return .folder(name)
    case "vfolder":
      return .search(SearchFolder(name: name, attributes: tag.attributes, place: place(tag)))
    case _ where tag.attributes["xmlUrl"] != nil: take(tag, named: name)
    case "source":
      leave(name, tag, "it stands for the feeds of a server: add that with telex account add")
    case "newsbin": leave(name, tag, "articles that were collected by hand do not come")
    case let type where !type.isEmpty: leave(name, tag, "\(type) has no counterpart")
    default: return .folder(name)
    }
    return .other
  }

  private mutating func take(_ tag: ForeignTags.Tag, named name: String) {
    let source = tag.attributes["xmlUrl"] ?? ""
    guard !source.hasPrefix("|") else {
      return leave(name, tag, "a program's output is no feed of Telex")
    }
    let isPath = source.hasPrefix("/")
    let names = source.split(separator: "/", omittingEmptySubsequences: false)
    let url = isPath ? "file://" + names.map(percentEncoded).joined(separator: "/") : source
    guard url.contains("://") else {
      return leave(name, tag, "\(PlainText.sanitizedName(source)) is no address")
    }
    if let program = tag.attributes["filtercmd"], !program.isEmpty {
      leave("\(name): the conversion filter", tag, "a program that changes a feed does not come")
    }
    if let node = tag.attributes["id"], nodes[url] == nil { nodes[url] = node }
    let path = open.compactMap {
      if case .folder(let name) = $0, !name.isEmpty { name } else { nil }
    }
    var feed = LibraryFeed(
      url: url, ownTitle: name.isEmpty ? nil : name,
      page: tag.attributes["htmlUrl"].flatMap { $0.isEmpty ? nil : $0 },
      folders: path.isEmpty ? [] : [path], at: place(tag))
    // Minutes; -1 stands for what holds for all feeds, -2 for never.
    switch tag.attributes["updateInterval"].flatMap({ Int64($0) }) {
    case -2: feed.isPaused = true
    case let minutes? where (1...1_000_000).contains(minutes): feed.interval = minutes * 60
    default: break
    }
    library.feeds.append(feed)
  }

  private mutating func close() {
    guard case .search(let folder) = open.popLast() else { return }
    do throws(QueryError) {
      library.smartFeeds.append(
        LibrarySmartFeed(name: folder.name, query: try folder.query(), at: folder.place))
    } catch {
      library.left.append(
        LeftOut("the search folder \(folder.name)", at: folder.place, because: error.message))
    }
  }

  private mutating func leave(_ subject: String, _ tag: ForeignTags.Tag, _ reason: String) {
    library.left.append(LeftOut(subject, at: place(tag), because: reason))
  }
}

/// A search folder of Liferea: rules of which one has to hold, or all.
private struct SearchFolder {
  let name: String
  let place: LibraryPlace
  private let needsAll: Bool
  private let isUnreadOnly: Bool
  private var rules: [(name: String, value: String, isPositive: Bool)] = []

  init(name: String, attributes: [String: String], place: LibraryPlace) {
    self.name = name
    self.place = place
    needsAll = attributes["matchType"] == "all"
    isUnreadOnly = attributes["unreadOnly"] == "true"
  }

  mutating func take(_ attributes: [String: String]) {
    guard let rule = attributes["rule"] else { return }
    rules.append((rule, attributes["value"] ?? "", attributes["additive"] != "false"))
  }

  /// - Throws: `QueryError` that names what has no counterpart.
  func query() throws(QueryError) -> ArticleQuery {
    guard !rules.isEmpty else { throw QueryError("it has no rules", at: 0..<0) }
    var conditions: [String] = []
    for rule in rules {
      let condition = try condition(rule.name, rule.value)
      conditions.append(rule.isPositive ? condition : "-" + condition)
    }
    var text = conditions.joined(separator: needsAll ? " " : " OR ")
    if isUnreadOnly { text = needsAll || rules.count == 1 ? text + " unread" : "(\(text)) unread" }
    do { return try ArticleQuery(text) } catch {
      throw QueryError("it cannot be read as a query: \(text)", at: 0..<0)
    }
  }

  private func condition(_ rule: String, _ value: String) throws(QueryError) -> String {
    switch rule {
    case "unread": return "unread"
    case "flagged": return "starred"
    case "enclosure": return "has:enclosure"
    case "podcast": return "has:audio"
    case "exact": return "(title:\(part(value)) OR text:\(try quoted(value)))"
    case "exact_title": return "title:\(part(value))"
    // An expression over texts would unpack every text.
    case "exact_desc": return "text:\(try quoted(value))"
    case "exact_author": return "author:\(try quoted(value))"
    case "category": return "category:\(try quoted(value))"
    case "feed_title", "feed_source": return "feed:\(part(value))"
    case "parent_folder": return "folder:\(part(value))"
    default: throw QueryError("there is no counterpart for the rule \(rule)", at: 0..<0)
    }
  }

  /// An expression for a part of a text.
  private func part(_ value: String) -> String { "/\(PosixExpression.escaped(value))/" }

  private func quoted(_ value: String) throws(QueryError) -> String {
    guard !value.contains("\""), !value.isEmpty else {
      throw QueryError("an empty value, or one with a quote, cannot be asked for", at: 0..<0)
    }
    return "\"\(value)\""
  }
}
