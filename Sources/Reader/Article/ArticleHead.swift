internal import Foundation
internal import Markup
internal import News
internal import Screen
internal import Text

/// The lines above the text of an article.
enum ArticleHead {
  /// The line that marks a full text.
  static func mark(of text: FullText, width: Int) -> [StyledLine] {
    let line = ArticleStrings.fullText(
      host: WebAddress.host(of: text.url) ?? text.url, pages: text.pages)
    return TextWrapping.wrap(line, width: width).map {
      StyledLine([StyledSpan(String($0), .strong)])
    }
  }

  /// - Parameters:
  ///   - links: those of the text, to which those of the head are added.
  ///   - linesOfLinks: the lines of the head on which links stand.
  static func lines(
    of article: Article, minutes: Int, width: Int, clock: WallClock, standsAlone: Bool,
    _ links: inout [Link], _ linesOfLinks: inout [Int: Int]
  ) -> [StyledLine] {
    let entry = article.entry
    var head: [StyledLine] = []
    func add(_ text: String, _ role: TextRole, _ direction: TextDirection? = nil) {
      for line in TextWrapping.wrap(text, width: width) {
        head.append(StyledLine([StyledSpan(String(line), role)]).directed(direction, width: width))
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
      linesOfLinks[number] = linesOfLinks[number] ?? head.count
      let marker = "[\(number)] "
      for (index, line) in TextWrapping.wrap(marker + text, width: width).enumerated() {
        let isMarked = index == 0 && line.hasPrefix(marker)
        let rest = isMarked ? line.dropFirst(marker.count) : line
        let mark = isMarked ? [StyledSpan(marker, .linkNumber, link: number)] : []
        head.append(StyledLine(mark + [StyledSpan(String(rest), .dim, link: number)]))
      }
    }
    if let title = entry.title { add(title, .heading1, TextDirection(of: title)) }
    // A text of a minute or less is read before its time is.
    let time = minutes > 1 ? "\(minutes) min" : ""
    if standsAlone {
      add(article.feedTitle, .dim)
      add(joined([authors(of: entry).closed, date(of: article, clock.long), time]), .dim)
      if let url = entry.url { add(url, .dim) }
    } else {
      add(origin(of: article, [date(of: article, clock.dated), time], width: width), .dim)
    }
    if let changed = article.changed {
      add(ArticleStrings.changedByFeed(clock.long(Int64(changed.timeIntervalSince1970))), .dim)
    }
    if let source = entry.source, let name = source.title ?? source.url ?? source.feedURL {
      add("from \(name)", .dim)
    }
    if !article.otherFeeds.isEmpty {
      add(ArticleStrings.alsoIn(article.otherFeeds.map(\.closed).joined(separator: ", ")), .dim)
    }
    if !article.tags.isEmpty {
      add("tagged \(article.tags.map(\.closed).joined(separator: ", "))", .dim)
    }
    for file in entry.enclosures {
      add(
        "+ \(line(for: file, article.playback[file.url], standsAlone: standsAlone))", to: file.url,
        called: file.title ?? file.type ?? "file")
    }
    if let comments = entry.comments,
      let line = line(for: comments, kept: article.keptComments, standsAlone: standsAlone)
    {
      if let page = comments.page {
        add(line, to: page, called: "comments")
      } else {
        add(line, .dim)
      }
    }
    head.append(StyledLine())
    return head
  }

  /// The feed, the authors, the date and the time to read, in one line: where it is too long, the feed, which stands
  /// above the page as well, is left out, and then the authors are cut.
  private static func origin(of article: Article, _ rest: [String], width: Int) -> String {
    let authors = authors(of: article.entry)
    let whole = joined([article.feedTitle.closed, authors.closed] + rest)
    guard TextWidth.columns(of: whole) > width else { return whole }
    let room = width - TextWidth.columns(of: joined(rest)) - 3
    let cut = room < 5 ? "" : TextWidth.prefix(of: authors, fitting: room - 1) + "…"
    return joined([(TextWidth.columns(of: authors) <= room ? authors : cut).closed] + rest)
  }

  private static func authors(of entry: Entry) -> String {
    entry.authors.map(\.name).joined(separator: ", ")
  }

  /// As the feed writes it; the place in a list is none of the feed's saying.
  private static func date(of article: Article, _ text: (Int64) -> String) -> String {
    let written = article.entry.published ?? article.entry.updated
    return written.map { text(Int64($0.timeIntervalSince1970)) }
      ?? "arrived \(text(article.position.date))"
  }

  private static func joined(_ parts: [String]) -> String {
    parts.filter { !$0.isEmpty }.joined(separator: " · ")
  }

  /// On the screen without its address, which stands in the list of links.
  private static func line(
    for file: Enclosure, _ playback: Playback?, standsAlone: Bool
  ) -> String {
    let role = file.role == .media ? nil : file.role.rawValue
    let details = [
      role, file.title, file.type, file.length.map(size),
      (file.duration ?? playback?.duration).map(PlayingTime.text(of:)),
      playback.map {
        $0.isHeard ? "heard" : ArticleStrings.playedUpTo(PlayingTime.text(of: $0.seconds))
      },
    ]
    let note = details.compactMap { $0 }.joined(separator: ", ")
    return note.isEmpty ? file.url : standsAlone ? "\(file.url) (\(note))" : note
  }

  private static func line(
    for comments: CommentLinks, kept: Int, standsAlone: Bool
  ) -> String? {
    let count = comments.count.map { quantity(max($0, kept), "comment") }
    guard standsAlone else {
      return count ?? (comments.page ?? comments.feed).map { _ in "comments" }
    }
    if let page = comments.page { return "\(count ?? "comments"): \(page)" }
    // A feed of them is nothing to be read in a browser.
    return count ?? comments.feed.map(ArticleStrings.commentFeed)
  }

  private static func size(_ bytes: Int64) -> String {
    switch bytes {
    case ..<1_000: "\(bytes) B"
    case ..<1_000_000: "\(bytes / 1_000) kB"
    default: "\(bytes / 1_000_000).\(bytes % 1_000_000 / 100_000) MB"
    }
  }
}

extension String {
  /// The text, and behind right-to-left letters a mark that keeps what follows out of their order.
  fileprivate var closed: String {
    unicodeScalars.contains(where: \.isOfRightToLeftScript) ? self + "\u{200E}" : self
  }
}
