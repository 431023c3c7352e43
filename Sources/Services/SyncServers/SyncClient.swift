package import News

/// Client of an account's server. Everything fails with `SourceError` or `CancellationError`.
protocol SyncClient: AccountClient {
  /// The most ids of a call of `items`.
  static var itemsPerCall: Int { get }
  /// Marks that are sent before accepted ones are noted.
  static var marksPerCall: Int { get }
  /// Whether the server lists arrivals since a moment of its own clock, by ids alone.
  static var listsArrivals: Bool { get }
  static var edits: SubscriptionEdits { get }

  /// A page of the ids of a set; the first one for nil.
  func ids(in set: ItemSet, after cursor: Cursor?) async throws -> SyncIDPage
  func items(_ ids: [String]) async throws -> ItemBatch
  /// The server's own count; nil where it does not count.
  func unreadCount() async throws -> Int?

  /// Idempotent.
  func mark(_ ids: [String], _ kind: Mark.Kind, _ isSet: Bool) async throws

  func subscriptions() async throws -> [Subscription]

  // Only those among `edits` are needed.

  func subscribe(to url: String) async throws
  func unsubscribe(_ id: String) async throws
  func rename(_ id: String, _ title: String) async throws
  /// Only the first folder counts where a feed lies in one at most.
  func file(_ id: String, in folders: [String]) async throws
}

extension SyncClient {
  func account(of service: AccountService) -> any AccountSource {
    SyncAccount(service: service, client: self)
  }

  static var listsArrivals: Bool { false }

  func unreadCount() async throws -> Int? { nil }

  func subscribe(to url: String) async throws { throw SourceError.unchangeable(url) }
  func unsubscribe(_ id: String) async throws { throw SourceError.unchangeable(id) }
  func rename(_ id: String, _ title: String) async throws { throw SourceError.unchangeable(id) }
  func file(_ id: String, in folders: [String]) async throws {
    throw SourceError.unchangeable(id)
  }
}

/// Client of a server whose articles have numbers.
protocol NumberedSyncClient: SyncClient {
  /// - Parameter ids: one or more.
  func mark(_ ids: [Int64], _ kind: Mark.Kind, _ isSet: Bool) async throws
}

extension NumberedSyncClient {
  func mark(_ ids: [String], _ kind: Mark.Kind, _ isSet: Bool) async throws {
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
