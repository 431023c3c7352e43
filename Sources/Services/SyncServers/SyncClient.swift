package import News
internal import Text

/// Client of an account at a sync server: the source of its articles and of its subscriptions.
/// Everything fails with `SourceError` or `CancellationError`.
package protocol SyncClient: ItemSource, SubscriptionSource {
  /// Proves the name and the password, or the key.
  func signIn() async throws

  func account(of service: AccountService) -> any AccountSource

  /// Marks that are sent before accepted ones are noted.
  var marksPerCall: Int { get }

  /// Idempotent.
  func mark(_ ids: [String], _ kind: Mark.Kind, _ isSet: Bool) async throws

  /// Nil where the server has no labels of articles.
  var labels: (any LabelSource)? { get }

  // Only those among `edits` are needed.

  func subscribe(to url: String) async throws
  func unsubscribe(_ id: String) async throws
  func rename(_ id: String, _ title: String) async throws
  /// Only the first folder counts where a feed lies in one at most.
  ///
  /// - Parameter former: the folders as the server last listed them.
  func file(_ id: String, in folders: [String], from former: [String]) async throws
}

extension SyncClient {
  package func account(of service: AccountService) -> any AccountSource {
    SyncAccount(service: service, client: self)
  }

  package var listsArrivals: Bool { false }
  package var labels: (any LabelSource)? { nil }

  package func perform(_ change: SubscriptionChange, on subject: Subscription?) async throws {
    switch (change.kind, subject?.id ?? change.id) {
    case (.add, _): try await subscribe(to: change.url)
    case (.remove, let id?): try await unsubscribe(id)
    case (.rename(let title), let id?): try await rename(id, title)
    case (.file(let folders), let id?):
      try await file(id, in: folders, from: subject?.folders ?? [])
    case (_, nil):
      throw SourceError(
        .address, stage: .fetch, subject: WebAddress.redacted(change.url),
        message: "the server lists no such feed", next: "telex refresh reads its list again")
    }
  }

  package func subscribe(to url: String) async throws { throw SourceError.unchangeable(url) }
  package func unsubscribe(_ id: String) async throws { throw SourceError.unchangeable(id) }
  package func rename(_ id: String, _ title: String) async throws {
    throw SourceError.unchangeable(id)
  }
  package func file(_ id: String, in folders: [String], from former: [String]) async throws {
    throw SourceError.unchangeable(id)
  }
}

/// Client of a server whose sets of ids have pages with positions.
package protocol PagedSyncClient: SyncClient {
  /// A page of the ids of a set; the first one for nil.
  func ids(in set: ItemSet, after cursor: Cursor?) async throws -> SyncIDPage
}

extension PagedSyncClient {
  /// Listed time of read and unstarred articles, in seconds: thirty days.
  static var history: Double { 30 * 86_400 }

  package func walk(_ set: ItemSet) -> any ItemWalk {
    SyncIDWalk { try await ids(in: set, after: $0) }
  }
}

/// Client of a server whose articles have numbers.
package protocol NumberedSyncClient: PagedSyncClient {
  /// - Parameter ids: one or more.
  func mark(_ ids: [Int64], _ kind: Mark.Kind, _ isSet: Bool) async throws
}

extension NumberedSyncClient {
  package func mark(_ ids: [String], _ kind: Mark.Kind, _ isSet: Bool) async throws {
    let numbers = ids.compactMap { Int64($0) }
    if !numbers.isEmpty { try await mark(numbers, kind, isSet) }
  }
}

extension SourceError {
  /// The error about a change that the server's API lacks.
  fileprivate static func unchangeable(_ subject: String) -> SourceError {
    SourceError(
      .address, stage: .fetch, subject: subject,
      message: "the server's API has no call for this change",
      next: "change it at the server itself")
  }
}

/// Page of the ids of a set, at a server whose pages have positions.
package struct SyncIDPage: Hashable, Sendable {
  package var ids: [String]
  /// Nil at the end of the set.
  package var next: Cursor?
  /// Whether the server holds back some of the set, so that unlisted ids may belong to it.
  package var isPartial = false
}

/// Walk through pages by position. It ends as partial where a position repeats.
struct SyncIDWalk: ItemWalk {
  private let page: @Sendable (Cursor?) async throws -> SyncIDPage
  private var position: Cursor?
  private var asked: Set<Cursor> = []
  private var isOver = false

  /// - Parameter page: the page at a position; the first one for nil.
  init(_ page: @escaping @Sendable (Cursor?) async throws -> SyncIDPage) { self.page = page }

  mutating func next() async throws -> ItemIDPage? {
    guard !isOver else { return nil }
    let answer = try await page(position)
    var isPartial = answer.isPartial
    position = answer.next
    if let position {
      isOver = !asked.insert(position).inserted
      isPartial = isPartial || isOver
    } else {
      isOver = true
    }
    return ItemIDPage(ids: answer.ids, isPartial: isPartial)
  }
}
