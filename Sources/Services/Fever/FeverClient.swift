internal import Foundation
package import HTTP
package import News
internal import Text

/// Account at a server of the Fever API: unread and saved articles, and marks.
///
/// Each call asks for one thing, because some servers answer the first only. Copies share what is
/// known of the server.
package struct FeverClient: PagedSyncClient {
  /// The most articles of a call.
  package let limit = 50
  /// Most servers accept one mark a call.
  package let marksPerCall = 50
  package let edits: SubscriptionEdits = []
  /// Some servers list no more ids than this, without saying so.
  private static let listedIDs = 1_000

  package let settings: SyncServerSettings
  private let transfer: SyncTransfer
  private let password: @Sendable () async throws -> String?
  /// The version of the API; 0 before the first answer.
  private let version = Locked(0)
  /// Whether the address has a slash before the query; nil while that is unknown.
  private let takesSlash: Locked<Bool?>

  /// - Parameter settings: the base is the address of the API, without its query.
  package init(
    _ settings: SyncServerSettings, client: ResilientClient,
    password: @escaping PasswordLookup
  ) {
    self.settings = settings
    self.password = password
    transfer = SyncTransfer(settings: settings, client: client)
    takesSlash = Locked(settings.base.hasSuffix(".php") ? false : nil)
  }

  package func signIn() async throws { _ = try await ask("", FeverWire.Head.self, "a sign-in") }

  // MARK: - Ids

  /// One page: there is no list of all articles, only of unread and saved ones.
  package func ids(in set: ItemSet, after _: Cursor? = nil) async throws -> SyncIDPage {
    let text: String
    switch set {
    case .all: return SyncIDPage(ids: [])
    case .unread:
      text = try await ask("unread_item_ids", FeverWire.Unread.self, "a list of ids")
        .unread_item_ids.text
    case .starred:
      text = try await ask("saved_item_ids", FeverWire.Saved.self, "a list of ids")
        .saved_item_ids.text
    }
    let parts = text.split(separator: ",")
      .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    let ids = parts.filter(Self.isID)
    return SyncIDPage(ids: ids, isPartial: ids.count != parts.count || ids.count == Self.listedIDs)
  }

  private static func isID(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 20 && text.utf8.allSatisfy(\.isASCIIDigit)
  }

  // MARK: - Articles

  /// At most 50 articles. After a failure that smaller calls may avoid (CommaFeed fails for an
  /// unknown id), they are fetched one by one.
  package func items(_ ids: [String]) async throws -> ItemBatch {
    let ids = ids.filter(Self.isID)
    guard !ids.isEmpty else { return ItemBatch(items: []) }
    do { return try await batch(ids) } catch let error as SourceError
      where [400, 404, 500].contains(error.status)
    {
      // A server that answers at all fails because of one id.
      try await signIn()
      return try await itemsOneByOne(ids, error)
    }
  }

  /// Skips articles whose calls fail.
  ///
  /// - Throws: `error` where the first three do.
  private func itemsOneByOne(_ ids: [String], _ error: SourceError) async throws -> ItemBatch {
    var all = ItemBatch(items: [])
    var failures = 0
    for id in ids {
      do {
        let one = try await batch([id])
        all.items += one.items
        all.warnings += one.warnings
      } catch let single as SourceError where [400, 404, 500].contains(single.status) {
        failures += 1
        if failures > 2, all.items.isEmpty { throw error }
      }
    }
    return all
  }

  private func batch(_ ids: [String]) async throws -> ItemBatch {
    let list = ids.joined(separator: ",")
    let answer = try await ask("items&with_ids=\(list)", FeverWire.Items.self, "articles")
    let (items, bad) = (answer.items ?? []).read()
    return ItemBatch(items: items.map(item), warnings: SyncAnswer.warnings(bad))
  }

  private func item(_ wire: FeverWire.Item) -> Item {
    var entry = SyncEntry(id: wire.id.text)
    entry.url = wire.url
    entry.title = wire.title
    entry.author = wire.author
    entry.html = wire.html
    entry.published = wire.created_on_time?.date
    return Item(
      feed: wire.feed_id.text, entry: entry.entry(base: settings.base),
      isRead: wire.is_read.map { $0.number == 1 }, isStarred: wire.is_saved.map { $0.number == 1 })
  }

  // MARK: - Marks

  package func mark(_ ids: [String], _ kind: Mark.Kind, _ isSet: Bool) async throws {
    guard !ids.isEmpty else { return }
    switch kind {
    case .read: try await mark(ids, as: isSet ? "read" : "unread")
    case .starred:
      // At some servers both are one toggle: only necessary changes are sent, each once.
      let saved = Set(try await self.ids(in: .starred).ids)
      try await mark(ids.filter { saved.contains($0) != isSet }, as: isSet ? "saved" : "unsaved")
    }
  }

  /// Many a call since version 4, else one.
  private func mark(_ ids: [String], as state: String) async throws {
    let ids = ids.filter(Self.isID)
    guard !ids.isEmpty else { return }
    if version.value == 0 { try await signIn() }
    if version.value >= 4 {
      return try await send("mark=item&as=\(state)&with_ids=\(ids.joined(separator: ","))")
    }
    for id in ids { try await send("mark=item&as=\(state)&id=\(id)") }
  }

  private func send(_ mark: String) async throws {
    // A deleted article has no marks.
    try await SourceError.passing([404]) {
      _ = try await ask("", FeverWire.Head.self, "that it was marked", form: mark)
    }
  }

  // MARK: - Subscriptions

  package func subscriptions() async throws -> [Subscription] {
    let (groups, badGroups) = try await ask("groups", FeverWire.Groups.self, "the list of folders")
      .groups.read()
    let answer = try await ask("feeds", FeverWire.Feeds.self, "the list of feeds")
    let (feeds, badFeeds) = answer.feeds.read()
    let titles = Dictionary(groups.map { ($0.id.text, $0.title) }) { first, _ in first }
    var folders: [String: [String]] = [:]
    for membership in (answer.feeds_groups ?? []).read().values {
      guard let title = titles[membership.group_id.text] else { continue }
      for feed in membership.feed_ids.text.split(separator: ",") {
        folders[feed.trimmingCharacters(in: .whitespaces), default: []].append(title)
      }
    }
    return try SyncAnswer.subscriptions(
      feeds.map {
        Subscription(
          listed: $0.id.text, at: $0.url, $0.title, page: $0.site_url,
          in: folders[$0.id.text] ?? [])
      }, badEntries: badGroups + badFeeds, base: settings.base)
  }

  // MARK: - Calls

  /// - Parameters:
  ///   - query: follows `api`.
  ///   - form: a mark, beside the key.
  private func ask<Wire: Decodable & SendableMetatype>(
    _ query: String, _ type: Wire.Type, _ subject: String, form: String? = nil
  ) async throws -> Wire where Wire: Sendable {
    if takesSlash.value == nil {
      do {
        let answer = try await call(query, type, subject, form, slash: "/")
        takesSlash.value = true
        return answer
      } catch let error as SourceError where error.status == 404 || error.status == 405 {
        let answer = try await call(query, type, subject, form, slash: "")
        takesSlash.value = false
        return answer
      }
    }
    return try await call(query, type, subject, form, slash: takesSlash.value == true ? "/" : "")
  }

  private func call<Wire: Decodable & SendableMetatype>(
    _ query: String, _ type: Wire.Type, _ subject: String, _ form: String?, slash: String
  ) async throws -> Wire where Wire: Sendable {
    guard let password = try await password() else {
      throw SourceError(HTTPError.missingPassword(at: transfer.host), url: settings.base)
    }
    let key = MD5.hex(of: "\(settings.user):\(password)")
    var request = HTTPRequest(
      .post, settings.base + slash + "?api" + (query.isEmpty ? "" : "&" + query),
      headers: [
        "Accept": "application/json", "Content-Type": "application/x-www-form-urlencoded",
      ])
    request.body = Array(("api_key=\(key)" + (form.map { "&" + $0 } ?? "")).utf8)
    // A read changes nothing, so that it may be repeated.
    if form == nil { request.headers["Idempotency-Key"] = UUID().uuidString.lowercased() }
    let version = version
    return try await transfer.send(request, form == nil ? .quick : .once) { response in
      let head = try SyncAnswer.json(FeverWire.Head.self, in: response, subject)
      guard head.auth.number == 1 else {
        throw SyncProblem(
          message: "does not take this name and password",
          next: "many servers have a password of its own for the Fever API: telex login URL",
          status: 401)
      }
      if let number = head.api_version?.text.split(separator: ".").first.flatMap({ Int($0) }) {
        version.value = number
      }
      return try SyncAnswer.json(type, in: response, subject)
    }
  }
}
