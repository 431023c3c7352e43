internal import Foundation

/// Miniflux's own API (miniflux/v2, `internal/api`), below `/v1`.
struct MinifluxDesk: SyncDesk {
  static let idsPerPage = 10_000

  let quirks: MinifluxQuirks
  var users: [String: SyncUser] = [:]
  /// Titles of categories by user; the number of one is its place, from 1.
  private var categories: [String: [String]] = [:]

  init(quirks: MinifluxQuirks) { self.quirks = quirks }

  mutating func answer(
    to request: WireRequest, faults: [GoogleReaderFault], now: Date
  ) -> WireReply {
    do { return try routed(request, faults) } catch let refusal as SyncRefusal {
      return json(.object([("error_message", .string(refusal.text))]), status: refusal.status)
    } catch {
      return json(.object([("error_message", .string("\(error)"))]), status: 500)
    }
  }

  private static let notFound = SyncRefusal(status: 404, text: "Resource Not Found")
  private static func badRequest(_ text: String) -> SyncRefusal {
    SyncRefusal(status: 400, text: text)
  }

  private func json(_ value: JSONText, status: Int = 200) -> WireReply {
    WireReply(
      status: status, headers: [("Content-Type", "application/json")], body: value.bytes)
  }

  private mutating func routed(
    _ request: WireRequest, _ faults: [GoogleReaderFault]
  ) throws -> WireReply {
    let parts = request.path.split(separator: "/").map(String.init)
    guard parts.first == "v1", parts.count > 1 else { throw Self.notFound }
    guard let user = user(of: request) else {
      throw SyncRefusal(status: 401, text: "Access Unauthorized")
    }
    note(categoriesOf: user)
    switch (request.method, parts[1], parts.dropFirst(2).first, parts.count) {
    case ("GET", "me", nil, _):
      return json(.object([("id", .number(1)), ("username", .string(user))]))
    case ("GET", "version", nil, _):
      return json(.object([("version", .string(quirks.isRecent ? "2.3.3" : "2.2.0"))]))
    case ("GET", "feeds", nil, _):
      return json(.array(library(user).feeds.map { self.feed($0, user) }))
    case ("GET", "categories", nil, _):
      return json(.array((categories[user] ?? []).map { category($0, user) }))
    case ("GET", "entries", nil, _): return json(try entries(request, user, faults))
    case ("GET", "entries", "ids"?, 3) where quirks.isRecent:
      return json(try ids(request, user, faults))
    case ("GET", "entries", let id?, 3):
      guard let number = Int64(id), let item = library(user)[number] else { throw Self.notFound }
      return json(entry(item, user))
    case ("PUT", "entries", nil, _): return try mark(request.jsonMembers, user, faults)
    case ("PUT", "entries", let id?, 4) where parts[3] == "bookmark": return try toggle(id, user)
    case ("POST", "entries", let id?, 4) where parts[3] == "save":
      guard let number = Int64(id), library(user)[number] != nil else { throw Self.notFound }
      guard quirks.hasSaving else { throw Self.badRequest("no third-party integration enabled") }
      return WireReply(status: 202, type: "text/plain", text: "")
    default: return try editSubscriptions(request, parts, user)
    }
  }

  private func user(of request: WireRequest) -> String? {
    if let key = request.header("X-Auth-Token") {
      return users.first { !$0.value.key.isEmpty && $0.value.key == key }?.key
    }
    guard let (name, password) = request.basicCredentials, let user = users[name],
      user.password == password
    else { return nil }
    return name
  }

  private func library(_ user: String) -> GoogleReaderModel {
    users[user]?.library ?? GoogleReaderModel()
  }

  // MARK: - Reading

  private func matching(_ request: WireRequest, _ user: String) -> [GoogleReaderModel.Item] {
    let library = library(user)
    let statuses = request.queryValues("status")
    return library.items(in: .all).filter { item in
      let state = library.states[item.id] ?? GoogleReaderModel.State()
      if !statuses.isEmpty, !statuses.contains(state.isRead ? "read" : "unread") { return false }
      if let starred = request.query("starred"), state.isStarred != (starred == "true") {
        return false
      }
      if let id = request.queryNumber("after_entry_id"), id > 0, item.id <= id { return false }
      if let id = request.queryNumber("before_entry_id"), id > 0, item.id >= id { return false }
      return true
    }.sorted { $0.id > $1.id }
  }

  private func ids(
    _ request: WireRequest, _ user: String, _ faults: [GoogleReaderFault]
  ) throws -> JSONText {
    let all = matching(request, user)
    let limit = min(request.queryNumber("limit").map(Int.init) ?? 100, Self.idsPerPage)
    var page = Array(
      all.dropFirst(request.queryNumber("offset").map(Int.init) ?? 0).prefix(limit))
    if faults.contains(.truncatedPage) { page = Array(page.prefix((page.count + 1) / 2)) }
    if faults.contains(.repeatedIDs) { page = page.flatMap { [$0, $0] } }
    return .object([
      ("total", .number(Int64(all.count))),
      ("entry_ids", .array(page.map { .number($0.id) })),
    ])
  }

  private func entries(
    _ request: WireRequest, _ user: String, _ faults: [GoogleReaderFault]
  ) throws -> JSONText {
    guard ["asc", "desc"].contains(request.query("direction") ?? "asc") else {
      throw Self.badRequest("invalid direction")
    }
    var all = matching(request, user)
    if request.query("direction") != "desc" { all.reverse() }
    let asked = request.queryNumber("limit").map(Int.init) ?? 100
    var page = Array(all.prefix(min(asked, quirks.largestPage ?? asked)))
    if faults.contains(.truncatedPage) { page = Array(page.prefix((page.count + 1) / 2)) }
    var entries = page.map { entry($0, user) }
    if faults.contains(.badItem) { entries.insert(.number(7), at: entries.count / 2) }
    return .object([("total", .number(Int64(all.count))), ("entries", .array(entries))])
  }

  private func entry(_ item: GoogleReaderModel.Item, _ user: String) -> JSONText {
    let library = library(user)
    let state = library.states[item.id] ?? GoogleReaderModel.State()
    let created = Date(timeIntervalSince1970: Double(item.crawled) / 1_000_000).iso8601
    return .object([
      ("id", .number(item.id)), ("user_id", .number(1)),
      ("feed_id", .number(library.feed(item.feed)?.number ?? 0)),
      ("status", .string(state.isRead ? "read" : "unread")), ("hash", .string("\(item.id)")),
      ("title", .string(item.title)), ("url", .string(item.url)), ("comments_url", .string("")),
      (
        "published_at",
        .string(Date(timeIntervalSince1970: Double(item.published)).iso8601)
      ),
      ("created_at", .string(created)), ("changed_at", .string(created)),
      ("content", .string(item.html)), ("author", .string(item.author)),
      ("starred", .bool(state.isStarred)), ("tags", .strings(item.categories)),
      (
        "enclosures",
        .array(
          item.files.map { file in
            .object([
              ("url", .string(file.url)), ("mime_type", .string(file.type)),
              ("size", .number(file.length ?? 0)),
            ])
          })
      ),
    ])
  }

  private func feed(_ feed: GoogleReaderModel.Feed, _ user: String) -> JSONText {
    .object([
      ("id", .number(feed.number)), ("feed_url", .string(feed.url)),
      ("site_url", .string(feed.page)), ("title", .string(feed.title)),
      ("category", category(feed.folders.first ?? "All", user)),
    ])
  }

  // MARK: - Categories

  /// Every feed lies in a category; what the model has outside of its folders lies in the first.
  private mutating func note(categoriesOf user: String) {
    var titles = categories[user] ?? ["All"]
    for folder in library(user).folders where !titles.contains(folder) { titles.append(folder) }
    categories[user] = titles
  }

  private func category(_ title: String, _ user: String) -> JSONText {
    let index = categories[user]?.firstIndex(of: title) ?? 0
    return .object([("id", .number(Int64(index + 1))), ("title", .string(title))])
  }

  private func categoryTitle(_ number: Int64?, _ user: String) throws -> String? {
    guard let number else { return nil }
    guard let titles = categories[user], titles.indices.contains(Int(number) - 1) else {
      throw Self.badRequest("This category does not exist or does not belong to this user.")
    }
    return titles[Int(number) - 1]
  }

  // MARK: - Writing

  private mutating func mark(
    _ body: [String: Any], _ user: String, _ faults: [GoogleReaderFault]
  ) throws -> WireReply {
    var ids = body.numbers("entry_ids")
    guard !ids.isEmpty else { throw Self.badRequest("the list of entries is empty") }
    if quirks.failsOnUnknownMarks, ids.allSatisfy({ library(user)[$0] == nil }) {
      throw SyncRefusal(status: 500, text: "store: nothing has been updated")
    }
    if faults.contains(.halfMark) { ids = Array(ids.prefix((ids.count + 1) / 2)) }
    switch (body.text("status"), quirks.isRecent ? body["starred"] as? Bool : nil) {
    case ("read"?, _): users[user]?.library.mark(ids, adding: [.read])
    case ("unread"?, _): users[user]?.library.mark(ids, adding: [], removing: [.read])
    case (nil, true?): users[user]?.library.mark(ids, adding: [.starred])
    case (nil, false?): users[user]?.library.mark(ids, adding: [], removing: [.starred])
    default: throw Self.badRequest("invalid entry status")
    }
    return WireReply(status: 204)
  }

  private mutating func toggle(_ id: String, _ user: String) throws -> WireReply {
    guard let id = Int64(id), let state = library(user).states[id] else { throw Self.notFound }
    users[user]?.library.mark(
      [id], adding: state.isStarred ? [] : [.starred],
      removing: state.isStarred ? [.starred] : [])
    return WireReply(status: 204)
  }

  private mutating func editSubscriptions(
    _ request: WireRequest, _ parts: [String], _ user: String
  ) throws -> WireReply {
    let body = request.jsonMembers
    switch (request.method, parts[1], parts.count) {
    case ("POST", "categories", 2):
      guard let title = body.text("title"), !title.isEmpty else {
        throw Self.badRequest("The title is mandatory.")
      }
      guard categories[user]?.contains(title) == false else {
        throw Self.badRequest("This category already exists.")
      }
      categories[user, default: []].append(title)
      return json(category(title, user), status: 201)
    case ("POST", "feeds", 2):
      guard let url = body.text("feed_url"), url.hasPrefix("http") else {
        throw Self.badRequest("The feed URL is mandatory.")
      }
      guard !library(user).feeds.contains(where: { $0.url == url }) else {
        throw Self.badRequest("This feed already exists.")
      }
      let folder = try categoryTitle(body.number("category_id"), user)
      let feed = users[user]?.library.subscribe(to: url, folders: folder.map { [$0] } ?? [])
      return json(.object([("feed_id", .number(feed?.number ?? 0))]), status: 201)
    case ("PUT", "feeds", 3):
      let feed = try feed(parts[2], user)
      let folder = try categoryTitle(body.number("category_id"), user)
      users[user]?.library.change(feed.stream) { feed in
        if let title = body.text("title") { feed.title = title }
        if let folder { feed.folders = [folder] }
      }
      return json(self.feed(try self.feed(parts[2], user), user), status: 201)
    case ("DELETE", "feeds", 3):
      let feed = try feed(parts[2], user)
      users[user]?.library.unsubscribe(from: feed.stream)
      return WireReply(status: 204)
    default: throw Self.notFound
    }
  }

  private func feed(_ number: String, _ user: String) throws -> GoogleReaderModel.Feed {
    guard let number = Int64(number), let feed = library(user).feed(number: number) else {
      throw Self.notFound
    }
    return feed
  }
}
