internal import FeedServer
internal import Foundation
internal import News
internal import Services
internal import Store
internal import Synchronization
internal import TestSupport
internal import Testing
internal import Text

@testable internal import Repository

/// One machine of the user: a reader with a store, and an account at the shared folder.
struct FolderMachine: ~Copyable {
  let reader: TestReader
  let account: Account

  static func join(_ folder: borrowing SharedFolder) async throws -> FolderMachine {
    try await join(try TestReader(), folder)
  }

  private static func join(
    _ reader: consuming TestReader, _ folder: borrowing SharedFolder
  ) async throws -> FolderMachine {
    let (base, now) = (try folder.address, reader.clock.now)
    try await FolderAddress.prepare(base)
    let account = try await reader.store.edit { edit in
      let id = try edit.accounts.save(.folder, base: base, user: FolderAddress.user, now: now)
      return try #require(try edit.view.accounts.account(id))
    }
    let machine = FolderMachine(reader: reader, account: account)
    try await machine.sync()
    return machine
  }

  /// The same machine once more, with a copy of its store.
  func copied() async throws -> FolderMachine {
    let copy = try TestReader(copying: reader.folder)
    copy.clock.set(reader.clock.now)
    return FolderMachine(reader: copy, account: account)
  }

  @discardableResult
  func sync() async throws -> SyncReport {
    reader.clock.advance(1)
    return try await reader.repository.synchronize(account.id)
  }

  @discardableResult
  func add(_ url: String, title: String? = nil, folders: [String] = []) async throws -> Feed {
    reader.clock.advance(1)
    return try await reader.repository.subscribe(
      to: url, in: account.id, title: title, folders: folders
    ).feed
  }

  func feeds() async throws -> [Feed] {
    try await reader.store.view { try $0.feeds.all() }.filter { $0.account.id == account.id }
  }

  func article(_ title: String) async throws -> ArticleRow {
    let rows = try await reader.store.view { view in
      try view.timeline.slice(TimelineQuery(.all, olderCount: 1_000)).rows
    }
    return try #require(
      rows.lazy.compactMap { row in
        if case .article(let article) = row, article.title == title { article } else { nil }
      }.first)
  }

  func mark(_ title: String, read: Bool? = nil, starred: Bool? = nil) async throws {
    reader.clock.advance(1)
    let id = try await article(title).id
    if let read { try await reader.repository.apply(.mark([id], .read(read))) }
    if let starred { try await reader.repository.apply(.mark([id], .starred(starred))) }
  }

  func tag(_ title: String, _ name: String, _ isSet: Bool) async throws {
    reader.clock.advance(1)
    let (id, account, now) = (try await article(title).id, account.id, reader.clock.now)
    try await reader.store.edit { edit in
      try edit.tags.set(edit.tags.save(name, of: account), isSet, on: [id], now: now)
    }
  }

  /// The tags of each article that has some.
  func tags() async throws -> [String] {
    try await reader.store.view { view in
      try view.timeline.slice(TimelineQuery(.all, olderCount: 1_000)).rows.compactMap { row in
        guard case .article(let article) = row else { return nil }
        let tags = try view.tags.all(on: article.id).map(\.name)
        return tags.isEmpty ? nil : "\(article.title): \(tags.joined(separator: ", "))"
      }.sorted()
    }
  }

  /// What is read, and what is starred with a star behind it.
  func marks() async throws -> [String] {
    let rows = try await reader.store.view { view in
      try view.timeline.slice(TimelineQuery(.all, olderCount: 1_000)).rows
    }
    return rows.compactMap { row in
      guard case .article(let article) = row, article.status.isRead || article.status.isStarred
      else {
        return nil
      }
      return article.title + (article.status.isRead ? "" : " unread")
        + (article.status.isStarred ? "*" : "")
    }.sorted()
  }

  var state: AccountState {
    get async throws {
      try #require(
        try await reader.store.view { try $0.sync.states() }.first { $0.id == account.id })
    }
  }
}

/// Gone with the value.
struct SharedFolder: ~Copyable {
  let path: String

  init() throws { path = try temporaryFolder() }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var address: String {
    get throws { try #require(try FolderAddress.normalized("file:" + path)) }
  }

  /// The log files, below the folder of the logs.
  var files: [String] {
    let root = path + "/telex"
    return (try? FileManager.default.subpathsOfDirectory(atPath: root))?
      .filter { $0.hasSuffix(".tsv") }.sorted() ?? []
  }

  func text(of file: String) throws -> String {
    try String(contentsOfFile: path + "/telex/" + file, encoding: .utf8)
  }

  func write(_ text: String, to file: String) throws {
    try text.write(toFile: path + "/telex/" + file, atomically: true, encoding: .utf8)
  }
}

/// Serves a feed with these titles.
func withFeed(
  _ titles: [String] = ["one", "two", "three"],
  _ body: (_ url: String, _ titles: TitleList) async throws -> Void
) async throws {
  let list = TitleList(titles)
  try await withAnswers({ _ in .reply(.rss(list.titles)) }) { base, _ in
    try await body(base + "/feed", list)
  }
}

/// Titles of the items of a feed that a test adds to.
final class TitleList: Sendable {
  private let list: Mutex<[String]>

  init(_ titles: [String]) { list = Mutex(titles) }

  var titles: [String] { list.withLock { $0 } }
  func insert(_ title: String) { list.withLock { $0.insert(title, at: 0) } }
}

/// The services that there are, with logs that a test breaks.
struct FolderSources: NewsSources {
  let others: Sources
  let memory: KilledAppend

  func source(of account: Account) -> any AccountSource {
    BrokenFolder(whole: others.source(of: account), fault: memory)
  }

  func reopen(_ addresses: [String]) { others.reopen(addresses) }
  func reopenAll() { others.reopenAll() }

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

/// An append that ends after so many bytes, as a kill would end it: nobody notes what was written.
struct KilledAppend: Sendable {
  /// Of the logs.
  let folder: String
  let bytes: Int
}

private struct BrokenFolder: AccountSource {
  let whole: any AccountSource
  let fault: KilledAppend

  var service: AccountService { whole.service }
  var logs: (any LogSource)? { whole.logs.map { Logs(whole: $0, fault: fault) } }

  func pages(
    of feed: Feed, report: @escaping @Sendable (SourceEvent) -> Void
  ) -> any PageSource { whole.pages(of: feed, report: report) }

  private struct Logs: LogSource {
    let whole: any LogSource
    let fault: KilledAppend

    func files() async throws -> [LogFile] { try await whole.files() }

    func read(_ file: LogFile, after position: LogPosition?) async throws -> LogPage {
      try await whole.read(file, after: position)
    }

    func append(_ records: [LogRecord], to log: OwnLog) async throws -> LogWriteOutcome {
      _ = try await whole.append(records, to: log)
      let path = fault.folder + "/" + log.path
      let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
      truncate(path, min(size, Int(log.size) + fault.bytes))
      throw SourceError(.file, stage: .store, subject: path, message: "killed")
    }

    func rewrite(_ log: OwnLog, with records: [LogRecord]) async throws -> OwnLog {
      try await whole.rewrite(log, with: records)
    }

    func removeFormer(than log: OwnLog, read positions: [LogPosition]) async throws {
      try await whole.removeFormer(than: log, read: positions)
    }
  }
}
