internal import HTTP
package import News
internal import Text

extension AccountService {
  static func googleReader(of product: GoogleReaderProduct) -> AccountService {
    var service = googleReader
    if product.keepsItemLabels { service.capabilities.insert(.labels) }
    service.dialect = product.rawValue
    return service
  }
}

extension GoogleReaderClient: SyncClient {
  /// - Parameter secret: looks up the text of a `GoogleReaderSecret`.
  init(
    _ settings: SyncServerSettings, of service: AccountService, client: ResilientClient,
    secret: @escaping PasswordLookup
  ) {
    let product = service.dialect.flatMap(GoogleReaderProduct.init(rawValue:)) ?? .other
    var settings = Settings(settings, product: product)
    settings.application = { try await secret().flatMap { GoogleReaderSecret($0).application } }
    self.init(settings, client: client) {
      try await secret().map { GoogleReaderSecret($0).password }
    }
  }

  /// Some servers have no call for the user; the list of subscriptions proves as much.
  package func signIn() async throws {
    let found = try await SourceError.passing([404, 501]) { try await user() }
    if found == nil { _ = try await subscriptionList() }
  }

  package func account(of service: AccountService) -> any AccountSource {
    SyncAccount(service: .googleReader(of: product), client: self)
  }

  package var labels: (any LabelSource)? {
    product.keepsItemLabels ? GoogleReaderLabels(client: self) : nil
  }

  // MARK: - Items

  package var limit: Int { product.contentsPerCall }

  package var listsArrivals: Bool { product.time == .crawled }

  package func walk(_ set: ItemSet) -> any ItemWalk {
    let query: GoogleReaderIDQuery =
      switch set {
      case .all(let since): GoogleReaderIDQuery(.readingList, since: since)
      case .unread: .unread
      case .starred: .starred
      }
    return GoogleReaderItemWalk(self, query)
  }

  package func mark(_ ids: [String], _ kind: Mark.Kind, _ isSet: Bool) async throws {
    try await mark(
      ids.compactMap { GoogleReaderItemID($0) }, kind == .read ? .read : .starred, isSet)
  }

  // MARK: - Subscriptions

  package func subscriptions() async throws -> [Subscription] {
    let list = try await subscriptionList()
    return try SyncAnswer.subscriptions(
      list.values, badEntries: list.badEntries, base: settings.server.base)
  }

  package var edits: SubscriptionEdits {
    product.keepsOneFolder
      ? [.add, .remove, .rename, .file] : [.add, .remove, .rename, .file, .manyFolders]
  }

  package func subscribe(to url: String) async throws { try await change(.subscribe(url: url)) }

  package func unsubscribe(_ id: String) async throws { try await change(.unsubscribe(id: id)) }

  package func rename(_ id: String, _ title: String) async throws {
    try await change(.rename(id: id, title: title))
  }

  /// Adds before it removes: many servers move a feed without a folder to a default one.
  package func file(_ id: String, in folders: [String], from former: [String]) async throws {
    var left = former.filter { !folders.contains($0) }
    for folder in folders where !former.contains(folder) {
      try await change(.move(id: id, to: folder, from: left.popLast()))
    }
    if product.keepsOneFolder, !folders.isEmpty { return }
    for folder in left { try await change(.move(id: id, to: nil, from: folder)) }
  }
}

/// Walk through the pages of a set of ids. Doubts about the set come with its last page.
struct GoogleReaderItemWalk: ItemWalk {
  private let client: GoogleReaderClient
  private let query: GoogleReaderIDQuery
  private var walk: GoogleReaderIDWalk
  private var step: GoogleReaderIDWalk.Step

  init(_ client: GoogleReaderClient, _ query: GoogleReaderIDQuery) {
    self.client = client
    self.query = query
    walk = GoogleReaderIDWalk(of: client.product, pageSize: client.product.idsPerPage)
    step = walk.begin()
  }

  mutating func next() async throws -> ItemIDPage? {
    guard case .ask(let continuation) = step else { return nil }
    let page = try await client.idPage(
      of: query, count: client.product.idsPerPage, after: continuation)
    let beginnings = walk.beginnings
    step = walk.received(page)
    let isDoubtful = if case .end(let set) = step { !set.isWhole } else { false }
    return ItemIDPage(
      ids: walk.removeIDs().map(\.text), isPartial: isDoubtful,
      beginsAnew: walk.beginnings > beginnings)
  }
}

/// A label is a stream of items, as a folder is: the items of a name that is both are unknown.
struct GoogleReaderLabels: LabelSource {
  let client: GoogleReaderClient

  var limit: Int { client.marksPerCall }

  var labelsPerSync: Int { client.product.labelsPerSync }

  func labels() async throws -> LabelList {
    let tags = try await client.tags()
    guard tags.isWhole else {
      throw SourceError(
        .decoding, stage: .parse, subject: WebAddress.redacted(client.settings.server.base),
        message: "\(tags.badEntries) entries of the list of labels could not be read",
        next: "try again later")
    }
    let folders = Set(tags.values.filter { $0.isFolder != false }.map(\.name))
    let names = Set(tags.values.filter { $0.isFolder == false }.map(\.name))
    return LabelList(
      names: names.subtracting(folders).filter { !$0.allSatisfy(\.isWhitespace) }, unclear: folders)
  }

  func walk(_ label: String) -> any ItemWalk {
    GoogleReaderItemWalk(client, GoogleReaderIDQuery(.label(label)))
  }

  func set(_ label: String, _ isSet: Bool, on ids: [String]) async throws {
    try await client.mark(ids.compactMap { GoogleReaderItemID($0) }, .label(label), isSet)
  }
}
