internal import News
internal import Text

/// A file of elfeed-org, in Org mode: headlines below one with the tag `elfeed`, or with that id, are feeds and rules by
/// titles, and have the tags of the headlines above them up to that one. Anything else in the file is notes.
///
/// A headline that begins with `COMMENT` or `TODO` counts as any other: elfeed-org fetches it too.
struct ElfeedOutline {
  private struct Headline {
    var level: Int
    var tags: [String]
    /// What it says, where it is neither a feed nor a rule.
    var name: String?
    /// Whether what is below it counts.
    var isTree: Bool
  }

  private(set) var library = ReaderLibrary()
  private let names: ElfeedFeeds.OutlineNames
  /// What `#+LINK:` gives for the beginning of a link.
  private let abbreviations: [String: String]
  /// Characters of a headline that are read.
  private static let longest = 4_096
  /// The headline and those above it.
  private var open: [Headline] = []

  init(_ text: String, file: String, names: ElfeedFeeds.OutlineNames) {
    self.names = names
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    abbreviations = lines.reduce(into: [:]) { links, line in
      guard let match = line.wholeMatch(of: #/\s*#\+(?i:link):?\s+(\S+)\s+(\S+).*/#) else { return }
      links[String(match.1)] = String(match.2)
    }
    for (index, line) in lines.enumerated() {
      if let id = line.wholeMatch(of: #/\s*:(?i:id):\s*(\S+)\s*/#)?.1, id == names.tree,
        !open.isEmpty
      {
        open[open.count - 1].isTree = true
      }
      if line.first == "*" { take(line, at: LibraryPlace(file, line: index + 1)) }
    }
  }

  private mutating func take(_ line: Substring, at place: LibraryPlace) {
    let level = line.prefix { $0 == "*" }.count
    var text = line.dropFirst(level).prefix(Self.longest)
    guard text.first?.isWhitespace == true else { return }
    while let last = open.last, last.level >= level { open.removeLast() }
    while text.last?.isWhitespace == true { text.removeLast() }
    let start = text.lastIndex(where: \.isWhitespace).map(text.index(after:))
    let word = text[(start ?? text.startIndex)...]
    var own: [String] = []
    if word.wholeMatch(of: #/:[\w@#%:]+:/#) != nil {
      own = word.split(separator: ":").map(String.init)
      text = text[..<word.startIndex]
    }
    let heading = text.trimmed.trimmingPrefix(#/(?:(?:TODO|DONE|COMMENT)\s+|\[#\w+\]\s*)+/#)
    let isRule = heading.hasPrefix("entry-title")
    let link = isRule ? nil : link(in: heading)
    open.append(
      Headline(
        level: level, tags: own, name: isRule || link != nil ? nil : String(heading),
        isTree: own.contains(names.tree)))
    guard let tree = open.firstIndex(where: \.isTree) else { return }
    var tags: [String] = []
    for tag in open[tree...].flatMap(\.tags) where tag != names.tree && !tags.contains(tag) {
      tags.append(tag)
    }
    if isRule {
      library.take(rule: heading, tags: tags, ignoring: names.ignored, at: place)
    } else if let link {
      // A headline stands for its tags; one that has none is a folder.
      let path = open[tree...].dropFirst().dropLast().filter(\.tags.isEmpty).compactMap(\.name)
      library.take(link, tags: tags, below: path, ignoring: names.ignored, at: place)
    }
  }

  /// The first link of a headline.
  private func link(in text: some StringProtocol) -> (target: String, name: String?)? {
    let text = String(text)
    guard let bracket = text.firstMatch(of: #/\[\[([^\]\[]+)\](?:\[(.+?)\])?\]/#) else {
      return text.firstMatch(of: #/(?:^|\s)(https?:\/\/\S+)/#).map { (String($0.1), nil) }
    }
    return (expanded(String(bracket.1)), bracket.2.map(String.init))
  }

  /// A link whose beginning `#+LINK:` has defined is made whole (Org manual, “Link Abbreviations”).
  private func expanded(_ target: String) -> String {
    let name = target.prefix { $0 != ":" }
    guard let whole = abbreviations[String(name)] else { return target }
    let tag = String(target.dropFirst(name.count + 1))
    return whole.contains("%s") ? whole.replacing("%s", with: tag, maxReplacements: 1) : whole + tag
  }
}

extension ReaderLibrary {
  /// Links that lead to no feed: such headlines are notes.
  private static let otherLinks: Set = [
    "file", "id", "mailto", "elisp", "shell", "info", "help", "doi", "gopher", "elfeed",
    "attachment",
  ]

  fileprivate mutating func take(
    _ link: (target: String, name: String?), tags: [String], below path: [String],
    ignoring ignored: String, at place: LibraryPlace
  ) {
    let url = link.target
    guard url.hasPrefix("http"), url.contains("://") else {
      let kind = url.prefix { $0 != ":" }.lowercased()
      let isAbbreviated =
        url.contains(":")
        && kind.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
      if isAbbreviated, !Self.otherLinks.contains(kind) {
        left.append(
          LeftOut(
            PlainText.sanitizedName(url), at: place, because: "no #+LINK: says what “\(kind)” means"
          ))
      }
      return
    }
    guard !tags.contains(ignored) else {
      left.append(
        LeftOut(WebAddress.redacted(url), at: place, because: "it has the tag “\(ignored)”"))
      return
    }
    let title = link.name.map(PlainText.sanitizedName)
    let names = path.map(PlainText.sanitizedName).filter { !$0.isEmpty }
    feeds.append(
      LibraryFeed(
        url: url, ownTitle: title.flatMap { $0.isEmpty ? nil : $0 },
        folders: (names.isEmpty ? [] : [names]) + tags.map { [PlainText.sanitizedName($0)] },
        at: place))
  }

  /// Takes `entry-title: EXPRESSION`, which tags new articles of all feeds whose titles it matches.
  fileprivate mutating func take(
    rule headline: some StringProtocol, tags: [String], ignoring ignored: String,
    at place: LibraryPlace
  ) {
    func leave(_ reason: String) {
      left.append(
        LeftOut(PlainText.sanitizedName(String(headline)), at: place, because: reason))
    }
    let text = headline.dropFirst("entry-title".count).drop { $0 == ":" || $0.isWhitespace }
    guard !tags.contains(ignored) else { return leave("it has the tag “\(ignored)”") }
    guard let expression = EmacsExpression.translated(String(text)), !expression.isEmpty,
      let query = try? ArticleQuery("title:/\(expression)/")
    else {
      return leave(
        "its regular expression has no counterpart; see telex rules add --tag")
    }
    let wanted = tags.filter { $0 != "unread" }
    guard !wanted.isEmpty else { return leave("it has no tag to give") }
    rules += wanted.map { tag in
      LibraryRule(query, tag == "star" ? .star : .tag(PlainText.sanitizedName(tag)), at: place)
    }
  }
}
