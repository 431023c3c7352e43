internal import Foundation
internal import News
internal import Store
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import Repository

/// Tags of articles whose server keeps labels, in both directions.
@Suite(.timeLimit(.minutes(10)))
struct LabelSyncTests {
  private typealias Client = ItemSyncTests.Client

  private func server(_ count: Int = 6) -> (ItemServer, [String]) {
    let server = ItemServer()
    let start = TestClock().now
    server.state.withLock {
      $0.subscriptions = [
        Subscription(url: "https://example.org/news", id: "feed/1", title: "News")
      ]
    }
    let ids = (0..<count).map {
      server.publish("Article \($0)", in: "feed/1", at: start.addingTimeInterval(Double($0 - 100)))
    }
    return (server, ids)
  }

  private func labels(of server: ItemServer, _ label: String) -> Set<String> {
    server.state.withLock { $0.labels[label] ?? [] }
  }

  @Test func `Labels come with the first sync and follow the server`() async throws {
    let (server, ids) = server()
    server.state.withLock { $0.labels = ["home": Set(ids), "work": [ids[0]]] }
    let client = try await Client.make(at: server)
    try await client.repository.synchronize(client.account)
    #expect(try await client.tags(ids[0]) == ["home", "work"])
    #expect(try await client.tags(ids[5]) == ["home"])
    server.state.withLock { $0.labels = ["home": [ids[1]]] }
    try await client.repository.synchronize(client.account)
    #expect(try await client.tags(ids[0]) == [])
    #expect(try await client.tags(ids[1]) == ["home"])
    #expect(try await client.waiting() == 0)
  }

  @Test func `A tag goes to the server, and leaves the outbox once it is found there`() async throws
  {
    let (server, ids) = server()
    let client = try await Client.make(at: server)
    try await client.repository.synchronize(client.account)
    for id in ids { try await client.tag(id, "home") }
    try await client.tag(ids[0], "home", false)
    #expect(try await client.waiting() == 6)
    try await client.repository.deliverOutbox()
    #expect(labels(of: server, "home") == Set(ids.dropFirst()))
    try await client.repository.synchronize(client.account)
    #expect(try await client.tags(ids[1]) == ["home"])
    #expect(try await client.tags(ids[0]) == [])
    try await client.tag(ids[1], "home", false)
    try await client.repository.synchronize(client.account)
    #expect(labels(of: server, "home") == Set(ids.dropFirst(2)))
    #expect(try await client.tags(ids[1]) == [])
    #expect(try await !client.hasOutbox())
  }

  @Test func `Later goes with its due time to the labels of the server, and to its reading list`()
    async throws
  {
    let (server, ids) = server()
    let client = try await Client.make(at: server)
    try await client.repository.synchronize(client.account)
    let article = try #require(try await client.article(ids[0])).id
    let due = Date(timeIntervalSinceNow: 86_400)
    try await client.repository.apply(.setLater([article], true, until: due))
    try await client.repository.deliverOutbox()
    #expect(labels(of: server, "later") == [ids[0]])
    #expect(labels(of: server, Later.dueTag(due)) == [ids[0]])
    #expect(server.state.withLock { $0.later } == [ids[0]])
    let other = try await Client.make(at: server)
    try await other.repository.synchronize(other.account)
    let found = try #require(try await other.article(ids[0]))
    #expect(found.tags == ["later"])
    #expect(found.laterUntil.map(Later.dueTag) == Later.dueTag(due))
    try await other.repository.apply(.setLater([found.id], false))
    try await other.repository.deliverOutbox()
    try await client.repository.synchronize(client.account)
    #expect(try await client.tags(ids[0]) == [])
    #expect(server.state.withLock { $0.later } == [ids[0]])
  }

  @Test func `A tag that waits is not taken away by the server's list`() async throws {
    let (server, ids) = server()
    server.state.withLock { $0.labels = ["work": [ids[2]]] }
    let client = try await Client.make(at: server)
    try await client.repository.synchronize(client.account)
    server.meanwhile.withLock {
      $0 = (
        "starred",
        {
          try await client.tag(ids[0], "work")
          try await client.tag(ids[2], "work", false)
        }
      )
    }
    try await client.repository.synchronize(client.account)
    #expect(try await client.tags(ids[0]) == ["work"])
    #expect(try await client.tags(ids[2]) == [])
    try await client.repository.synchronize(client.account)
    #expect(labels(of: server, "work") == [ids[0]])
  }

  @Test func `A label of which the server holds back a part takes nothing away`() async throws {
    let (server, ids) = server()
    server.state.withLock { $0.labels = ["work": Set(ids)] }
    let client = try await Client.make(at: server)
    try await client.repository.synchronize(client.account)
    server.state.withLock {
      $0.faults.cap = 2
      $0.labels["work"]?.remove(ids[5])
    }
    try await client.repository.synchronize(client.account)
    for id in ids { #expect(try await client.tags(id) == ["work"]) }
  }

  @Test func `A folder of the same name takes no tag away, and nothing is sent for ever`()
    async throws
  {
    let (server, ids) = server()
    server.state.withLock { $0.unclearLabels = ["Work"] }
    let client = try await Client.make(at: server)
    try await client.repository.synchronize(client.account)
    try await client.tag(ids[0], "Work")
    for _ in 1...5 { try await client.repository.synchronize(client.account) }
    #expect(try await client.tags(ids[0]) == ["Work"])
    #expect(try await !client.hasOutbox())
    #expect(server.state.withLock { $0.calls.filter { $0 == "set Work" }.count } == 1)
  }

  @Test func `A tag that was sent is done: a later change of another device stays`() async throws {
    let (server, ids) = server()
    let client = try await Client.make(at: server)
    try await client.repository.synchronize(client.account)
    try await client.tag(ids[0], "home")
    try await client.repository.deliverOutbox()
    #expect(labels(of: server, "home") == [ids[0]])
    #expect(try await !client.hasOutbox())
    server.state.withLock { $0.labels["home"] = [ids[1]] }
    for _ in 1...3 { try await client.repository.synchronize(client.account) }
    #expect(try await client.tags(ids[0]) == [])
    #expect(try await client.tags(ids[1]) == ["home"])
    #expect(labels(of: server, "home") == [ids[1]])
    #expect(server.state.withLock { $0.calls.count { $0 == "set home" } } == 1)
  }

  @Test func `A tag that is taken back after a failed attempt is one change`() async throws {
    let (server, ids) = server()
    let client = try await Client.make(at: server)
    try await client.repository.synchronize(client.account)
    server.state.withLock { $0.failures["set home"] = ItemServer.refusal(502) }
    try await client.tag(ids[0], "home")
    try await client.repository.deliverOutbox()
    try await client.tag(ids[0], "home", false)
    let waiting = try await client.reader.store.view { try $0.outbox.items() }
    #expect(waiting.count == 1)
  }

  @Test func `One refused article keeps no other from being labelled`() async throws {
    let (server, ids) = server()
    let client = try await Client.make(at: server)
    try await client.repository.synchronize(client.account)
    server.state.withLock { $0.faults.refusedIDs = [ids[1]] }
    for id in ids.prefix(3) { try await client.tag(id, "home") }
    try await client.repository.deliverOutbox()
    #expect(labels(of: server, "home") == [ids[0], ids[2]])
    let waiting = try await client.reader.store.view { try $0.outbox.items() }
    #expect(waiting.count == 1 && waiting[0].isRefused)
  }

  @Test func `Many labels are asked for in turn`() async throws {
    let (server, ids) = server()
    server.state.withLock { state in
      state.labelsPerSync = 2
      for number in 0..<5 { state.labels["label \(number)"] = [ids[number]] }
    }
    let client = try await Client.make(at: server)
    for _ in 1...3 {
      server.state.withLock { $0.calls = [] }
      try await client.repository.synchronize(client.account)
      #expect(server.state.withLock { $0.calls.filter { $0.hasPrefix("label ") }.count } <= 2)
    }
    for number in 0..<5 { #expect(try await client.tags(ids[number]) == ["label \(number)"]) }
  }

  @Test func `A sync goes on where labels cannot be asked for`() async throws {
    let (server, ids) = server()
    let client = try await Client.make(at: server)
    server.state.withLock { $0.labelsFail = true }
    let report = try await client.repository.synchronize(client.account)
    #expect(report.inserted == ids.count)
    #expect(report.warnings.contains { $0.contains("labels") })
  }
}

extension ItemSyncTests.Client {
  /// The names of the tags on an article.
  func tags(_ id: String) async throws -> [String] {
    guard let article = try await article(id) else { return [] }
    return try await reader.store.view { try $0.tags.all(on: article.id).map(\.name) }
  }

  func tag(_ id: String, _ name: String, _ isSet: Bool = true) async throws {
    guard let article = try await article(id) else { return }
    try await repository.apply(.setTag([article.id], name, isSet))
  }

  /// Whether anything is in the outbox.
  func hasOutbox() async throws -> Bool { try await reader.store.view { try $0.outbox.hasItems() } }
}
