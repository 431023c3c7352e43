internal import Foundation

/// The API of NewsBlur (samuelclay/NewsBlur, `templates/static/api.yml`, `apps/reader/views.py`). Without a
/// session reads are answered with a library of nobody's.
struct NewsBlurDesk: SyncDesk {
  static let storiesPerCall = 100

  let quirks: NewsBlurQuirks
  var users: [String: SyncUser] = [:]
  /// Users by the ids of their sessions, with the calls that are left.
  private var sessions: [String: (user: String, left: Int?)] = [:]
  private var lastSession = 0
  /// Folders without a feed, by user.
  private var emptyFolders: [String: Set<String>] = [:]

  init(quirks: NewsBlurQuirks) { self.quirks = quirks }

  mutating func answer(
    to request: WireRequest, faults: [GoogleReaderFault], now: Date
  ) -> WireReply {
    let parameters = WireParameters(request)
    if request.path == "/api/login" { return signIn(parameters) }
    guard request.path.hasPrefix("/reader/") else {
      return WireReply(status: 404, type: FeedDesk.htmlType, text: "<!DOCTYPE html><p>Not here.")
    }
    let user = user(of: request)
    if request.method == "POST" {
      guard let user, !quirks.forbiddenRoutes.contains(String(request.path.dropFirst(8))) else {
        return WireReply(status: 403)
      }
      return write(String(request.path.dropFirst(8)), parameters, user, faults, now)
    }
    return read(String(request.path.dropFirst(8)), parameters, user, faults)
  }

  private func json(
    _ members: [(String, JSONText)], _ user: String?,
    _ headers: [(name: String, value: String)] = []
  ) -> WireReply {
    let identity = user.map { [("user_id", JSONText.number(number(of: $0)))] } ?? []
    return WireReply(
      headers: [("Content-Type", "application/json")] + headers,
      body: JSONText.object(
        members + [("result", .string("ok")), ("authenticated", .bool(user != nil))] + identity
      ).bytes)
  }

  private func number(of user: String) -> Int64 {
    Int64(users.keys.sorted().firstIndex(of: user) ?? 0) + 1
  }

  // MARK: - Sessions

  private mutating func signIn(_ parameters: WireParameters) -> WireReply {
    guard let name = parameters["username"], let user = users[name],
      user.password == parameters["password"]
    else {
      return json(
        [
          ("code", .number(-1)),
          ("errors", .object([("__all__", .strings(["Whoopsy-daisy, wrong password."]))])),
        ], nil)
    }
    lastSession += 1
    let session = "session\(lastSession)"
    sessions[session] = (name, quirks.callsPerSession)
    return json(
      [("code", .number(1))], name,
      [
        ("Set-Cookie", "csrftoken=none; Path=/"),
        ("Set-Cookie", "newsblur_sessionid=\(session); HttpOnly; Path=/; Max-Age=31449600"),
      ])
  }

  private mutating func user(of request: WireRequest) -> String? {
    let cookies = (request.header("Cookie") ?? "").split(separator: ";")
      .map { $0.trimmingCharacters(in: .whitespaces) }
    guard
      let id = cookies.first(where: { $0.hasPrefix("newsblur_sessionid=") })?
        .dropFirst("newsblur_sessionid=".count), var session = sessions[String(id)],
      session.left != 0
    else { return nil }
    session.left = session.left.map { $0 - 1 }
    sessions[String(id)] = session
    return session.user
  }

  /// What is shown to who is not signed in.
  private static let demonstration: GoogleReaderModel = {
    var library = GoogleReaderModel()
    let feed = library.subscribe(to: "https://demo.example/feed", title: "The NewsBlur Blog")
    library.insert(
      GoogleReaderModel.Item(
        id: 9_001, feed: feed.stream, title: "Welcome", published: 1_700_000_000, crawled: 1))
    return library
  }()

  private func library(_ user: String?) -> GoogleReaderModel {
    user.map { users[$0]?.library ?? GoogleReaderModel() } ?? Self.demonstration
  }

  // MARK: - Reading

  private func hash(_ item: GoogleReaderModel.Item) -> String {
    "\(item.feed.dropFirst("feed/".count)):\(String(item.id, radix: 16))"
  }

  private func id(_ hash: String) -> Int64? {
    hash.split(separator: ":").last.flatMap { Int64($0, radix: 16) }
  }

  private func read(
    _ route: String, _ parameters: WireParameters, _ user: String?, _ faults: [GoogleReaderFault]
  ) -> WireReply {
    let library = library(user)
    switch route {
    case "feeds": return json(feeds(library, user), user)
    case "unread_story_hashes":
      let lists = library.feeds.map { feed in
        let unread = library.items(in: .feed(feed.stream)).filter {
          library.states[$0.id]?.isRead == false
        }
        return (String(feed.number), JSONText.strings(unread.map(hash)))
      }
      return json([("unread_feed_story_hashes", .object(lists))], user)
    case "starred_story_hashes":
      return json(
        [("starred_story_hashes", .strings(library.items(in: .starred).map(hash)))], user)
    case "river_stories":
      let wanted = parameters.all("h").prefix(Self.storiesPerCall).compactMap(id)
      let withHidden = parameters["include_hidden"] == "true"
      var stories = wanted.compactMap { library[$0] }
        .filter { withHidden || !quirks.hiddenStories.contains($0.id) }
        .map { story($0, library) }
      if faults.contains(.badItem) { stories.insert(.number(7), at: stories.count / 2) }
      return json([("stories", .array(stories))], user)
    default: return WireReply(status: 404)
    }
  }

  private func story(
    _ item: GoogleReaderModel.Item, _ library: GoogleReaderModel
  ) -> JSONText {
    .object([
      ("story_hash", .string(hash(item))),
      ("story_feed_id", .number(library.feed(item.feed)?.number ?? 0)),
      ("story_title", .string(item.title)), ("story_permalink", .string(item.url)),
      ("story_authors", .string(item.author)), ("story_content", .string(item.html)),
      ("story_timestamp", .string(String(item.published))),
      ("story_tags", .strings(item.categories)),
      // Whatever it is.
      ("read_status", .number(0)),
    ])
  }

  private func feeds(_ library: GoogleReaderModel, _ user: String?) -> [(String, JSONText)] {
    let feeds = library.feeds.map { feed in
      (
        String(feed.number),
        JSONText.object([
          ("id", .number(feed.number)), ("feed_address", .string(feed.url)),
          ("feed_title", .string(feed.title)), ("feed_link", .string(feed.page)),
        ])
      )
    }
    let names = library.folders + (user.flatMap { emptyFolders[$0] } ?? []).sorted()
    let lists = names.map { name in
      (name, library.feeds.filter { $0.folders.contains(name) }.map { JSONText.number($0.number) })
    }
    let top = library.feeds.filter(\.folders.isEmpty).map { JSONText.number($0.number) }
    guard quirks.nestsFolders else {
      return [
        ("feeds", .object(feeds)),
        (
          "flat_folders",
          .object([(" ", .array(top))] + lists.map { ($0.0, JSONText.array($0.1)) })
        ),
      ]
    }
    return [
      ("feeds", .object(feeds)),
      ("folders", .array(top + lists.map { .object([($0.0, .array($0.1))]) })),
    ]
  }

  // MARK: - Writing

  private mutating func write(
    _ route: String, _ parameters: WireParameters, _ user: String, _ faults: [GoogleReaderFault],
    _ now: Date
  ) -> WireReply {
    var ids = parameters.all("story_hash").compactMap(id)
    if faults.contains(.halfMark) { ids = Array(ids.prefix((ids.count + 1) / 2)) }
    switch route {
    case "mark_story_hashes_as_read": users[user]?.library.mark(ids, adding: [.read])
    case "mark_story_hash_as_unread":
      if let time = quirks.unreadTime,
        ids.contains(where: {
          Double(library(user)[$0]?.published ?? 0) < now.timeIntervalSince1970 - Double(time)
        })
      {
        return refusal("Story is too old to be marked as unread.", user)
      }
      users[user]?.library.mark(ids, adding: [], removing: [.read])
    case "mark_story_hash_as_starred":
      // Its tags are those that came with it: none.
      for id in ids {
        let labels = library(user).states[id]?.labels ?? []
        let old = labels.subtracting(parameters.all("user_tags")).map(GoogleReaderModel.Mark.label)
        users[user]?.library.mark([id], adding: [.starred], removing: old)
      }
    case "mark_story_hash_as_unstarred":
      users[user]?.library.mark(ids, adding: [], removing: [.starred])
    default: return edit(route, parameters, user)
    }
    return json([("code", .number(1))], user)
  }

  private func refusal(_ message: String, _ user: String) -> WireReply {
    json([("code", .number(-1)), ("message", .string(message))], user)
  }

  private mutating func edit(
    _ route: String, _ parameters: WireParameters, _ user: String
  ) -> WireReply {
    if route == "add_url" {
      guard let url = parameters["url"], url.hasPrefix("http") else {
        return refusal("Enter in the website address or the feed URL.", user)
      }
      users[user]?.library.subscribe(to: url)
      return json([("code", .number(1))], user)
    }
    if route == "add_folder" {
      if let name = parameters["folder"] { emptyFolders[user, default: []].insert(name) }
      return json([("code", .number(1))], user)
    }
    guard
      let feed = parameters["feed_id"].flatMap({ Int64($0) })
        .flatMap({ library(user).feed(number: $0) })
    else { return refusal("Feed not found.", user) }
    switch route {
    case "delete_feed": users[user]?.library.unsubscribe(from: feed.stream)
    case "rename_feed":
      users[user]?.library.change(feed.stream) { $0.title = parameters["feed_title"] ?? $0.title }
    case "move_feed_to_folder":
      let (old, new) = (parameters["in_folder"] ?? "", parameters["to_folder"] ?? "")
      let isKnown =
        new.isEmpty || library(user).folders.contains(new)
        || emptyFolders[user]?.contains(new) == true
      guard isKnown, old.isEmpty == feed.folders.isEmpty, old.isEmpty || feed.folders.contains(old)
      else { return refusal("Folder not found.", user) }
      emptyFolders[user]?.remove(new)
      users[user]?.library.change(feed.stream) { feed in
        feed.folders.removeAll { $0 == old }
        if !new.isEmpty { feed.folders.append(new) }
      }
    default: return WireReply(status: 404)
    }
    return json([("code", .number(1))], user)
  }
}
