internal import Foundation
internal import News
internal import Store
internal import Testing

@testable internal import Repository

/// A course as it is done, with stores on disk.
struct CourseRun {
  private let server: any CourseServer
  private let clock: TestClock
  private let feeds: [String]
  private var readers: [CourseReader] = []
  private var model = CourseModel()
  private var ids: [String] = []
  /// What has really happened, for who looks at a failure.
  private var log: [String] = []
  /// A change that a reader has sent a second time.
  private var problemOnTheWay: String?

  /// Does a course from its beginning.
  ///
  /// - Returns: what is wrong in the end; nil where all agree.
  static func failure(of course: Course) async throws -> String? {
    let folder = NSTemporaryDirectory() + "telex-course-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var run = try await CourseRun(course.world, in: folder)
    for step in course.steps {
      try await run.perform(step)
      if let problem = run.problemOnTheWay { return problem }
    }
    return try await run.problem()
  }

  private init(_ world: CourseWorld, in folder: String) async throws {
    clock = TestClock()
    server =
      switch world.wire {
      case .direct: DirectCourseServer(world)
      default: WireCourseServer(world, clock)
      }
    feeds = server.feeds
    for feed in 0..<world.feeds { publish(in: feed) }
    for article in 0..<world.articles { publish(in: article % 2) }
    for number in 0..<world.readers {
      readers.append(
        try await CourseReader("\(number)", in: folder, at: server, clock))
    }
    for reader in readers { try await reader.sync() }
  }

  private mutating func publish(in feed: Int) {
    let url = feeds[feed % feeds.count]
    guard server.feeds.contains(url) else { return }
    ids.append(server.publish("Article \(ids.count)", in: url, at: clock.now))
  }

  // MARK: - Steps

  private mutating func perform(_ step: CourseStep) async throws {
    clock.advance(600)
    switch step {
    case .publish(let feed): publish(in: feed)
    case .mark, .markAll, .undo, .markThere: note(try await change(step))
    case .restart(let reader): readers[reader].restart(at: server, clock)
    case .deliver(let reader, let fault):
      try await exchange(by: reader, fault, during: nil, atCall: 0) { try await $0.deliver() }
    case .sync(let reader, let fault, let during, let call):
      try await exchange(by: reader, fault, during: during, atCall: call) { try await $0.sync() }
    case .unsubscribe(let reader, let feed):
      let (url, reader) = (feeds[feed % feeds.count], readers[reader])
      try await tolerating { try await reader.unsubscribe(from: url) }
    case .unsubscribeThere(let feed): server.unsubscribe(from: feeds[feed % feeds.count])
    }
    server.begin(nil)
    log.append("\(step)")
  }

  /// What one reader does at its server, and what that comes to there.
  private mutating func exchange(
    by reader: Int, _ fault: CourseFault?, during: CourseStep?, atCall call: Int,
    _ body: (CourseReader) async throws -> Void
  ) async throws {
    let before = values()
    let said = Said()
    if let during {
      let change = self.change
      server.interrupt(afterCalls: call) { await said.add(try await change(during)) }
    }
    server.begin(fault)
    let actor = readers[reader]
    try await tolerating { try await body(actor) }
    // What did not come in between happens all the same.
    try await server.finishInterruption()
    let words = await said.words
    note(words)
    var senders = [actor.name, CourseModel.server]
    if case .deliver(let other, _) = during { senders.append(readers[other].name) }
    for (mark, value) in values() where before[mark] != nil && before[mark] != value {
      guard !model.mayBeSent(value, of: mark, by: senders) else { continue }
      problemOnTheWay =
        problemOnTheWay
        ?? "\(mark) was made \(value) by reader \(actor.name), which had said so before"
    }
    try await noteSent(by: senders)
    server.begin(nil)
  }

  private mutating func noteSent(by senders: [String]) async throws {
    model.noteSent(by: CourseModel.server)
    for reader in readers where senders.contains(reader.name) {
      if try await reader.hasOutbox() == false { model.noteSent(by: reader.name) }
    }
  }

  /// The marks as the server has them.
  private func values() -> [CourseMark: Bool] {
    var values: [CourseMark: Bool] = [:]
    for id in ids {
      for isStar in [false, true] {
        let mark = CourseMark(id: id, isStar: isStar)
        values[mark] = server.value(of: mark)
      }
    }
    return values
  }

  /// What goes wrong on the way to a server is what a course is about; what goes wrong in the store is not.
  private func tolerating(_ body: () async throws -> Void) async throws {
    do { try await body() } catch let error as SourceError where error.kind != .store {}
  }

  private actor Said {
    private(set) var words: [(CourseMark, Bool, String)] = []
    func add(_ more: [(CourseMark, Bool, String)]) { words += more }
  }

  private mutating func note(_ words: [(CourseMark, Bool, String)]) {
    for (mark, value, actor) in words { model.say(mark, value, by: actor) }
  }

  /// - Returns: what was said by it.
  private func change(_ step: CourseStep) async throws -> [(CourseMark, Bool, String)] {
    switch step {
    case .mark(let reader, let article, let isStar, let value):
      let mark = CourseMark(id: ids[article % ids.count], isStar: isStar)
      let isThere = try await readers[reader].set(mark, value)
      return isThere ? [(mark, value, readers[reader].name)] : []
    case .markThere(let article, let isStar, let value):
      let mark = CourseMark(id: ids[article % ids.count], isStar: isStar)
      guard server.value(of: mark) != nil else { return [] }
      server.set(mark, value)
      return [(mark, value, CourseModel.server)]
    case .markAll(let reader, let feed):
      let url = feed.map { feeds[$0 % feeds.count] }
      return try await readers[reader].markAll(in: url, of: ids)
    case .undo(let reader): return try await readers[reader].undo(of: ids)
    case .deliver(let reader, _):
      let reader = readers[reader]
      try await tolerating { try await reader.deliver() }
      return []
    default: return []
    }
  }

  // MARK: - The end

  /// Whether all agree, on somebody's last word, and whether they still follow the server then.
  private mutating func problem() async throws -> String? {
    try await settle()
    if let problemOnTheWay { return problemOnTheWay }
    if let problem = try await disagreement() { return problem }
    for id in ids {
      let mark = CourseMark(id: id, isStar: false)
      if let value = server.value(of: mark), !model.allows(value, of: mark) {
        return "\(mark) is \(value), which nobody said last"
      }
      let star = CourseMark(id: id, isStar: true)
      if let value = server.value(of: star), !model.allows(value, of: star) {
        return "\(star) is \(value), which nobody said last"
      }
    }
    for reader in readers {
      let waiting = try await reader.waiting()
      if !waiting.isEmpty { return "changes still wait in reader \(reader.name): \(waiting)" }
    }
    // Nothing here holds on to what has been said.
    for id in ids {
      for isStar in [false, true] {
        let mark = CourseMark(id: id, isStar: isStar)
        if let value = server.value(of: mark) { server.set(mark, !value) }
      }
    }
    for reader in readers { try await reader.sync() }
    return try await disagreement().map { "what changes there does not show: " + $0 }
  }

  private mutating func settle() async throws {
    // Servers that cannot list what has come list all that they have, once a day.
    for _ in 0..<3 {
      clock.advance(90_000)
      for reader in readers.indices {
        try await exchange(by: reader, nil, during: nil, atCall: 0) { try await $0.sync() }
      }
    }
  }

  private func disagreement() async throws -> String? {
    for reader in readers {
      let values = try await reader.values(of: ids)
      for id in ids {
        for isStar in [false, true] {
          let mark = CourseMark(id: id, isStar: isStar)
          let (here, there) = (values[mark], server.value(of: mark))
          if here == nil, !server.listsAll { continue }
          // A feed that was unsubscribed there and subscribed to anew has lost its articles: a reader that has not synced
          // in between keeps them, and their server lists them no more.
          if there == nil, here == !isStar { continue }
          if here != there {
            return "\(mark) is \(said(here)) in reader \(reader.name), and \(said(there)) there"
          }
        }
      }
    }
    return nil
  }

  private func said(_ value: Bool?) -> String { value.map { "\($0)" } ?? "gone" }
}

/// One reader: a store on disk, and a repository that is made anew by a restart.
struct CourseReader: Sendable {
  let name: String
  let store: Store
  let account: AccountID
  private(set) var repository: FeedRepository

  init(_ name: String, in folder: String, at server: any CourseServer, _ clock: TestClock)
    async throws
  {
    self.name = name
    let path = folder + "/" + name
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: Self.empty.get(), toPath: path)
    store = try Store(folder: path)
    let now = clock.now
    account = try await store.edit {
      try $0.accounts.save(server.service, base: server.base, user: "ada", now: now)
    }
    repository = Self.repository(store, server, clock)
  }

  /// The folder of a store without anything, which is copied: to make the tables takes longer than most courses.
  private static let empty = Result {
    let folder = NSTemporaryDirectory() + "telex-course-\(UUID().uuidString)"
    _ = try Store(folder: folder)
    return folder
  }

  private static func repository(
    _ store: Store, _ server: any CourseServer, _ clock: TestClock
  ) -> FeedRepository {
    FeedRepository(store: store, sources: server.sources(), now: { clock.now })
  }

  mutating func restart(at server: any CourseServer, _ clock: TestClock) {
    repository = Self.repository(store, server, clock)
  }

  /// - Returns: whether the article is there to be marked.
  func set(_ mark: CourseMark, _ value: Bool) async throws -> Bool {
    let account = account
    guard
      let article = try await store.view({ try $0.articles(of: account)[mark.id]?.id })
    else { return false }
    try await repository.apply(
      mark.isStar ? .mark([article], .starred(value)) : .mark([article], .read(value)))
    return true
  }

  func markAll(in url: String?, of ids: [String]) async throws -> [(CourseMark, Bool, String)] {
    var timeline = Timeline.all
    if let url {
      guard let feed = try await feed(url) else { return [] }
      timeline = .feed(feed)
    }
    return try await changes(of: ids) {
      _ = try await repository.apply(.markAllRead(timeline, notNewerThan: nil))
    }
  }

  func undo(of ids: [String]) async throws -> [(CourseMark, Bool, String)] {
    try await changes(of: ids) { _ = try await repository.apply(.undo) }
  }

  /// What a change of many articles comes to.
  private func changes(
    of ids: [String], _ body: () async throws -> Void
  ) async throws -> [(CourseMark, Bool, String)] {
    let before = try await values(of: ids)
    try await body()
    return try await values(of: ids).filter { before[$0.key] != $0.value }
      .map { ($0.key, $0.value, name) }
  }

  func values(of ids: [String]) async throws -> [CourseMark: Bool] {
    let account = account
    return try await store.view { view in
      var values: [CourseMark: Bool] = [:]
      let articles = try view.articles(of: account)
      for id in ids {
        guard let article = articles[id] else { continue }
        values[CourseMark(id: id, isStar: false)] = article.status.isRead
        values[CourseMark(id: id, isStar: true)] = article.status.isStarred
      }
      return values
    }
  }

  func sync() async throws { try await repository.synchronize(account) }

  func deliver() async throws { try await repository.deliverOutbox() }

  /// Whether anything is to be sent, or held for a sync.
  func hasOutbox() async throws -> Bool { try await store.view { try $0.outbox.hasItems() } }

  func unsubscribe(from url: String) async throws {
    guard let feed = try await feed(url) else { return }
    try await repository.unsubscribe(feed)
  }

  private func feed(_ url: String) async throws -> FeedID? {
    let account = account
    return try await store.view { view in
      try view.feeds.all(url: url).first { $0.account.id == account }?.id
    }
  }

  /// Changes that wait to be sent, but for those that the server has no call for, which the user is told of.
  func waiting() async throws -> [WaitingChange] {
    try await store.view { try $0.outbox.snapshot().changes.filter { $0.error?.kind != .address } }
  }
}
