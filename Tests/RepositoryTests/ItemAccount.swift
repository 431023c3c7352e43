import Foundation
import News
import Services
import Synchronization
internal import Text

/// A server that keeps articles under ids of its own, in memory, with faults on demand. Several readers may
/// have an account there.
final class ItemServer: Sendable {
  struct State {
    struct Stored {
      var item: Item
      var number: Int
      var arrived: Date
    }

    var subscriptions: [Subscription] = []
    var items: [String: Stored] = [:]
    var unread: Set<String> = []
    var starred: Set<String> = []
    /// The articles with each label.
    var labels: [String: Set<String>] = [:]
    /// Names of folders, whose streams are not those of labels.
    var unclearLabels: Set<String> = []
    var labelsPerSync = 10
    var labelsFail = false
    /// The number of unread articles as it counts them itself; nil for a server that does not count.
    var count: Int?
    var countFailure: SourceError?
    var number = 0
    /// The addresses under which it keeps feeds that are added at others.
    var leadsTo: [String: String] = [:]
    var refusedAddresses: Set<String> = []
    var pageSize = 4
    /// A page goes on from the last id of the one before, as at FreshRSS; else from a number of items, as at
    /// Miniflux. Both shift while others mark.
    var namesLast = false
    /// Ids that are handed out by `items` at once.
    var limit = 3
    /// Whether articles are handed out with their marks.
    var tellsMarks = true
    /// Marks that `send` takes at once; as many as ids for nil.
    var marksPerCall: Int?
    /// The articles that were handed on to be read later, once for each time.
    var later: [String] = []
    /// The addresses whose pauses were ended.
    var reopened: [String] = []
    /// What is asked for, call by call.
    var calls: [String] = []
    /// What is thrown at calls, by their names; for changes of subscriptions without their values.
    var failures: [String: SourceError] = [:]
    var faults = Faults()
    /// Whether marks get no answer.
    var hangsAtMarks = false
    var random = SystemRandomNumberGenerator()

    /// The articles of the feed go with it.
    mutating func unsubscribe(from url: String) {
      let feeds = Set(subscriptions.filter { $0.url == url }.map(\.id))
      subscriptions.removeAll { $0.url == url }
      let gone = Set(items.filter { feeds.contains($0.value.item.feed) }.map(\.key))
      items = items.filter { !gone.contains($0.key) }
      unread.subtract(gone)
      starred.subtract(gone)
    }
  }

  struct Faults: CustomStringConvertible {
    var description: String {
      "[fails after \(failsAfter) loses \(losesAnswers) cap \(cap ?? -1) \(circles ? "circles" : "")]"
    }

    /// Throws at the call with this number, counted from the next; below zero never.
    var failsAfter = -1
    /// The request arrives, and its answer is lost.
    var losesAnswers = false
    /// Says that it has marks and keeps none.
    var forgetsMarks = false
    /// Refuses each call that has a mark of one of these, and keeps none of it.
    var refusedIDs: Set<String> = []
    /// Refuses every call.
    var refusesAll = false
    /// Refuses calls with more marks.
    var largestCall: Int?
    /// The list of unread ids ends after this many.
    var cap: Int?
    /// Listed by id and never handed out.
    var ghosts: Set<String> = []
    /// Leads round in circles: the last page leads to the first.
    var circles = false
    /// Throws at every call.
    var failure: SourceError?
    /// Lists no subscriptions, once.
    var forgetsSubscriptionsOnce = false
  }

  let state = Mutex(State())
  /// What happens at the next call of this kind, after the server has made its answer.
  let meanwhile = Mutex<(call: String, action: @Sendable () async throws -> Void)?>(nil)

  /// What courses do to calls on their way.
  let wire = CourseWire()

  static let failure = SourceError(.refused, stage: .fetch, subject: "memory", message: "down")

  static func refusal(_ status: Int) -> SourceError {
    SourceError(
      .status, stage: .fetch, subject: "memory", message: "it does not want this", status: status)
  }

  func call<Value: Sendable>(
    _ name: String, _ body: (inout State) throws -> Value
  ) async throws -> Value {
    let fate = wire.next()
    if fate == .fails || fate == .html { throw Self.failure }
    let answer = try state.withLock { state -> Value in
      state.calls.append(name)
      if let failure = state.faults.failure ?? state.failures[name] { throw failure }
      if state.faults.refusesAll { throw Self.refusal(403) }
      if state.faults.failsAfter == 0 {
        state.faults.failsAfter = -1
        if state.faults.losesAnswers { _ = try body(&state) }
        throw Self.failure
      }
      if state.faults.failsAfter > 0 { state.faults.failsAfter -= 1 }
      return try body(&state)
    }
    let action = meanwhile.withLock { pending -> (@Sendable () async throws -> Void)? in
      guard pending?.call == name else { return nil }
      defer { pending = nil }
      return pending?.action
    }
    try await action?()
    try await wire.answered()
    if fate == .losesAnswer { throw Self.failure }
    return answer
  }

  /// A new article, unread.
  @discardableResult
  func publish(_ title: String, in feed: String, at date: Date) -> String {
    state.withLock { state in
      state.number += 1
      let id = "\(1_000 + state.number)"
      let entry = Entry(
        id: id, url: "https://example.org/\(id)", title: title, published: date,
        contentHTML: "<p>\(title)</p>")
      state.items[id] = State.Stored(
        item: Item(feed: feed, entry: entry), number: state.number, arrived: date)
      state.unread.insert(id)
      return id
    }
  }

  /// Marks as another client does.
  func mark(_ id: String, read: Bool? = nil, starred: Bool? = nil) {
    state.withLock { state in
      if let read { if read { state.unread.remove(id) } else { state.unread.insert(id) } }
      if let starred { if starred { state.starred.insert(id) } else { state.starred.remove(id) } }
    }
  }
}

/// An account at an `ItemServer`.
struct ItemAccount: AccountSource, ItemSource, SubscriptionSource {
  static let kind = AccountKind(rawValue: "items")
  static let base = "https://items.example"

  let server: ItemServer
  let service = AccountService(
    kind, [.items, .takesMarks, .subscriptions, .stableIDs, .labels, .later])

  func pages(
    of feed: Feed, report: @escaping @Sendable (SourceEvent) -> Void
  ) -> any PageSource { NoPages() }

  private struct NoPages: PageSource {
    func page(after cursor: Cursor?, known: KnownPage) async throws -> PageAnswer {
      throw SourceError(.address, stage: .fetch, subject: "items", message: "there are no pages")
    }
  }

  var items: (any ItemSource)? { self }
  var labels: (any LabelSource)? { ItemLabels(server: server) }
  var later: (any LaterService)? { ItemLater(server: server) }
  var marks: (any MarkSink)? { ItemMarks(server: server) }
  var subscriptions: (any SubscriptionSource)? { self }

  var limit: Int { server.state.withLock { $0.limit } }

  let listsArrivals = true

  func unreadCount() async throws -> Int? {
    try server.state.withLock { state in
      if let failure = state.countFailure { throw failure }
      return state.count
    }
  }

  func walk(_ set: ItemSet) -> any ItemWalk { Walk(account: self, set: set) }

  private struct Walk: ItemWalk {
    let account: ItemAccount
    let set: ItemSet
    var place: String?
    var isDone = false

    mutating func next() async throws -> ItemIDPage? {
      guard !isDone else { return nil }
      let (page, next) = try await account.ids(in: set, after: place)
      place = next
      isDone = next == nil
      return page
    }
  }

  private func ids(
    in set: ItemSet, after place: String?
  ) async throws -> (page: ItemIDPage, next: String?) {
    let name =
      switch set {
      case .all: "all"
      case .unread: "unread"
      case .starred: "starred"
      }
    return try await server.call(name) { state in
      var ids = state.items.sorted { $0.value.number > $1.value.number }.map(\.key)
      switch set {
      case .all(let since):
        if let since { ids = ids.filter { state.items[$0]!.arrived >= since } }
      case .unread: ids = ids.filter(state.unread.contains)
      case .starred: ids = ids.filter(state.starred.contains)
      }
      ids += state.faults.ghosts.sorted()
      let isCapped = set == .unread && state.faults.cap.map { ids.count > $0 } == true
      if isCapped, let cap = state.faults.cap { ids = Array(ids.prefix(cap)) }
      var start = place.flatMap { Int($0) } ?? 0
      if state.namesLast, let place {
        // As FreshRSS: passes over the first from there on, even where that is another by now.
        let last = state.items[place]?.number ?? 0
        start = (ids.firstIndex { state.items[$0]?.number ?? 0 <= last } ?? ids.count) + 1
      }
      let end = min(start + state.pageSize, ids.count)
      var next = end < ids.count ? state.namesLast ? ids[end - 1] : "\(end)" : nil
      if next == nil, state.faults.circles { next = state.namesLast ? ids.first : "0" }
      return (
        ItemIDPage(ids: start < end ? Array(ids[start..<end]) : [], isPartial: isCapped), next
      )
    }
  }

  func items(_ ids: [String]) async throws -> ItemBatch {
    try await server.call("items") { state in
      ItemBatch(
        items: ids.compactMap { id in
          guard !state.faults.ghosts.contains(id), var item = state.items[id]?.item else {
            return nil
          }
          guard state.tellsMarks else { return item }
          item.isRead = !state.unread.contains(id)
          item.isStarred = state.starred.contains(id)
          return item
        })
    }
  }

  func subscriptions() async throws -> [Subscription] {
    try await server.call("subscriptions") { state in
      if state.faults.forgetsSubscriptionsOnce {
        state.faults.forgetsSubscriptionsOnce = false
        return []
      }
      return state.subscriptions
    }
  }

  let edits: SubscriptionEdits = [.add, .remove, .rename, .file, .manyFolders]

  func perform(_ change: SubscriptionChange, on subject: Subscription?) async throws {
    let name = "\(change.kind)"
    try await server.call(name) { state in
      if let failure = state.failures[String(name.prefix { $0 != "(" })] { throw failure }
      let index = state.subscriptions.firstIndex { $0.id == subject?.id }
      switch (change.kind, index) {
      case (.add, _):
        guard !state.refusedAddresses.contains(change.url),
          !state.subscriptions.contains(where: { $0.url == change.url })
        else {
          throw Self.refusal
        }
        let url = state.leadsTo[change.url] ?? change.url
        guard !state.subscriptions.contains(where: { $0.url == url }) else { return }
        state.subscriptions.append(Subscription(url: url, id: "feed/\(url)", title: "New"))
      case (.remove, let index?): state.unsubscribe(from: state.subscriptions[index].url)
      case (.rename(let title), let index?): state.subscriptions[index].title = title
      case (.file(let folders), let index?): state.subscriptions[index].folders = folders
      case (_, nil): throw Self.refusal
      }
    }
  }

  /// As some servers answer what they have done already.
  private static let refusal = SourceError(
    .status, stage: .fetch, subject: "memory", message: "no", status: 400)
}

/// The marks of an account at an `ItemServer`.
struct ItemMarks: MarkSink {
  let server: ItemServer

  var limit: Int { server.state.withLock { $0.marksPerCall ?? $0.limit } }

  func send(_ marks: [EntryMark]) async throws {
    if server.state.withLock({ $0.hangsAtMarks }) { try await Task.sleep(for: .seconds(1_000)) }
    try await server.call("send") { state in
      if let largest = state.faults.largestCall, marks.count > largest {
        throw ItemServer.refusal(413)
      }
      if marks.contains(where: { state.faults.refusedIDs.contains($0.entry.id) }) {
        throw ItemServer.refusal(404)
      }
      guard !state.faults.forgetsMarks else { return }
      for mark in marks {
        let id = mark.entry.id
        switch (mark.mark.kind, mark.mark.isSet) {
        case (.read, true): state.unread.remove(id)
        case (.read, false): state.unread.insert(id)
        case (.starred, true): state.starred.insert(id)
        case (.starred, false): state.starred.remove(id)
        }
      }
    }
  }
}

/// The labels of an account at an `ItemServer`.
struct ItemLabels: LabelSource {
  let server: ItemServer

  var limit: Int { server.state.withLock { $0.limit } }
  var labelsPerSync: Int { server.state.withLock { $0.labelsPerSync } }

  func labels() async throws -> LabelList {
    try await server.call("labels") { state in
      if state.labelsFail { throw ItemServer.failure }
      return LabelList(
        names: Set(state.labels.keys).subtracting(state.unclearLabels), unclear: state.unclearLabels
      )
    }
  }

  func walk(_ label: String) -> any ItemWalk { Walk(server: server, label: label) }

  private struct Walk: ItemWalk {
    let server: ItemServer
    let label: String
    var place: Int? = 0

    mutating func next() async throws -> ItemIDPage? {
      guard let start = place else { return nil }
      let (page, next) = try await server.call("label \(label)") { [label] state in
        let ids = (state.labels[label] ?? []).sorted()
        let isCapped = state.faults.cap.map { ids.count > $0 } == true
        let end = min(start + state.pageSize, isCapped ? state.faults.cap! : ids.count)
        let page = start < end ? Array(ids[start..<end]) : []
        return (
          ItemIDPage(ids: page, isPartial: isCapped), end < ids.count && !isCapped ? end : nil
        )
      }
      place = next
      return page
    }
  }

  func set(_ label: String, _ isSet: Bool, on ids: [String]) async throws {
    try await server.call("set \(label)") { state in
      if ids.contains(where: state.faults.refusedIDs.contains) { throw ItemServer.refusal(404) }
      guard !state.faults.forgetsMarks else { return }
      for id in ids where state.items[id] != nil {
        if isSet {
          state.labels[label, default: []].insert(id)
        } else {
          state.labels[label]?.remove(id)
        }
      }
    }
  }
}

/// Saving for later at an `ItemServer`.
struct ItemLater: LaterService {
  let server: ItemServer

  func saveForLater(_ id: String) async throws {
    try await server.call("later") { state in
      if state.faults.refusedIDs.contains(id) { throw ItemServer.refusal(404) }
      state.later.append(id)
    }
  }
}

/// The services that there are, and a server in memory.
struct ItemSources: NewsSources {
  let others: Sources
  let server: ItemServer
  /// Further servers, by the addresses of the accounts there.
  var further: [String: ItemServer] = [:]

  func source(of account: Account) -> any AccountSource {
    account.kind == ItemAccount.kind
      ? ItemAccount(server: further[account.base] ?? server) : others.source(of: account)
  }

  func reopen(_ addresses: [String]) {
    server.state.withLock { $0.reopened += addresses }
  }

  func reopenAll() {}

  func discover(_ address: String, signIn: FeedSignIn?) async throws -> FoundFeeds {
    try await others.discover(address, signIn: signIn)
  }

  func locate(oneOf links: [FeedLink], namedBy address: String) async throws -> LocatedFeed {
    try await others.locate(oneOf: links, namedBy: address)
  }

  func keep(_ user: AddressUser, header: String?) async throws -> FeedSignIn {
    try await others.keep(user, header: header)
  }
  func forget(_ signIn: FeedSignIn) async throws { try await others.forget(signIn) }
}
