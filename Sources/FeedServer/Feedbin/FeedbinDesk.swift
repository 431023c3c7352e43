internal import Foundation

/// Feedbin's API, version 2 (feedbin/feedbin-api, `content/*.md`), below `/v2`.
struct FeedbinDesk: SyncDesk {
  static let entriesPerPage = 100
  static let idsPerCall = 1_000
  /// What lies between the number of a feed and that of its subscription.
  private static let subscriptionOffset: Int64 = 5_000

  let quirks: FeedbinQuirks
  var users: [String: SyncUser] = [:]

  mutating func answer(
    to request: WireRequest, faults: [GoogleReaderFault], now: Date
  ) -> WireReply {
    do { return try routed(request, faults) } catch let refusal as SyncRefusal {
      return json(
        .object([("status", .number(Int64(refusal.status))), ("message", .string(refusal.text))]),
        status: refusal.status)
    } catch {
      return json(.object([("message", .string("\(error)"))]), status: 500)
    }
  }

  private static let notFound = SyncRefusal(status: 404, text: "Not Found")

  private func json(
    _ value: JSONText, status: Int = 200, _ headers: [(String, String)] = []
  ) -> WireReply {
    WireReply(
      status: status, headers: [("Content-Type", "application/json; charset=utf-8")] + headers,
      body: value.bytes)
  }

  private mutating func routed(
    _ request: WireRequest, _ faults: [GoogleReaderFault]
  ) throws -> WireReply {
    let parts = request.path.split(separator: "/").map(String.init)
    guard parts.first == "v2", parts.count > 1 else { throw Self.notFound }
    guard let user = user(of: request) else {
      throw SyncRefusal(status: 401, text: "HTTP Basic: Access denied.")
    }
    let route = parts.dropFirst().joined(separator: "/")
    if request.method == "GET" { return try read(route, request, user, faults) }
    if !request.body.isEmpty,
      request.header("Content-Type") != "application/json; charset=utf-8"
    {
      throw SyncRefusal(status: 415, text: "Unsupported Media Type")
    }
    return try write(request.method, route, request, user, faults)
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

  private func read(
    _ route: String, _ request: WireRequest, _ user: String, _ faults: [GoogleReaderFault]
  ) throws -> WireReply {
    let library = library(user)
    switch route {
    case "authentication.json": return json(.object([]))
    case "subscriptions.json": return json(.array(library.feeds.map(subscription)))
    case "taggings.json": return json(.array(taggings(user).map(\.json)))
    case "unread_entries.json": return json(ids(library.unread, faults))
    case "starred_entries.json": return json(ids(library.starred, faults))
    case "entries.json": return try entries(request, user, faults)
    default:
      let parts = route.split(separator: "/")
      guard parts.count == 2, parts[0] == "subscriptions",
        let number = Int64(parts[1].replacing(".json", with: ""))
      else { throw Self.notFound }
      return json(subscription(try feed(ofSubscription: number, user)))
    }
  }

  private func ids(_ ids: Set<Int64>, _ faults: [GoogleReaderFault]) -> JSONText {
    var ids = ids.sorted()
    if faults.contains(.repeatedIDs) { ids = ids.flatMap { [$0, $0] } }
    return .array(ids.map { .number($0) })
  }

  private func entries(
    _ request: WireRequest, _ user: String, _ faults: [GoogleReaderFault]
  ) throws -> WireReply {
    var all = Array(library(user).items(in: .all))
    if let wanted = request.query("ids") {
      let ids = Set(
        wanted.split(separator: ",").prefix(Self.entriesPerPage).compactMap { Int64($0) })
      all = all.filter { ids.contains($0.id) }
      if faults.contains(.truncatedPage) { all = Array(all.prefix((all.count + 1) / 2)) }
      var entries = all.map { entry($0, request) }
      if faults.contains(.badItem) { entries.insert(.number(7), at: entries.count / 2) }
      return json(.array(entries))
    }
    if let text = request.query("since") {
      guard text.count == 27, let since = Self.moment(text) else {
        throw SyncRefusal(status: 400, text: "invalid since")
      }
      all = all.filter { Double($0.crawled) / 1_000_000 > since }
    }
    let size = Int(request.queryNumber("per_page") ?? 100)
    let number = Int(request.queryNumber("page") ?? 1)
    let page = Array(all.dropFirst((number - 1) * size).prefix(size))
    guard number == 1 || !page.isEmpty else { throw Self.notFound }
    var headers = [("X-Feedbin-Record-Count", String(all.count))]
    if number * size < all.count {
      headers.append(("Links", "<\(request.path)?page=\(number + 1)>; rel=\"next\""))
    }
    return json(.array(page.map { entry($0, request) }), headers)
  }

  /// The seconds of a moment with six decimals.
  private static func moment(_ text: String) -> Double? {
    guard let whole = try? Date(String(text.prefix(19)) + "Z", strategy: .iso8601),
      let fraction = Double("0." + text.dropFirst(20).prefix(6))
    else { return nil }
    return whole.timeIntervalSince1970 + fraction
  }

  private func entry(_ item: GoogleReaderModel.Item, _ request: WireRequest) -> JSONText {
    let created = Date(timeIntervalSince1970: Double(item.crawled) / 1_000_000).iso8601
    var members: [(String, JSONText)] = [
      ("id", .number(item.id)),
      ("feed_id", .number(Int64(item.feed.dropFirst("feed/".count)) ?? 0)),
      ("title", item.title.isEmpty ? .null : .string(item.title)), ("url", .string(item.url)),
      ("author", item.author.isEmpty ? .null : .string(item.author)),
      ("content", .string(item.html)), ("summary", .string("")),
      ("published", .string(Date(timeIntervalSince1970: Double(item.published)).iso8601)),
      ("created_at", .string(created)),
    ]
    if request.query("include_enclosure") == "true", let file = item.files.first {
      members.append(
        (
          "enclosure",
          .object([
            ("enclosure_url", .string(file.url)), ("enclosure_type", .string(file.type)),
            ("enclosure_length", .string(String(file.length ?? 0))),
          ])
        ))
    }
    return .object(members)
  }

  private func subscription(_ feed: GoogleReaderModel.Feed) -> JSONText {
    .object([
      ("id", .number(feed.number + Self.subscriptionOffset)), ("feed_id", .number(feed.number)),
      ("title", .string(feed.title)), ("feed_url", .string(feed.url)),
      ("site_url", .string(feed.page)),
    ])
  }

  private struct Tagging {
    var id: Int64
    var feed: GoogleReaderModel.Feed
    var name: String

    var json: JSONText {
      .object([("id", .number(id)), ("feed_id", .number(feed.number)), ("name", .string(name))])
    }
  }

  private func taggings(_ user: String) -> [Tagging] {
    let library = library(user)
    return library.feeds.flatMap { feed in
      feed.folders.map { name in
        let place = library.folders.firstIndex(of: name) ?? 0
        return Tagging(id: feed.number * 100 + Int64(place), feed: feed, name: name)
      }
    }
  }

  // MARK: - Writing

  private mutating func write(
    _ method: String, _ route: String, _ request: WireRequest, _ user: String,
    _ faults: [GoogleReaderFault]
  ) throws -> WireReply {
    let isRemoval = method == "DELETE" || route.hasSuffix("/delete.json")
    switch route {
    case "unread_entries.json", "unread_entries/delete.json":
      return try mark(
        try markedIDs("unread_entries", method, request, faults), user,
        isRemoval ? [.read] : [], isRemoval ? [] : [.read])
    case "starred_entries.json", "starred_entries/delete.json":
      return try mark(
        try markedIDs("starred_entries", method, request, faults), user,
        isRemoval ? [] : [.starred], isRemoval ? [.starred] : [])
    case "subscriptions.json" where method == "POST": return try subscribe(request, user)
    case "taggings.json" where method == "POST": return try addTagging(request, user)
    default: return try edit(method, route, request, user)
    }
  }

  private func markedIDs(
    _ member: String, _ method: String, _ request: WireRequest, _ faults: [GoogleReaderFault]
  ) throws -> [Int64] {
    let body = method == "DELETE" && quirks.dropsBodiesOfDelete ? [:] : request.jsonMembers
    let ids = body.numbers(member)
    guard ids.count <= Self.idsPerCall else {
      throw SyncRefusal(status: 400, text: "Please limit requests to 1,000 entries")
    }
    return faults.contains(.halfMark) ? Array(ids.prefix((ids.count + 1) / 2)) : ids
  }

  private mutating func mark(
    _ ids: [Int64], _ user: String, _ adding: [GoogleReaderModel.Mark],
    _ removing: [GoogleReaderModel.Mark]
  ) throws -> WireReply {
    let known = ids.filter { library(user)[$0] != nil && !quirks.foreignEntries.contains($0) }
    users[user]?.library.mark(known, adding: adding, removing: removing)
    return json(.array(known.map { .number($0) }))
  }

  private mutating func subscribe(_ request: WireRequest, _ user: String) throws -> WireReply {
    guard let url = request.jsonMembers.text("feed_url"), url.hasPrefix("http") else {
      throw Self.notFound
    }
    if quirks.pagesWithFeeds.contains(url) {
      return json(
        .array(
          ["atom", "rss"].map { kind in
            .object([("feed_url", .string(url + "/" + kind)), ("title", .string(kind))])
          }), status: 300)
    }
    if let feed = library(user).feeds.first(where: { $0.url == url }) {
      return json(subscription(feed), status: 302, [("Location", location(of: feed))])
    }
    guard let feed = users[user]?.library.subscribe(to: url) else { throw Self.notFound }
    return json(subscription(feed), status: 201, [("Location", location(of: feed))])
  }

  private func location(of feed: GoogleReaderModel.Feed) -> String {
    "/v2/subscriptions/\(feed.number + Self.subscriptionOffset).json"
  }

  private mutating func addTagging(_ request: WireRequest, _ user: String) throws -> WireReply {
    let body = request.jsonMembers
    guard let name = body.text("name"), !name.isEmpty,
      let feed = body.number("feed_id").flatMap({ library(user).feed(number: $0) })
    else { throw Self.notFound }
    let isNew = !feed.folders.contains(name)
    if isNew { users[user]?.library.change(feed.stream) { $0.folders.append(name) } }
    let tagging = taggings(user).first { $0.feed.stream == feed.stream && $0.name == name }
    return json(tagging?.json ?? .null, status: isNew ? 201 : 302)
  }

  private mutating func edit(
    _ method: String, _ route: String, _ request: WireRequest, _ user: String
  ) throws -> WireReply {
    let parts = route.split(separator: "/").map(String.init)
    guard parts.count > 1,
      let number = Int64(parts[1].replacing(".json", with: ""))
    else { throw Self.notFound }
    switch (method, parts[0], parts.dropFirst(2).first) {
    case ("POST", "subscriptions", "update.json"?):
      let feed = try feed(ofSubscription: number, user)
      guard let title = request.jsonMembers.text("title") else { throw Self.notFound }
      users[user]?.library.change(feed.stream) { $0.title = title }
      return json(subscription(try self.feed(ofSubscription: number, user)))
    case ("DELETE", "subscriptions", nil):
      let feed = try feed(ofSubscription: number, user)
      users[user]?.library.unsubscribe(from: feed.stream)
      return WireReply(status: 204)
    case ("DELETE", "taggings", nil):
      guard let tagging = taggings(user).first(where: { $0.id == number }) else {
        throw Self.notFound
      }
      users[user]?.library.change(tagging.feed.stream) { feed in
        feed.folders.removeAll { $0 == tagging.name }
      }
      return WireReply(status: 204)
    default: throw Self.notFound
    }
  }

  private func feed(
    ofSubscription number: Int64, _ user: String
  ) throws -> GoogleReaderModel.Feed {
    guard let feed = library(user).feed(number: number - Self.subscriptionOffset) else {
      throw Self.notFound
    }
    return feed
  }
}
