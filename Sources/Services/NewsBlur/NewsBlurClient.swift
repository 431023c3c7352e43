internal import Foundation
package import HTTP
package import News
internal import Text

/// Account at NewsBlur, or at a server with its software, signed with a session cookie.
///
/// After the end of a session, reads return the data of a demonstration: the user of each answer is
/// checked first. Starring a starred story removes its tags: the server's state is read first.
/// Copies share the session.
package struct NewsBlurClient: PagedSyncClient {
  /// Stories in one answer, which omits others silently. As many marks are sent at once.
  package let limit = 100
  package var marksPerCall: Int { limit }
  package let edits: SubscriptionEdits = [.add, .remove, .rename, .file]
  /// The end of the cookie's name.
  private static let cookie = "sessionid"

  package let settings: SyncServerSettings
  private let transfer: SyncTransfer
  private let session: SyncToken
  /// The number of the user; nil before a sign-in.
  private let user = Locked<String?>(nil)

  package init(
    _ settings: SyncServerSettings, client: ResilientClient, password: @escaping PasswordLookup
  ) {
    self.settings = settings
    let transfer = SyncTransfer(settings: settings, client: client)
    self.transfer = transfer
    let user = user
    session = SyncToken(at: transfer.host, for: password, refusedBy: [401, 403]) {
      try await Self.signIn(settings.user, $0, by: transfer, user)
    }
  }

  private static func signIn(
    _ name: String, _ password: String, by transfer: SyncTransfer, _ user: Locked<String?>
  ) async throws -> String {
    let form = [("username", name), ("password", password)]
    let request = Self.request("/api/login", form: form, base: transfer.settings.base)
    return try await transfer.send(request, .slow) { response in
      let head = try SyncAnswer.json(NewsBlurWire.Head.self, in: response, "a sign-in")
      guard head.code?.number != -1, head.authenticated != false else {
        throw SyncProblem(
          message: "does not take this name and password", next: "check them", status: 401)
      }
      let cookie = response.head.headers.values(of: "Set-Cookie").map { $0.prefix { $0 != ";" } }
        .first { $0.prefix { $0 != "=" }.hasSuffix(Self.cookie) && $0.last != "=" }
      guard let cookie else {
        throw SyncProblem(message: "gives no session", next: "check that this is NewsBlur")
      }
      user.value = head.user_id?.text
      return String(cookie)
    }
  }

  package func signIn() async throws { _ = try await starred() }

  // MARK: - Ids

  /// One page: there is no list of all stories, only of unread and starred ones.
  package func ids(in set: ItemSet, after _: Cursor? = nil) async throws -> SyncIDPage {
    switch set {
    case .all: SyncIDPage(ids: [])
    case .unread:
      SyncIDPage(
        ids: try await read(
          "/reader/unread_story_hashes", NewsBlurWire.Unread.self, "a list of ids"
        ).unread_feed_story_hashes.values.flatMap(\.self))
    case .starred: SyncIDPage(ids: try await starred())
    }
  }

  private func starred() async throws -> [String] {
    try await read("/reader/starred_story_hashes", NewsBlurWire.Starred.self, "a list of ids")
      .starred_story_hashes
  }

  // MARK: - Stories

  package func items(_ ids: [String]) async throws -> ItemBatch {
    guard !ids.isEmpty else { return ItemBatch(items: []) }
    let wanted = Set(ids)
    // `include_hidden` adds the stories that the user has trained it to hide.
    let query =
      ids.map { "h=" + percentEncoded($0) }.joined(separator: "&") + "&include_hidden=true"
    let (stories, bad) = try await read(
      "/reader/river_stories?" + query, NewsBlurWire.Stories.self, "stories"
    ).stories.read()
    return ItemBatch(
      items: stories.filter { wanted.contains($0.story_hash) }.map(item),
      warnings: SyncAnswer.warnings(bad))
  }

  private func item(_ wire: NewsBlurWire.Story) -> Item {
    var entry = SyncEntry(id: wire.story_hash)
    entry.url = wire.story_permalink
    entry.title = wire.story_title
    entry.author = wire.story_authors
    entry.html = wire.story_content
    entry.published = wire.story_timestamp?.date
    entry.categories = wire.story_tags ?? []
    return Item(feed: wire.story_feed_id.text, entry: entry.entry(base: settings.base))
  }

  // MARK: - Marks

  package func mark(_ ids: [String], _ kind: Mark.Kind, _ isSet: Bool) async throws {
    guard !ids.isEmpty else { return }
    switch kind {
    case .read:
      try await write(
        isSet ? "/reader/mark_story_hashes_as_read" : "/reader/mark_story_hash_as_unread",
        ids.map { ("story_hash", $0) }, "that it was marked")
    case .starred:
      // Only of stories whose state differs at the server.
      let starred = Set(try await starred())
      let left = ids.filter { starred.contains($0) != isSet }
      guard !left.isEmpty else { return }
      try await write(
        isSet ? "/reader/mark_story_hash_as_starred" : "/reader/mark_story_hash_as_unstarred",
        left.map { ("story_hash", $0) }, "that it was starred", .once)
    }
  }

  // MARK: - Subscriptions

  package func subscriptions() async throws -> [Subscription] {
    let list = try await list()
    let folders = list.folders.byFeed
    let feeds = list.feeds.values.compactMap(\.value)
      .sorted { ($0.id.number ?? 0) < ($1.id.number ?? 0) }
    return try SyncAnswer.subscriptions(
      feeds.map {
        Subscription(
          listed: $0.id.text, at: $0.feed_address, $0.feed_title, page: $0.feed_link,
          in: folders[$0.id.text] ?? [])
      }, badEntries: list.feeds.count - feeds.count, base: settings.base)
  }

  private func list() async throws -> NewsBlurWire.Feeds {
    try await read(
      "/reader/feeds?flat=true&update_counts=false", NewsBlurWire.Feeds.self, "the list of feeds")
  }

  package func subscribe(to url: String) async throws {
    try await write(
      "/reader/add_url", [("url", url), ("folder", "")], "that the feed was added", .once)
  }

  package func unsubscribe(_ id: String) async throws {
    for folder in try await folders(of: id) {
      try await write(
        "/reader/delete_feed", [("feed_id", id), ("in_folder", folder)],
        "that the feed was removed")
    }
  }

  package func rename(_ id: String, _ title: String) async throws {
    try await write(
      "/reader/rename_feed", [("feed_id", id), ("feed_title", title)], "that it was renamed")
  }

  /// A feed moves from its folder to another, or to none.
  package func file(
    _ id: String, in folders: [String], from _: [String] = []
  ) async throws {
    let folder = folders.first
    let list = try await list().folders
    let target = folder ?? ""
    if let folder, list.names[folder] == nil {
      try await write(
        "/reader/add_folder", [("folder", folder), ("parent_folder", "")], "the new folder", .once)
    }
    guard let current = (list.byFeed[id] ?? [""]).first, current != target else { return }
    try await write(
      "/reader/move_feed_to_folder",
      [("feed_id", id), ("in_folder", current), ("to_folder", target)], "that it was moved")
  }

  /// The folders of a feed, the top as an empty name; none where the feed is missing.
  private func folders(of id: String) async throws -> [String] {
    let list = try await list()
    guard list.feeds[id] != nil else { return [] }
    return list.folders.byFeed[id] ?? [""]
  }

  // MARK: - Calls

  private func read<Wire: Decodable & Sendable>(
    _ path: String, _ type: Wire.Type, _ subject: String
  ) async throws -> Wire {
    try await call(
      HTTPRequest(.get, settings.base + path, headers: ["Accept": "application/json"]),
      .quick, type, subject)
  }

  private func write(
    _ path: String, _ form: [(String, String)], _ subject: String, _ pace: SyncTransfer.Pace = .slow
  ) async throws {
    _ = try await call(
      Self.request(path, form: form, base: settings.base), pace, NewsBlurWire.Done.self, subject)
  }

  private func call<Wire: Decodable & Sendable>(
    _ request: HTTPRequest, _ pace: SyncTransfer.Pace, _ type: Wire.Type, _ subject: String
  ) async throws -> Wire {
    let isForbidden = Locked(false)
    do {
      return try await session.signing { [user] cookie in
        var request = request
        request.headers["Cookie"] = cookie
        request.credentialHeaders += ["Cookie"]
        do {
          return try await transfer.send(request, pace) { response in
            try Self.answer(type, in: response, subject, user.value)
          }
        } catch var error as SourceError where error.status == 403 {
          // Writes without a session are refused.
          error.status = 401
          isForbidden.value = true
          throw error
        }
      }
    } catch var error as SourceError where error.status == 401 && isForbidden.value {
      // The refusal is not one of the session.
      error.status = 403
      throw error
    } catch let error as HTTPError {
      throw SourceError(error, url: settings.base)
    }
  }

  /// - Parameter user: the expected user; nil where it is unknown.
  private static func answer<Wire: Decodable>(
    _ type: Wire.Type, in response: HTTPResponse, _ subject: String, _ user: String?
  ) throws -> Wire {
    let head = try SyncAnswer.json(NewsBlurWire.Head.self, in: response, subject)
    guard head.authenticated == true, user == nil || head.user_id?.text == user else {
      throw SyncProblem(message: "has ended the session", next: "try again", status: 401)
    }
    guard head.code?.number != -1 else {
      let reason = head.message.map { ": " + PlainText.sanitized(String($0.prefix(200))) } ?? ""
      throw SyncProblem(message: "does not do that\(reason)", next: "try again later", status: 422)
    }
    return try SyncAnswer.json(type, in: response, subject)
  }

  private static func request(
    _ path: String, form: [(String, String)], base: String
  ) -> HTTPRequest {
    var fields = GoogleReaderForm()
    for (name, value) in form { fields.add(name, value) }
    var request = HTTPRequest(.post, base + path, headers: ["Accept": "application/json"])
    request.headers["Content-Type"] = fields.body.contentType
    request.body = fields.body.bytes
    return request
  }
}
