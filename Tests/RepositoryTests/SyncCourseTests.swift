internal import Foundation
internal import News
internal import Services
internal import Store
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import Repository

/// Random courses of marks by two readers and by the server's own pages, with answers that are lost, syncs
/// that are cut, restarts and lists that end early: in the end all agree, and nobody's last word is lost.
@Suite(.timeLimit(.minutes(5)))
struct SyncCourseTests {
  private struct Subject: Hashable, CustomStringConvertible {
    var id: String
    var isStar: Bool
    var description: String { id + (isStar ? " starred" : " read") }
  }

  /// What each actor said last of a mark. A model that knows nothing of how a sync is done.
  private struct Model {
    var lastWords: [Subject: [String: Bool]] = [:]
    var initial: [Subject: Bool] = [:]

    mutating func say(_ subject: Subject, _ value: Bool, by actor: String) {
      lastWords[subject, default: [:]][actor] = value
    }

    /// Whether a mark may have this value in the end.
    func allows(_ value: Bool, of subject: Subject) -> Bool {
      guard let words = lastWords[subject] else { return initial[subject] ?? false == value }
      return words.values.contains(value)
    }
  }

  /// One reader: a store on disk, and a repository that is made anew by a restart.
  private struct Reader {
    let name: String
    let store: Store
    let server: ItemServer
    let clock: TestClock
    let account: AccountID
    var repository: FeedRepository

    init(_ name: String, in folder: String, at server: ItemServer, _ clock: TestClock) async throws
    {
      self.name = name
      self.server = server
      self.clock = clock
      let store = try Store(folder: folder + "/" + name)
      self.store = store
      let now = clock.now
      account = try await store.edit { edit in
        try edit.save(
          ItemAccount(server: server).service, base: ItemAccount.base, user: "ada", now: now)
      }
      repository = Self.repository(store, server, clock)
    }

    private static func repository(
      _ store: Store, _ server: ItemServer, _ clock: TestClock
    ) -> FeedRepository {
      FeedRepository(
        store: store, sources: ItemSources(others: makeSources(), server: server),
        now: { clock.now })
    }

    mutating func restart() { repository = Self.repository(store, server, clock) }

    func article(_ id: String) async throws -> Article? {
      let account = account
      return try await store.view { try $0.article(item: id, of: account) }
    }

    /// - Returns: whether the article is there to be marked.
    func mark(_ subject: Subject, _ value: Bool) async throws -> Bool {
      guard let article = try await article(subject.id) else { return false }
      let id = [article.id]
      try await repository.apply(subject.isStar ? .setStarred(id, value) : .setRead(id, value))
      return true
    }

    func value(_ subject: Subject) async throws -> Bool? {
      try await article(subject.id).map {
        subject.isStar ? $0.status.isStarred : $0.status.isRead
      }
    }
  }

  @Test(arguments: 0..<60)
  func `All agree in the end, and no last word is lost`(_ seed: Int) async throws {
    var random = SplitMix(seed: UInt64(seed))
    let folder = NSTemporaryDirectory() + "telex-course-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let server = ItemServer()
    let clock = TestClock()
    server.state.withLock { state in
      state.subscriptions = [Subscription(url: "https://example.org/1", id: "feed/1")]
      state.pageSize = Int.random(in: 1...6, using: &random)
      state.limit = Int.random(in: 1...4, using: &random)
      state.namesLast = Bool.random(using: &random)
    }
    var model = Model()
    var ids: [String] = []
    func publish() {
      let id = server.publish("Article \(ids.count)", in: "feed/1", at: clock.now)
      ids.append(id)
    }
    for _ in 0..<6 { publish() }
    var readers = [
      try await Reader("a", in: folder, at: server, clock),
      try await Reader("b", in: folder, at: server, clock),
    ]
    var course: [String] = []
    for _ in 0..<30 {
      clock.advance(Double.random(in: 1...4_000, using: &random))
      let which = Int.random(in: 0...1, using: &random)
      let subject = Subject(
        id: ids.randomElement(using: &random) ?? "", isStar: Bool.random(using: &random))
      let value = Bool.random(using: &random)
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<8:
        if try await readers[which].mark(subject, value) {
          // What is so already is no word.
          course.append("\(readers[which].name) marks \(subject) \(value)")
          model.say(subject, value, by: readers[which].name)
        }
      case 8..<11:
        course.append("server marks \(subject) \(value)")
        server.mark(
          subject.id, read: subject.isStar ? nil : value, starred: subject.isStar ? value : nil)
        model.say(subject, value, by: "server")
      case 11:
        publish()
      case 12:
        course.append("\(readers[which].name) restarts")
        readers[which].restart()
      default:
        let faults = faults(&random)
        let disturbs = Int.random(in: 0..<4, using: &random) == 0
        if disturbs {
          model.say(subject, value, by: "server")
          server.meanwhile.withLock {
            $0 = (
              ["all", "unread", "starred", "items"].randomElement(using: &random) ?? "all",
              {
                server.mark(
                  subject.id, read: subject.isStar ? nil : value,
                  starred: subject.isStar ? value : nil)
              }
            )
          }
        }
        course.append(
          "\(readers[which].name) syncs with \(faults)\(disturbs ? ", while \(subject) \(value)" : "")"
        )
        server.state.withLock { $0.faults = faults }
        do { try await readers[which].repository.synchronize(readers[which].account) } catch {}
        server.state.withLock { $0.faults = ItemServer.Faults() }
        // What nobody asked for has happened all the same.
        try await server.meanwhile.withLock { $0.take() }?.action()
      }
    }
    for _ in 0..<4 {
      for reader in readers { try await reader.repository.synchronize(reader.account) }
    }
    for id in ids {
      for isStar in [false, true] {
        let subject = Subject(id: id, isStar: isStar)
        let there = server.state.withLock {
          isStar ? $0.starred.contains(id) : !$0.unread.contains(id)
        }
        #expect(
          model.allows(there, of: subject),
          "seed \(seed): \(subject) is \(there)\n\(course.joined(separator: "\n"))")
        for reader in readers {
          #expect(
            try await reader.value(subject) == there,
            "seed \(seed): \(reader.name) differs from \(there) in \(subject)\n\(course.joined(separator: "\n"))"
          )
        }
      }
    }
    for reader in readers {
      #expect(try await reader.store.view { try $0.accountStates().map(\.waiting) } == [0, 0])
    }
  }

  private func faults(_ random: inout SplitMix) -> ItemServer.Faults {
    var faults = ItemServer.Faults()
    switch Int.random(in: 0..<6, using: &random) {
    case 0: faults.failsAfter = Int.random(in: 0..<12, using: &random)
    case 1:
      faults.failsAfter = Int.random(in: 0..<12, using: &random)
      faults.losesAnswers = true
    case 2: faults.cap = Int.random(in: 0..<4, using: &random)
    case 3: faults.circles = true
    case 4: faults.ghosts = ["77"]
    default: break
    }
    return faults
  }
}
