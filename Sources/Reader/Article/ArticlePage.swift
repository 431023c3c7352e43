internal import Foundation
internal import Markup
package import News
internal import Screen
internal import Text

/// An article laid out for the screen: its head and its text as lines of a width.
package struct ArticlePage: Hashable, Sendable {
  package internal(set) var article: Article
  /// The width of the page, in columns.
  package let width: Int
  package let lines: [StyledLine]
  /// The text that stands in the place of the article's own; nil for that.
  package let other: OtherText?
  /// Whether the text is the article of its page, and not what the feed says.
  let isFullText: Bool
  /// The number of lines that belong to the head.
  private let headLines: Int
  /// In the order of their lines.
  package let pictures: [PagePicture]
  private let layout: ArticleLayout
  /// Those of the text, and then the files of the article and the page of its comments.
  private let links: [Link]
  private let jumps: [String]
  /// The lines of the head on which the others stand.
  private let linesOfHead: [Int: Int]

  /// Parses the body and lays it out. Takes time in proportion to the body: not for the main actor.
  ///
  /// - Parameters:
  ///   - clock: for dates in the local time zone.
  ///   - standsAlone: whether nothing around the page names the feed, and no key opens its address.
  ///   - other: a text in the place of the article's own.
  ///   - pictures: nil where they are left as words.
  package init(
    _ article: Article, width: Int, clock: WallClock, standsAlone: Bool = false,
    with other: OtherText? = nil, pictures room: PictureRoom? = nil
  ) {
    let full = other == nil ? article.shownFullText : nil
    let document =
      other?.document(at: article.entry.url) ?? full.map(Self.document)
      ?? Self.document(of: article.entry)
    let layout = ArticleLayout(document, width: width, pictures: room)
    var links = document.links
    var linesOfHead: [Int: Int] = [:]
    var head = Self.head(
      of: article, minutes: (document.readingSeconds + 30) / 60, width: width, clock: clock,
      standsAlone: standsAlone, &links, &linesOfHead)
    if let other { head.insert(contentsOf: other.mark(width: width), at: head.count - 1) }
    if let full { head.insert(contentsOf: Self.mark(of: full, width: width), at: head.count - 1) }
    self.other = other
    isFullText = full != nil
    self.article = article
    self.width = width
    self.layout = layout
    self.links = links
    jumps = document.jumps
    self.linesOfHead = linesOfHead
    headLines = head.count
    lines = head + layout.lines
    pictures = layout.pictures.map { picture in
      var picture = picture
      picture.line += head.count
      return picture
    }
  }

  /// The text of an article without a screen: for `telex show` and `telex render`.
  package var plainText: String {
    lines.map(\.text).joined(separator: "\n")
  }

  /// An HTML document as text, without a head, and what could not be kept of it; notes in the text
  /// say the same.
  package static func text(
    ofHTML html: String, url: String?, width: Int
  ) -> (text: String, warnings: [String]) {
    let document = Markup.document(html: html) { WebAddress.resolve($0, against: url) }
    return (ArticleLayout(document, width: width).plainText, document.warnings)
  }

  // MARK: Places

  func position(ofLine line: Int) -> ReadingPosition? {
    guard line >= headLines else { return nil }
    return layout.position(ofLine: line - headLines)
  }

  func line(at position: ReadingPosition?) -> Int {
    guard let position else { return 0 }
    return headLines + layout.line(at: position)
  }

  /// The first visible line for a reading position: not the empty line before a block.
  func openingLine(at position: ReadingPosition?) -> Int {
    let line = line(at: position)
    return line > 0 && line + 1 < lines.count && lines[line].isEmpty ? line + 1 : line
  }

  // MARK: Links

  /// Links in the article, which are numbered from 1.
  package var linkCount: Int { links.count }

  func link(_ number: Int) -> String? {
    links.indices.contains(number - 1) ? links[number - 1].url : nil
  }

  /// The numbers of links, and those of jumps (below 0), as one goes through them from the top of the text; links of
  /// the head alone come last.
  var linksInOrder: [Int] {
    guard !jumps.isEmpty else { return Array(1..<linkCount + 1) }
    let inText = Set(layout.linksInOrder)
    return layout.linksInOrder + (1..<linkCount + 1).filter { !inText.contains($0) }
  }

  /// The place that a jump leads to; nil for a link, or where the place has no text.
  func position(ofJump number: Int) -> ReadingPosition? {
    jumps.indices.contains(-number - 1) ? layout.position(ofPlace: jumps[-number - 1]) : nil
  }

  /// What a link or jump leads to.
  func target(_ number: Int) -> String? {
    number < 0
      ? (jumps.indices.contains(-number - 1) ? "#" + jumps[-number - 1] : nil) : link(number)
  }

  func linkText(_ number: Int) -> String {
    links.indices.contains(number - 1) ? links[number - 1].text : ""
  }

  /// The place of a file of the article, from 0; nil for any other link.
  func file(ofLink number: Int) -> Int? {
    guard let url = link(number) else { return nil }
    return article.entry.enclosures.firstIndex { $0.url == url }
  }

  func firstLine(ofLink number: Int) -> Int? {
    if let line = linesOfHead[number] { return line }
    return layout.lines(ofLink: number).first.map { $0 + headLines }
  }

  // MARK: Parts

  private static func document(of entry: Entry) -> Document {
    var document: Document
    if let html = entry.contentHTML {
      let lengths = entry.enclosures.compactMap { file in
        file.duration.map { (file.url, Double($0)) }
      }
      document = Markup.document(
        html: html, lengths: Dictionary(lengths, uniquingKeysWith: { first, _ in first })
      ) { WebAddress.resolve($0, against: entry.url) }
    } else {
      document = Markup.document(plainText: entry.summary ?? "")
    }
    if document.blocks.isEmpty {
      let advice = entry.url == nil ? "." : "; o opens its page."
      document.blocks = [.note("This article came without a text\(advice)")]
    }
    return document
  }

  private static func document(of text: FullText) -> Document {
    Markup.document(html: text.html) { WebAddress.resolve($0, against: text.url) }
  }

  /// The lines that tell a full text from what the feed says.
  private static func mark(of text: FullText, width: Int) -> [StyledLine] {
    let pages = text.pages == 1 ? "" : " · \(text.pages) pages"
    let line = "full text · \(WebAddress.host(of: text.url) ?? text.url)\(pages)"
    return TextWrapping.wrap(line, width: width).map {
      StyledLine([StyledSpan(String($0), .strong)])
    }
  }

  private static func head(
    of article: Article, minutes: Int, width: Int, clock: WallClock, standsAlone: Bool,
    _ links: inout [Link], _ linesOfHead: inout [Int: Int]
  ) -> [StyledLine] {
    let entry = article.entry
    var head: [StyledLine] = []
    func add(_ text: String, _ role: TextRole) {
      for line in TextWrapping.wrap(text, width: width) {
        head.append(StyledLine([StyledSpan(String(line), role)]))
      }
    }
    func add(_ text: String, to url: String, called name: String) {
      // Without a screen nobody presses a number.
      guard !standsAlone else { return add(text, .dim) }
      var number = links.count + 1
      if let known = links.first(where: { $0.url == url }) {
        number = known.number
      } else {
        links.append(Link(number: number, url: url, text: name))
      }
      linesOfHead[number] = linesOfHead[number] ?? head.count
      let marker = "[\(number)] "
      for (index, line) in TextWrapping.wrap(marker + text, width: width).enumerated() {
        let isMarked = index == 0 && line.hasPrefix(marker)
        let rest = isMarked ? line.dropFirst(marker.count) : line
        let mark = isMarked ? [StyledSpan(marker, .linkNumber, link: number)] : []
        head.append(StyledLine(mark + [StyledSpan(String(rest), .dim, link: number)]))
      }
    }
    if let title = entry.title { add(title, .heading1) }
    if standsAlone { add(article.feedTitle, .dim) }
    let authors = entry.authors.map(\.name).joined(separator: ", ")
    // As the feed writes it; the place in a list is none of the feed's saying.
    let written = (entry.published ?? entry.updated).map { Int64($0.timeIntervalSince1970) }
    let date = written.map(clock.long) ?? "seen \(clock.long(article.position.date))"
    // A text of a minute or less is read before its time is.
    let time = minutes > 1 ? "\(minutes) min" : ""
    add([authors, date, time].filter { !$0.isEmpty }.joined(separator: " · "), .dim)
    if let url = entry.url {
      // On the screen it is there to be recognised; on few columns it would push the text away.
      let isCut = !standsAlone && TextWidth.columns(of: url) > width
      add(isCut ? TextWidth.prefix(of: url, fitting: max(0, width - 1)) + "…" : url, .dim)
    }
    if let changed = article.changed {
      add("changed by its feed, \(clock.long(Int64(changed.timeIntervalSince1970)))", .dim)
    }
    if let source = entry.source, let name = source.title ?? source.url ?? source.feedURL {
      add("from \(name)", .dim)
    }
    if !article.otherFeeds.isEmpty {
      add("also in \(article.otherFeeds.joined(separator: ", "))", .dim)
    }
    if !article.tags.isEmpty { add("tagged \(article.tags.joined(separator: ", "))", .dim) }
    for file in entry.enclosures {
      add(
        "+ \(line(for: file, article.playback[file.url]))", to: file.url,
        called: file.title ?? file.type ?? "file")
    }
    if let comments = entry.comments, let line = line(for: comments) {
      if let page = comments.page {
        add(line, to: page, called: "comments")
      } else {
        add(line, .dim)
      }
    }
    head.append(StyledLine())
    return head
  }

  private static func line(for file: Enclosure, _ playback: Playback?) -> String {
    let role = file.role == .media ? nil : file.role.rawValue
    let details = [
      role, file.title, file.type, file.length.map(size),
      (file.duration ?? playback?.duration).map(PlayingTime.text(of:)),
      playback.map { $0.isHeard ? "heard" : "played up to \(PlayingTime.text(of: $0.seconds))" },
    ]
    let note = details.compactMap { $0 }.joined(separator: ", ")
    return note.isEmpty ? file.url : "\(file.url) (\(note))"
  }

  private static func line(for comments: CommentLinks) -> String? {
    let count = comments.count.map { $0 == 1 ? "1 comment" : "\($0) comments" }
    if let page = comments.page { return "\(count ?? "comments"): \(page)" }
    // A feed of them is nothing to be read in a browser.
    return count ?? comments.feed.map { "feed of the comments: \($0)" }
  }

  /// A number of bytes with a unit.
  private static func size(_ bytes: Int64) -> String {
    switch bytes {
    case ..<1_000: "\(bytes) B"
    case ..<1_000_000: "\(bytes / 1_000) kB"
    default: "\(bytes / 1_000_000).\(bytes % 1_000_000 / 100_000) MB"
    }
  }
}
