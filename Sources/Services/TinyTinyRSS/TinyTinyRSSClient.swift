package import Foundation
package import HTTP
package import News
internal import Text

/// Account at Tiny Tiny RSS by its JSON API, of level 15 (2021) or later.
///
/// Every call is a POST with the id of a session, which is renewed once where it has ended. Marks
/// are absolute: the server's toggle is never used. Copies share the session.
package struct TinyTinyRSSClient: NumberedSyncClient {
  /// The most articles of a call.
  package let limit = 50
  package let marksPerCall = 500
  /// It can neither rename nor move feeds.
  package let edits: SubscriptionEdits = [.add, .remove]
  /// The most headlines of a call.
  private static let headlinesPerCall = 200

  /// Numbers of the server's own feeds and groups of feeds.
  private enum Place {
    static let all: Int64 = -4
    static let starred: Int64 = -1
    /// All feeds of the user, without the server's own.
    static let ownFeeds: Int64 = -3
  }

  package let settings: SyncServerSettings
  /// Headlines a page, and how many two pages share, so that some may leave the list between them.
  package var pageSize = Self.headlinesPerCall
  private var overlap: Int { min(20, pageSize / 2) }
  private let transfer: SyncTransfer
  private let session: SyncToken
  private let now: @Sendable () -> Date

  /// - Parameter settings: the base is the address with `/api`.
  package init(
    _ settings: SyncServerSettings, client: ResilientClient,
    now: @escaping @Sendable () -> Date = { Date() }, password: @escaping PasswordLookup
  ) {
    self.settings = settings
    self.now = now
    let transfer = SyncTransfer(settings: settings, client: client)
    self.transfer = transfer
    session = SyncToken(at: transfer.host, for: password, refusedBy: [401]) {
      try await Self.call(
        "login", ["user": .text(settings.user), "password": .text($0)],
        TinyTinyRSSWire.Session.self, "a session", by: transfer
      ).session_id
    }
  }

  package func signIn() async throws {
    _ = try await ask("getUnread", [:], TinyTinyRSSWire.Unread.self, "that you are signed in")
  }

  // MARK: - Ids

  /// One page of the ids of a set, ordered by the server's scores first; partial where others left
  /// the set meanwhile, so that an id may have been skipped.
  package func ids(in set: ItemSet, after cursor: Cursor?) async throws -> SyncIDPage {
    let parts = cursor?.rawValue.split(separator: ":").compactMap { Int64($0) } ?? []
    let (end, last) = parts.count == 2 ? (Int(parts[0]), Optional(parts[1])) : (0, nil)
    let start = max(0, end - overlap)
    let answer = try await headlines(in: set, skip: start)
    let (articles, bad) = answer.read()
    let ids = articles.compactMap(\.id.number)
    var page = SyncIDPage(ids: ids.map { String($0) }, isPartial: bad > 0)
    if let last { page.isPartial = page.isPartial || !ids.contains(last) }
    // A filter may have shortened the page.
    guard let final = ids.last, start + answer.count > end else { return page }
    if case .all(let since) = set, let oldest = articles.last?.updated?.number,
      Double(oldest)
        < (since ?? now().addingTimeInterval(-Self.history)).timeIntervalSince1970
    {
      return page
    }
    page.next = Cursor("\(start + answer.count):\(final)")
    return page
  }

  private func headlines(
    in set: ItemSet, skip: Int
  ) async throws -> TinyTinyRSSWire.List<TinyTinyRSSWire.Article> {
    let (feed, mode): (Int64, String) =
      switch set {
      case .all: (Place.all, "all_articles")
      case .unread: (Place.all, "unread")
      case .starred: (Place.starred, "all_articles")
      }
    return try await ask(
      "getHeadlines",
      [
        "feed_id": .number(feed), "view_mode": .text(mode), "limit": .number(Int64(pageSize)),
        "skip": .number(Int64(skip)), "show_content": .flag(false),
        "include_attachments": .flag(false), "show_excerpt": .flag(false),
        // By date, the newest first.
        "order_by": .text("feed_dates"),
      ], TinyTinyRSSWire.List<TinyTinyRSSWire.Article>.self, "a list of articles")
  }

  /// The server's own count.
  package func unreadCount() async throws -> Int? {
    try await ask("getUnread", [:], TinyTinyRSSWire.Unread.self, "a count").unread.number
      .map { Int($0) }
  }

  // MARK: - Articles

  package func items(_ ids: [String]) async throws -> ItemBatch {
    let ids = ids.compactMap { Int64($0) }
    guard !ids.isEmpty else { return ItemBatch(items: []) }
    let list = ids.map { String($0) }.joined(separator: ",")
    let (articles, bad) = try await ask(
      "getArticle", ["article_id": .text(list)],
      TinyTinyRSSWire.List<TinyTinyRSSWire.Article>.self, "articles"
    ).read()
    let wanted = Set(ids)
    return ItemBatch(
      items: articles.filter { $0.id.number.map(wanted.contains) ?? false }.compactMap(item),
      warnings: SyncAnswer.warnings(bad))
  }

  /// Nil for an article that was archived when its feed was removed.
  private func item(_ wire: TinyTinyRSSWire.Article) -> Item? {
    guard let feed = wire.feed_id?.number, feed > 0 else { return nil }
    var entry = SyncEntry(id: wire.id.text)
    entry.url = wire.link
    entry.title = wire.title
    entry.author = wire.author
    entry.html = wire.content
    entry.published = wire.updated?.date
    entry.commentsPage = wire.comments_link
    entry.enclosures = (wire.attachments ?? []).read().values.map {
      ($0.content_url, $0.content_type, nil)
    }
    return Item(
      feed: String(feed), entry: entry.entry(base: settings.base), isRead: !wire.unread.isSet,
      isStarred: wire.marked.isSet)
  }

  // MARK: - Marks

  package func mark(_ ids: [Int64], _ kind: Mark.Kind, _ isSet: Bool) async throws {
    let (field, mode): (Int64, Int64) =
      switch kind {
      case .starred: (0, isSet ? 1 : 0)
      // The field is that of unread.
      case .read: (2, isSet ? 0 : 1)
      }
    _ = try await ask(
      "updateArticle",
      [
        "article_ids": .text(ids.map { String($0) }.joined(separator: ",")),
        "field": .number(field), "mode": .number(mode),
      ], TinyTinyRSSWire.Done.self, "that it was marked", .slow)
  }

  // MARK: - Subscriptions

  package func subscriptions() async throws -> [Subscription] {
    let (categories, badCategories) = try await ask(
      "getCategories", ["unread_only": .flag(false), "enable_nested": .flag(false)],
      TinyTinyRSSWire.List<TinyTinyRSSWire.Category>.self, "the list of folders"
    ).read()
    let (feeds, badFeeds) = try await ask(
      "getFeeds", ["cat_id": .number(Place.ownFeeds), "unread_only": .flag(false)],
      TinyTinyRSSWire.List<TinyTinyRSSWire.Feed>.self, "the list of feeds"
    ).read()
    // 0 is no category, though it has a name.
    let names = Dictionary(
      categories.filter { ($0.id.number ?? 0) > 0 }.map { ($0.id.text, $0.title) }
    ) { first, _ in first }
    return try SyncAnswer.subscriptions(
      feeds.map {
        Subscription(
          listed: $0.id.text, at: $0.feed_url, $0.title, in: [$0.cat_id.flatMap { names[$0.text] }])
      }, badEntries: badCategories + badFeeds, base: settings.base)
  }

  package func subscribe(to url: String) async throws {
    let outcome = try await ask(
      "subscribeToFeed", ["feed_url": .text(url), "category_id": .number(0)],
      TinyTinyRSSWire.Subscribed.self, "that the feed was added", .once
    ).status
    guard let code = outcome.code.number, code > 1 else { return }
    let reason =
      switch code {
      case 2: "the server takes this for no address"
      case 3: "the server finds no feed at this address"
      case 4: "the server finds several feeds at this address"
      case 5: "the server cannot fetch this address"
      default: "the server cannot read this feed"
      }
    throw SourceError(
      .status, stage: .fetch, subject: WebAddress.redacted(url), message: reason,
      next: code == 4 ? "add the one that is meant by its own address" : "check the address",
      status: 422)
  }

  package func unsubscribe(_ id: String) async throws {
    guard let number = Int64(id) else { return }
    try await SourceError.passing([404]) {
      _ = try await ask(
        "unsubscribeFeed", ["feed_id": .number(number)], TinyTinyRSSWire.Done.self,
        "that the feed was removed", .slow)
    }
  }

  // MARK: - Calls

  private func ask<Content: Decodable & Sendable>(
    _ operation: String, _ arguments: [String: TinyTinyRSSWire.Argument],
    _ type: Content.Type, _ subject: String, _ pace: SyncTransfer.Pace = .quick
  ) async throws -> Content {
    do {
      return try await session.signing { session in
        var arguments = arguments
        arguments["sid"] = .text(session)
        return try await Self.call(operation, arguments, type, subject, pace, by: transfer)
      }
    } catch let error as HTTPError {
      throw SourceError(error, url: settings.base)
    }
  }

  private static func call<Content: Decodable & Sendable>(
    _ operation: String, _ arguments: [String: TinyTinyRSSWire.Argument], _ type: Content.Type,
    _ subject: String, _ pace: SyncTransfer.Pace = .quick, by transfer: SyncTransfer
  ) async throws -> Content {
    var arguments = arguments
    arguments["op"] = .text(operation)
    var request = HTTPRequest(
      .post, transfer.settings.base + "/", headers: ["Accept": "application/json"])
    let body = try HTTPBody.json(arguments)
    request.headers["Content-Type"] = body.contentType
    request.body = body.bytes
    // Idempotent calls may be repeated.
    if pace != .once { request.headers["Idempotency-Key"] = UUID().uuidString.lowercased() }
    return try await transfer.send(request, pace) { response in
      let head = try SyncAnswer.json(TinyTinyRSSWire.Head.self, in: response, subject)
      guard head.status.number == 0 else { throw problem(head.content?.error ?? "", operation) }
      return try SyncAnswer.json(TinyTinyRSSWire.Answer<Content>.self, in: response, subject)
        .content
    }
  }

  private static func problem(_ code: String, _ operation: String) -> SyncProblem {
    switch code {
    case "NOT_LOGGED_IN":
      SyncProblem(message: "has ended the session", next: "try again", status: 401)
    case "LOGIN_ERROR":
      SyncProblem(
        message: "does not take this name and password",
        next: "check the name and the password: telex login URL", status: 401)
    case "API_DISABLED":
      SyncProblem(
        message: "does not allow access by its API",
        next: "allow it in the preferences of Tiny Tiny RSS (Enable API)", status: 403)
    case "FEED_NOT_FOUND", "E_NOT_FOUND":
      SyncProblem(message: "has no such feed", next: "telex refresh reads its list", status: 404)
    case "UNKNOWN_METHOD":
      SyncProblem(
        message: "does not know \(operation)", next: "ask who runs the server to update it")
    default:
      SyncProblem(
        message: "refuses \(operation): \(PlainText.sanitized(String(code.prefix(80))))",
        next: "try again later", status: 422)
    }
  }
}
