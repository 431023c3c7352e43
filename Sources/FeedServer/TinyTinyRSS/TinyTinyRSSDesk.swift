internal import Foundation

/// The JSON API of Tiny Tiny RSS (tt-rss/tt-rss, `classes/API.php`), at `/api/`. Every answer has status 200.
struct TinyTinyRSSDesk: SyncDesk {
  static let headlinesPerCall = 200

  let quirks: TinyTinyRSSQuirks
  var users: [String: SyncUser] = [:]
  /// Users by the ids of their sessions, with the calls that are left.
  private var sessions: [String: (user: String, left: Int?)] = [:]
  private var lastSession = 0

  init(quirks: TinyTinyRSSQuirks) { self.quirks = quirks }

  /// An error in the words of the API.
  private struct Failure: Error {
    var code: String
  }

  mutating func answer(
    to request: WireRequest, faults: [GoogleReaderFault], now: Date
  ) -> WireReply {
    guard request.path == "/api/" else {
      return WireReply(status: 404, type: FeedDesk.htmlType, text: "<!DOCTYPE html><p>Not here.")
    }
    let body = request.jsonMembers
    let (status, content): (Int64, JSONText)
    do {
      (status, content) = (0, try routed(body, faults))
    } catch {
      let code = (error as? Failure)?.code ?? "INCORRECT_USAGE"
      (status, content) = (1, .object([("error", .string(code))]))
    }
    return WireReply(
      headers: [("Content-Type", "application/json")],
      body: JSONText.object([
        ("seq", .number(body.number("seq") ?? 0)), ("status", .number(status)),
        ("content", content),
      ]).bytes)
  }

  private mutating func routed(
    _ body: [String: Any], _ faults: [GoogleReaderFault]
  ) throws -> JSONText {
    let operation = body.text("op") ?? ""
    switch operation {
    case "login": return try signIn(body)
    case "isLoggedIn":
      return .object([("status", .bool(body.text("sid").map { sessions[$0] != nil } ?? false))])
    default: break
    }
    let user = try user(of: body)
    guard quirks.isEnabled else { throw Failure(code: "API_DISABLED") }
    let library = users[user]?.library ?? GoogleReaderModel()
    switch operation {
    case "getUnread":
      return .object([("unread", .string(String(library.unread.count)))])
    case "getApiLevel": return .object([("level", .number(quirks.level))])
    case "getCategories": return .array(categories(of: library))
    case "getFeeds": return .array(library.feeds.map { feed($0, in: library) })
    case "getHeadlines": return headlines(body, library, faults)
    case "getArticle": return try articles(body, library, faults)
    case "updateArticle": return try mark(body, user, faults)
    case "subscribeToFeed": return subscribe(body, user)
    case "unsubscribeFeed":
      guard let feed = body.number("feed_id").flatMap({ library.feed(number: $0) }) else {
        throw Failure(code: "FEED_NOT_FOUND")
      }
      users[user]?.library.unsubscribe(from: feed.stream)
      return .object([("status", .string("OK"))])
    default: throw Failure(code: "UNKNOWN_METHOD")
    }
  }

  // MARK: - Sessions

  private mutating func signIn(_ body: [String: Any]) throws -> JSONText {
    guard let name = body.text("user"), let user = users[name],
      user.password == body.text("password")
    else { throw Failure(code: "LOGIN_ERROR") }
    guard quirks.isEnabled else { throw Failure(code: "API_DISABLED") }
    lastSession += 1
    let session = "session-\(lastSession)"
    sessions[session] = (name, quirks.callsPerSession)
    return .object([("session_id", .string(session)), ("api_level", .number(quirks.level))])
  }

  private mutating func user(of body: [String: Any]) throws -> String {
    guard let id = body.text("sid"), var session = sessions[id], session.left != 0 else {
      throw Failure(code: "NOT_LOGGED_IN")
    }
    session.left = session.left.map { $0 - 1 }
    sessions[id] = session
    return session.user
  }

  // MARK: - Reading

  private func number(_ number: Int64) -> JSONText {
    quirks.hasTextNumbers ? .string(String(number)) : .number(number)
  }

  private func categories(of library: GoogleReaderModel) -> [JSONText] {
    let own = library.folders.enumerated().map { ($0.offset + 1, $0.element) }
    return ([(0, "Uncategorized"), (-1, "Special")] + own).map { id, title in
      .object([("id", number(Int64(id))), ("title", .string(title)), ("unread", .number(0))])
    }
  }

  private func feed(_ feed: GoogleReaderModel.Feed, in library: GoogleReaderModel) -> JSONText {
    let category = feed.folders.first.flatMap { library.folders.firstIndex(of: $0) }
    return .object([
      ("id", number(feed.number)), ("feed_url", .string(feed.url)), ("title", .string(feed.title)),
      ("cat_id", number(Int64(category.map { $0 + 1 } ?? 0))), ("has_icon", .bool(false)),
    ])
  }

  private func headlines(
    _ body: [String: Any], _ library: GoogleReaderModel, _ faults: [GoogleReaderFault]
  ) -> JSONText {
    var all = library.items(in: body.number("feed_id") == -1 ? .starred : .all)
    if body.text("view_mode") == "unread" {
      all = all.filter { library.states[$0.id]?.isRead == false }
    }
    if body.text("order_by") == "feed_dates" { all.sort { $0.published > $1.published } }
    let limit = min(Int(body.number("limit") ?? 200), Self.headlinesPerCall)
    var page = Array(all.dropFirst(Int(body.number("skip") ?? 0)).prefix(limit))
    if faults.contains(.truncatedPage) { page = Array(page.prefix((page.count + 1) / 2)) }
    if faults.contains(.repeatedIDs) { page = page.flatMap { [$0, $0] } }
    var lines = page.map { article($0, library, withContent: false) }
    if faults.contains(.badItem) { lines.insert(.number(7), at: lines.count / 2) }
    return .array(lines)
  }

  private func articles(
    _ body: [String: Any], _ library: GoogleReaderModel, _ faults: [GoogleReaderFault]
  ) throws -> JSONText {
    let ids = ids(body.text("article_id"))
    guard !ids.isEmpty else { throw Failure(code: "INCORRECT_USAGE") }
    var found = ids.compactMap { library[$0] }.map { article($0, library, withContent: true) }
    if faults.contains(.badItem) { found.insert(.number(7), at: found.count / 2) }
    return .array(found)
  }

  private func ids(_ text: String?) -> [Int64] {
    (text ?? "").split(separator: ",").compactMap { Int64($0) }
  }

  private func article(
    _ item: GoogleReaderModel.Item, _ library: GoogleReaderModel, withContent: Bool
  ) -> JSONText {
    let state = library.states[item.id] ?? GoogleReaderModel.State()
    var members: [(String, JSONText)] = [
      ("id", number(item.id)), ("title", .string(item.title)), ("link", .string(item.url)),
      ("unread", .bool(!state.isRead)), ("marked", .bool(state.isStarred)),
      ("published", .bool(false)), ("author", .string(item.author)),
      ("updated", .number(item.published)),
      ("feed_id", number(library.feed(item.feed)?.number ?? 0)), ("score", .number(0)),
    ]
    if withContent {
      members += [
        ("content", .string(item.html)),
        (
          "attachments",
          .array(
            item.files.map { file in
              .object([
                ("content_url", .string(file.url)), ("content_type", .string(file.type)),
                ("duration", .string("")),
              ])
            })
        ),
      ]
    }
    return .object(members)
  }

  // MARK: - Writing

  private mutating func mark(
    _ body: [String: Any], _ user: String, _ faults: [GoogleReaderFault]
  ) throws -> JSONText {
    var ids = ids(body.text("article_ids"))
    let known = ids.filter { users[user]?.library[$0] != nil }
    guard !ids.isEmpty, !quirks.refusesUnknownMarks || known.count == ids.count,
      let mode = body.number("mode"), let field = body.number("field")
    else { throw Failure(code: "INCORRECT_USAGE") }
    if faults.contains(.halfMark) { ids = Array(ids.prefix((ids.count + 1) / 2)) }
    for id in ids {
      guard let state = users[user]?.library.states[id] else { continue }
      // The second field says unread; mode 2 switches.
      let (mark, isSet): (GoogleReaderModel.Mark, Bool)
      switch field {
      case 0: (mark, isSet) = (.starred, mode == 2 ? !state.isStarred : mode == 1)
      case 2: (mark, isSet) = (.read, mode == 2 ? !state.isRead : mode == 0)
      default: throw Failure(code: "INCORRECT_USAGE")
      }
      users[user]?.library.mark([id], adding: isSet ? [mark] : [], removing: isSet ? [] : [mark])
    }
    return .object([("status", .string("OK")), ("updated", number(Int64(known.count)))])
  }

  private mutating func subscribe(_ body: [String: Any], _ user: String) -> JSONText {
    let url = body.text("feed_url") ?? ""
    let code: Int64
    if !url.hasPrefix("http") {
      code = 2
    } else if url.hasSuffix("/page") {
      code = 4
    } else if users[user]?.library.feeds.contains(where: { $0.url == url }) == true {
      code = 0
    } else {
      users[user]?.library.subscribe(to: url)
      code = 1
    }
    return .object([("status", .object([("code", .number(code))]))])
  }
}
