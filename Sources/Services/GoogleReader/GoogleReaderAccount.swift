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

extension GoogleReaderClient: AccountClient {
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
  func signIn() async throws {
    let found = try await SourceError.passing([404, 501]) { try await user() }
    if found == nil { _ = try await subscriptions() }
  }

  func account(of service: AccountService) -> any AccountSource {
    GoogleReaderAccount(client: self)
  }
}

/// Account at a server of the Google Reader API.
package struct GoogleReaderAccount: AccountSource {
  let client: GoogleReaderClient

  package init(client: GoogleReaderClient) { self.client = client }

  package var service: AccountService { .googleReader(of: client.product) }

  package func pages(
    of feed: Feed, report: @escaping @Sendable (SourceEvent) -> Void
  ) -> any PageSource { FailingPages(error: .synced(feed)) }

  package var items: (any ItemSource)? { GoogleReaderItems(client: client) }
  package var marks: (any MarkSink)? { GoogleReaderMarks(client: client) }
  package var subscriptions: (any SubscriptionSource)? { GoogleReaderSubscriptions(client: client) }
  package var labels: (any LabelSource)? {
    client.product.keepsItemLabels ? GoogleReaderLabels(client: client) : nil
  }
}

struct GoogleReaderItems: ItemSource {
  let client: GoogleReaderClient

  var limit: Int { client.product.contentsPerCall }

  var listsArrivals: Bool { client.product.time == .crawled }

  func walk(_ set: ItemSet) -> any ItemWalk {
    let query: GoogleReaderIDQuery =
      switch set {
      case .all(let since): GoogleReaderIDQuery(.readingList, since: since)
      case .unread: .unread
      case .starred: .starred
      }
    return GoogleReaderItemWalk(client, query)
  }

  func unreadCount() async throws -> Int? {
    try await client.unreadCounts()?.values.first { $0.stream == .readingList }?.count
  }

  var warning: String? { client.quotaWarning }

  func items(_ ids: [String]) async throws -> ItemBatch {
    let contents = try await client.contents(of: ids.compactMap(GoogleReaderItemID.init))
    return ItemBatch(
      items: contents.items.compactMap { item in
        item.feed.map {
          Item(feed: $0, entry: item.entry, isRead: item.isRead, isStarred: item.isStarred)
        }
      },
      warnings: SyncAnswer.warnings(contents.badEntries))
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

struct GoogleReaderMarks: MarkSink {
  let client: GoogleReaderClient

  var limit: Int { client.marksPerCall }

  func send(_ marks: [EntryMark]) async throws {
    for (mark, ids) in marks.byMark {
      try await client.mark(
        ids.compactMap { GoogleReaderItemID($0) }, mark.kind == .read ? .read : .starred, mark.isSet
      )
    }
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

struct GoogleReaderSubscriptions: SubscriptionSource {
  let client: GoogleReaderClient

  func subscriptions() async throws -> [Subscription] {
    let list = try await client.subscriptions()
    return try SyncAnswer.subscriptions(
      list.values.map { subscription in
        Subscription(
          url: subscription.url ?? subscription.id, id: subscription.id, title: subscription.title,
          link: subscription.page, folders: subscription.folders)
      }, badEntries: list.badEntries, base: client.settings.server.base)
  }

  var edits: SubscriptionEdits {
    client.product.keepsOneFolder
      ? [.add, .remove, .rename, .file] : [.add, .remove, .rename, .file, .manyFolders]
  }

  func perform(_ change: SubscriptionChange, on subject: Subscription?) async throws {
    switch (change.kind, subject?.id ?? change.id) {
    case (.add, _): try await client.change(.subscribe(url: change.url))
    case (.remove, let id?): try await client.change(.unsubscribe(id: id))
    case (.rename(let title), let id?): try await client.change(.rename(id: id, title: title))
    case (.file(let folders), let id?): try await file(id, into: folders, from: subject)
    case (_, nil): throw SourceError.unlisted(change)
    }
  }

  /// Adds before it removes: many servers move a feed without a folder to a default one.
  private func file(_ id: String, into folders: [String], from subject: Subscription?) async throws
  {
    let former = subject?.folders ?? []
    var left = former.filter { !folders.contains($0) }
    for folder in folders where !former.contains(folder) {
      try await client.change(.move(id: id, to: folder, from: left.popLast()))
    }
    if client.product.keepsOneFolder, !folders.isEmpty { return }
    for folder in left { try await client.change(.move(id: id, to: nil, from: folder)) }
  }
}
