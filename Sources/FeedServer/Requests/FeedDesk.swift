internal import Foundation
internal import News
internal import Text

/// What a `FeedServer` knows, and how it answers: a value without sockets, threads or a clock.
struct FeedDesk: Sendable {
  static let jsonType = "application/json; charset=utf-8"
  static let htmlType = "text/html; charset=utf-8"
  static let pageSize = 20
  private static let largestPage = 100
  private static let feedSize = 40
  /// As WordPress has it.
  private static let weblogSize = 10

  private(set) var archive: Archive
  private(set) var comments: CommentBook
  var uploads = UploadBook()
  var sessions = SessionBook()
  /// What was there once.
  private var gone: Set<String> = []
  private(set) var journal: LiveJournal
  private let media: MediaShelf
  private let maxAge: Int?
  /// When anything was changed last; a second later each time, so that each state has its own.
  private var lastModified: Date

  init(archive: Archive, media: MediaShelf, maxAge: Int?, now: Date) {
    self.archive = archive
    self.media = media
    self.maxAge = maxAge
    comments = CommentBook(archive)
    journal = LiveJournal(now: now)
    lastModified = now.wholeSeconds
  }

  mutating func insert(_ articles: [Archive.Article], now: Date) {
    for article in articles {
      let isNew = archive.article(article.entry.id) == nil
      archive.insert(article)
      gone.remove(article.entry.id)
      record(isNew ? "article" : "updated", article)
    }
    touch(now)
  }

  mutating func insertFresh(_ count: Int, now: Date) {
    for article in archive.insertFresh(count, now: now) { record("article", article) }
    touch(now)
  }

  /// Whose some articles are, by their ids: the API's pages give them to nobody else.
  private var owners: [String: String] = [:]

  mutating func give(_ articles: [String], to user: String) {
    for id in articles { owners[id] = user }
  }

  /// False if there is no such article.
  mutating func delete(_ id: String, now: Date) -> Bool {
    guard let article = archive.remove(id) else { return false }
    gone.insert(id)
    journal.record("deleted", [("id", .string(id))], section: article.section)
    touch(now)
    return true
  }

  private mutating func record(_ event: String, _ article: Archive.Article) {
    journal.record(
      event,
      [
        ("id", .string(article.entry.id)), ("published", .string(article.published.iso8601)),
        ("updated", .optional(article.entry.updated?.iso8601)),
      ], section: article.section)
  }

  func comments(on id: String) -> [Comment] {
    comments.comments(on: id)
  }

  /// Changes the comments, and tells those who listen that they have changed.
  ///
  /// - Parameter body: returns the comment that is new or different; nil for none.
  mutating func changeComments(
    on article: Archive.Article, now: Date,
    _ body: (inout CommentBook) throws -> (comment: Comment, isNew: Bool)
  ) rethrows -> (comment: Comment, isNew: Bool) {
    let before = comments(on: article.entry.id)
    let (comment, isNew) = try body(&comments)
    if comments(on: article.entry.id) != before {
      journal.record(
        "comment", [("id", .string(comment.id)), ("articleID", .string(article.entry.id))],
        section: article.section)
      touch(now)
    }
    return (comment, isNew)
  }

  /// Takes a comment away. False without such a comment.
  mutating func deleteComment(_ id: String, on article: String) -> Bool {
    comments.remove(id, on: article)
  }

  /// - Parameter origin: scheme, host and port as the client sees them.
  mutating func reply(
    to request: WireRequest, origin: String, faults: [Fault], now: Date
  ) -> WireReply {
    for case .insert(let count) in faults { insertFresh(count, now: now) }
    var reply: WireReply
    do {
      reply = try answer(request, origin: origin, faults: faults, now: now)
      let isRead = request.method == "GET" || request.method == "HEAD"
      if reply.status == 200 && isRead && !reply.isOpenEnded {
        // A stream has no validators: its bytes are not known when it begins. A comment has its own.
        if reply.stream == nil, reply[header: "ETag"] == nil {
          reply.addValidators(lastModified: lastModified)
        }
        reply[header: "Cache-Control"] = maxAge.map { "max-age=\($0)" } ?? "no-cache"
      }
      reply = reply.conditional(on: request)
    } catch let error as APIError {
      reply = error.reply
    } catch {
      reply =
        APIError(status: 500, code: "internal", message: "The server failed.").reply
    }
    reply[header: "Date"] = now.httpDate
    return reply
  }

  /// Who asks for `/api/live`, and may; nil for everyone else.
  func liveOpening(for request: WireRequest) -> LiveOpening? {
    let (section, parts) = address(of: request)
    guard parts == ["api", "live"], request.method == "GET" else { return nil }
    return try? LiveOpening(request, section: section?.slug, journal: journal)
  }

  private func address(
    of request: WireRequest
  ) -> (section: Archive.Section?, parts: [String]) {
    var parts = request.path.split(separator: "/").map { $0.percentDecoded() ?? String($0) }
    // A section is a feed of its own under its slug: /SLUG/rss.xml, /SLUG/api/articles.
    let section = archive.sections.first { $0.slug == parts.first }
    if section != nil { parts.removeFirst() }
    return (section, parts)
  }

  private mutating func touch(_ now: Date) {
    lastModified = max(now.wholeSeconds, lastModified.addingTimeInterval(1))
  }

  private mutating func answer(
    _ request: WireRequest, origin: String, faults: [Fault], now: Date
  ) throws -> WireReply {
    let (section, parts) = address(of: request)
    var writer = FeedWriter(archive: archive, section: section, origin: origin)
    writer.commentCount = { [comments] in comments.comments(on: $0.entry.id).count }
    if parts.first == "api" {
      if let reply = try sessions.answer(request, to: parts.dropFirst(), now: now) { return reply }
    }
    try sessions.check(request, asksForToken: parts.first == "api" && parts.count > 1, now: now)
    if parts == ["graphql"], request.method == "POST" {
      let own = faults.compactMap { if case .graphQL(let fault) = $0 { fault } else { nil } }
      return GraphQLDesk(
        archive: archive, origin: origin, faults: own, repeatsCursor: faults.contains(.repeatCursor)
      ).answer(to: request)
    }
    let isRead = request.method == "GET" || request.method == "HEAD"
    if parts.count >= 4, parts[0] == "api", parts[1] == "articles", parts[3] == "comments" {
      let article = try self.article(parts[2], in: section)
      switch parts.count {
      case 4: return try answerComments(request, on: article, now: now)
      case 5: return try answerComment(request, parts[4], on: article, faults: faults, now: now)
      default: throw APIError.notFound("such address")
      }
    }
    if parts.count >= 2, parts[0] == "api", parts[1] == "uploads" {
      return try answerUploads(request, parts.dropFirst(2), faults: faults)
    }
    guard isRead else { throw APIError.methodNotAllowed("GET, HEAD") }
    switch (parts.first, parts.count) {
    case (nil, _):
      return WireReply(type: Self.htmlType, text: writer.frontPage())
    case ("rss.xml", 1), ("atom.xml", 1), ("rdf.xml", 1), ("feed.json", 1):
      let page = try self.page(of: request, section: section?.slug, size: Self.feedSize)
      return writer.feed(parts[0], page, path: String(request.path))
    case ("archive", 2):
      let name = parts[1]
      return try archivePage(name, section: section?.slug, writer, path: String(request.path))
    case ("wp", 2) where parts[1] == "feed":
      return try weblogPage(request, section: section?.slug, writer)
    case ("read", 2):
      let article = try self.article(parts[1], in: section)
      return WireReply(type: Self.htmlType, text: writer.page(of: article))
    case ("read", 3):
      let article = try self.article(parts[1], in: section)
      let said = comments.comments(on: parts[1])
      guard let feed = writer.commentFeed(parts[2], said, on: article) else {
        throw APIError.notFound("such address")
      }
      return feed
    case ("media", 2):
      guard let file = media.file(parts[1]) else { throw APIError.notFound("such file") }
      return file
    case ("api", 1):
      return json(writer.apiDescription(listsFeeds: section == nil))
    case ("api", 2) where parts[1] == "live":
      return try LiveOpening(request, section: section?.slug, journal: journal).reply(to: request)
    case ("api", 2) where parts[1] == "articles":
      var page = try self.page(of: request, section: section?.slug, size: Self.pageSize)
      if faults.contains(.repeatCursor), let asked = request.query("cursor") { page.next = asked }
      return json(writer.apiPage(page, commentCount: { comments.comments(on: $0.entry.id).count }))
    case ("api", 2) where parts[1] == "articles.ndjson":
      return try export(request, section: section?.slug, writer, faults: faults)
    case ("api", 3) where parts[1] == "articles":
      let article = try self.article(parts[2], in: section)
      return json(writer.apiArticle(article, commentCount: comments.comments(on: parts[2]).count))
    default:
      throw APIError.notFound("such address")
    }
  }

  func json(_ text: JSONText) -> WireReply {
    WireReply(headers: [("Content-Type", Self.jsonType)], body: text.bytes)
  }

  private func article(_ id: String, in section: Archive.Section?) throws -> Archive.Article {
    guard let article = archive.article(id),
      section == nil || section?.slug == article.section
    else {
      guard !gone.contains(id) else {
        throw APIError(status: 410, code: "gone", message: "This article was taken away.")
      }
      throw APIError.notFound("such article")
    }
    return article
  }

  private func page(
    of request: WireRequest, section: String?, size: Int
  ) throws -> ArticlePage {
    let position = try self.position(of: request)
    let limit = try self.limit(of: request, size)
    var archive = archive
    let user = sessions.user(of: request)
    for (id, owner) in owners where owner != user { _ = archive.remove(id) }
    let (articles, hasMore) = archive.page(after: position, limit: limit, section: section)
    return ArticlePage(
      articles: articles, next: hasMore ? articles.last?.position.cursor : nil, limit: limit)
  }

  /// A feed whose older entries lie in archives that do not change any more (RFC 5005 §4): the
  /// articles in blocks of `feedSize`, counted from the oldest; the rest is the feed itself.
  private func archivePage(
    _ name: String, section: String?, _ writer: FeedWriter, path: String
  ) throws -> WireReply {
    let articles = articles(of: section)
    let count = max(0, articles.count - 1) / Self.feedSize
    guard name.hasPrefix("atom"), name.hasSuffix(".xml") else {
      throw APIError.notFound("such feed")
    }
    let middle = name.dropFirst(4).dropLast(4)
    if middle.isEmpty {
      let current = articles.prefix(articles.count - count * Self.feedSize)
      return writer.archivedFeed(Array(current), number: nil, of: count, path: path)
    }
    guard let number = Int(middle.dropFirst()), middle == "-\(number)", (1...count).contains(number)
    else { throw APIError.notFound("such archive") }
    let end = articles.count - (number - 1) * Self.feedSize
    return writer.archivedFeed(
      Array(articles[end - Self.feedSize..<end]), number: number, of: count, path: path)
  }

  /// A feed as WordPress has it: older pages by their number, and no link to them.
  private func weblogPage(
    _ request: WireRequest, section: String?, _ writer: FeedWriter
  ) throws -> WireReply {
    let articles = articles(of: section)
    let number = request.query("paged").flatMap { Int($0) } ?? 1
    let start = (max(1, number) - 1) * Self.weblogSize
    guard start == 0 || start < articles.count else { throw APIError.notFound("such page") }
    return writer.weblog(
      Array(articles[start...].prefix(Self.weblogSize)), address: writer.origin + request.target)
  }

  /// All articles, a line each.
  private func export(
    _ request: WireRequest, section: String?, _ writer: FeedWriter, faults: [Fault]
  ) throws -> WireReply {
    let rounds = try request.query("repeat").map { text in
      guard let rounds = Int(text), (1...100_000).contains(rounds) else {
        throw APIError.badParameter("repeat", "A whole number from 1 to 100,000.")
      }
      return rounds
    }
    let badLines = faults.compactMap { if case .badLine(let line) = $0 { line } else { nil } }
    let cursor = request.query("cursor").flatMap { $0.isEmpty ? nil : $0 }
    let export = try ArticleExport(
      writer, articles: articles(of: section),
      commentCount: { comments.comments(on: $0.entry.id).count }, after: cursor,
      rounds: rounds ?? 1, badLines: Set(badLines))
    return WireReply(
      headers: [("Content-Type", "application/x-ndjson; charset=utf-8")],
      stream: { export.piece($0) })
  }

  private func articles(of section: String?) -> [Archive.Article] {
    section.map { slug in archive.articles.filter { $0.section == slug } } ?? archive.articles
  }

  func position(of request: WireRequest) throws -> Position? {
    guard let cursor = request.query("cursor"), !cursor.isEmpty else { return nil }
    guard let position = Position(cursor: cursor) else {
      throw APIError.badParameter("cursor", "This cursor is not one that this server made.")
    }
    return position
  }

  func limit(of request: WireRequest, _ standard: Int) throws -> Int {
    guard let text = request.query("limit") else { return standard }
    guard let limit = Int(text), limit > 0 else {
      throw APIError.badParameter("limit", "The limit is a whole number from 1 on.")
    }
    return min(limit, Self.largestPage)
  }
}

/// Some articles in a row and where to go on.
struct ArticlePage {
  var articles: [Archive.Article]
  var next: String?
  var limit: Int
}
