internal import Foundation

/// The API of Nextcloud News, version 1.3 (nextcloud/news, `lib/Controller/*ApiController.php`), below
/// `/index.php/apps/news/api`.
struct NextcloudNewsDesk: SyncDesk {
  let quirks: NextcloudNewsQuirks
  var users: [String: SyncUser] = [:]
  /// Names of folders by user, in the order in which they were made; the number of one is its place, from 1.
  private var folders: [String: [String]] = [:]

  init(quirks: NextcloudNewsQuirks) { self.quirks = quirks }

  mutating func answer(
    to request: WireRequest, faults: [GoogleReaderFault], now: Date
  ) -> WireReply {
    do { return try routed(request, faults) } catch let refusal as SyncRefusal {
      return json(.object([("message", .string(refusal.text))]), status: refusal.status)
    } catch {
      return json(.object([("message", .string("\(error)"))]), status: 500)
    }
  }

  private static let notFound = SyncRefusal(status: 404, text: "Not found")

  private func json(_ value: JSONText, status: Int = 200) -> WireReply {
    WireReply(
      status: status, headers: [("Content-Type", "application/json; charset=utf-8")],
      body: value.bytes)
  }

  private mutating func routed(
    _ request: WireRequest, _ faults: [GoogleReaderFault]
  ) throws -> WireReply {
    let prefix = "/index.php/apps/news/api"
    guard request.path.hasPrefix(prefix) else { throw Self.notFound }
    let parts = request.path.dropFirst(prefix.count).split(separator: "/").map(String.init)
    guard let version = parts.first else {
      let levels = ["v1-2"] + (quirks.hasVersion13 ? ["v1-3"] : [])
      return json(.object([("apiLevels", .strings(levels))]))
    }
    guard version == "v1-3", quirks.hasVersion13 else { throw Self.notFound }
    guard let user = user(of: request) else {
      throw SyncRefusal(status: 401, text: "Current user is not logged in")
    }
    note(foldersOf: user)
    let route = Array(parts.dropFirst())
    switch (request.method, route.first, route.count) {
    case ("GET", "folders", 1):
      let all = (folders[user] ?? []).enumerated().filter { !$0.element.isEmpty }
      return json(
        .object([("folders", .array(all.map { folder($0.offset, $0.element) }))]))
    case ("GET", "feeds", 1): return json(feeds(user))
    case ("GET", "items", 1): return try items(request, user, faults)
    case ("POST", "items", 3) where route[2] == "multiple":
      return try mark(route[1], request.jsonMembers, user, faults)
    default: return try edit(request, route, user)
    }
  }

  private func user(of request: WireRequest) -> String? {
    guard let (name, password) = request.basicCredentials, let user = users[name],
      user.password == password
    else { return nil }
    return name
  }

  private func library(_ user: String) -> GoogleReaderModel {
    users[user]?.library ?? GoogleReaderModel()
  }

  // MARK: - Reading

  private func items(
    _ request: WireRequest, _ user: String, _ faults: [GoogleReaderFault]
  ) throws -> WireReply {
    let library = library(user)
    let type = request.queryNumber("type") ?? 3
    let withRead = ["true", "1", nil].contains(request.query("getRead"))
    if type == 2, !withRead {
      return json(.object([("message", .string("Starred items have no unread ones of their own"))]))
    }
    let isOldestFirst = ["true", "1"].contains(request.query("oldestFirst"))
    let offset = request.queryNumber("offset") ?? 0
    var all = library.items(in: .all).filter { item in
      let state = library.states[item.id] ?? GoogleReaderModel.State()
      if type == 2, !state.isStarred { return false }
      if !withRead, state.isRead { return false }
      return isOldestFirst ? item.id > offset : offset == 0 || item.id < offset
    }.sorted { isOldestFirst ? $0.id < $1.id : $0.id > $1.id }
    let asked = Int(request.queryNumber("batchSize") ?? -1)
    if asked > 0 { all = Array(all.prefix(min(asked, quirks.largestPage ?? asked))) }
    if faults.contains(.truncatedPage) { all = Array(all.prefix((all.count + 1) / 2)) }
    var items = all.map { item($0, library) }
    if faults.contains(.repeatedIDs) { items = items.flatMap { [$0, $0] } }
    if faults.contains(.badItem) { items.insert(.number(7), at: items.count / 2) }
    return json(.object([("items", .array(items))]))
  }

  private func item(_ item: GoogleReaderModel.Item, _ library: GoogleReaderModel) -> JSONText {
    let state = library.states[item.id] ?? GoogleReaderModel.State()
    return .object([
      ("id", .number(item.id)), ("guid", .string("guid-\(item.id)")),
      ("guidHash", .string("\(item.id)")), ("url", .string(item.url)),
      ("title", .string(item.title)),
      ("author", item.author.isEmpty ? .null : .string(item.author)),
      ("pubDate", .number(item.published)), ("body", .string(item.html)),
      ("enclosureMime", .optional(item.files.first?.type)),
      ("enclosureLink", .optional(item.files.first?.url)),
      ("feedId", .number(library.feed(item.feed)?.number ?? 0)),
      ("unread", .bool(!state.isRead)), ("starred", .bool(state.isStarred)),
      ("lastModified", .number(item.crawled / 1_000_000)),
      ("fingerprint", .string("print-\(item.id)")),
    ])
  }

  private func feeds(_ user: String) -> JSONText {
    let library = library(user)
    var count = quirks.miscount
    let feeds = library.feeds.map { feed -> JSONText in
      let unread = library.items(in: .feed(feed.stream)).count {
        library.states[$0.id]?.isRead == false
      }
      let folder = feed.folders.first.flatMap { folders[user]?.firstIndex(of: $0) }
      let (sum, isTooMany) = unread.addingReportingOverflow(count)
      defer { count = 0 }
      return .object([
        ("id", .number(feed.number)), ("url", .string(feed.url)), ("title", .string(feed.title)),
        ("link", .string(feed.page)), ("unreadCount", .number(isTooMany ? .max : Int64(sum))),
        ("folderId", folder.map { .number(Int64($0 + 1)) } ?? .null),
      ])
    }
    return .object([
      ("feeds", .array(feeds)), ("starredCount", .number(Int64(library.starred.count))),
      ("newestItemId", .number(library.items(in: .all).map(\.id).max() ?? 0)),
    ])
  }

  // MARK: - Folders

  private mutating func note(foldersOf user: String) {
    var names = folders[user] ?? []
    for folder in library(user).folders where !names.contains(folder) { names.append(folder) }
    folders[user] = names
  }

  private func folder(_ place: Int, _ name: String) -> JSONText {
    .object([("id", .number(Int64(place + 1))), ("name", .string(name))])
  }

  private func folderName(_ number: Int64?, _ user: String) throws -> String? {
    guard let number, number != 0 else { return nil }
    guard let names = folders[user], names.indices.contains(Int(number) - 1) else {
      throw Self.notFound
    }
    return names[Int(number) - 1]
  }

  // MARK: - Writing

  /// What is not there is passed over.
  private mutating func mark(
    _ action: String, _ body: [String: Any], _ user: String, _ faults: [GoogleReaderFault]
  ) throws -> WireReply {
    var ids = body.numbers("itemIds")
    if faults.contains(.halfMark) { ids = Array(ids.prefix((ids.count + 1) / 2)) }
    switch action {
    case "read": users[user]?.library.mark(ids, adding: [.read])
    case "unread": users[user]?.library.mark(ids, adding: [], removing: [.read])
    case "star": users[user]?.library.mark(ids, adding: [.starred])
    case "unstar": users[user]?.library.mark(ids, adding: [], removing: [.starred])
    default: throw Self.notFound
    }
    return json(.array([]))
  }

  private mutating func edit(
    _ request: WireRequest, _ route: [String], _ user: String
  ) throws -> WireReply {
    let body = request.jsonMembers
    switch (request.method, route.first, route.dropFirst(2).first, route.count) {
    case ("POST", "folders", nil, 1):
      guard let name = body.text("name"), !name.isEmpty else {
        throw SyncRefusal(status: 422, text: "Folder name is invalid")
      }
      guard folders[user]?.contains(name) != true else {
        throw SyncRefusal(status: 409, text: "Folder exists already")
      }
      folders[user, default: []].append(name)
      let place = (folders[user]?.count ?? 1) - 1
      return json(.object([("folders", .array([folder(place, name)]))]))
    case ("POST", "feeds", nil, 1):
      guard let url = body.text("url"), url.hasPrefix("http") else {
        throw SyncRefusal(status: 422, text: "Feed could not be added")
      }
      guard !library(user).feeds.contains(where: { $0.url == url }) else {
        throw SyncRefusal(status: 409, text: "Feed exists already")
      }
      let folder = try folderName(body.number("folderId"), user)
      users[user]?.library.subscribe(to: url, folders: folder.map { [$0] } ?? [])
      return json(feeds(user))
    case ("DELETE", "feeds", nil, 2):
      let stream = try feed(route[1], user).stream
      users[user]?.library.unsubscribe(from: stream)
      return json(.array([]))
    case ("POST", "feeds", "rename"?, 3):
      guard let title = body.text("feedTitle") else { throw Self.notFound }
      let stream = try feed(route[1], user).stream
      users[user]?.library.change(stream) { $0.title = title }
      return json(.array([]))
    case ("POST", "feeds", "move"?, 3):
      let folder = try folderName(body.number("folderId"), user)
      let stream = try feed(route[1], user).stream
      users[user]?.library.change(stream) {
        $0.folders = folder.map { [$0] } ?? []
      }
      return json(.array([]))
    case ("DELETE", "folders", nil, 2):
      // Its feeds go with it.
      guard let name = try folderName(Int64(route[1]), user) else { throw Self.notFound }
      for feed in library(user).feeds where feed.folders.contains(name) {
        users[user]?.library.unsubscribe(from: feed.stream)
      }
      if let place = folders[user]?.firstIndex(of: name) { folders[user]?[place] = "" }
      return json(.array([]))
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
