internal import FeedServer
internal import Foundation
internal import News
internal import Services
internal import Store
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import Repository

/// Machines with stores of their own that share a folder on the disk.
@Suite(.timeLimit(.minutes(10)))
struct FolderAccountTests {
  @Test func `Marks made on one machine show on the other, and its own there`() async throws {
    try await withFeed { url, _ in
      let folder = try SharedFolder()
      let ada = try await FolderMachine.join(folder)
      let bob = try await FolderMachine.join(folder)
      _ = try await ada.add(url)
      try await ada.mark("one", read: true)
      try await ada.mark("two", starred: true)
      try await ada.sync()
      let report = try await bob.sync()
      #expect(report.inserted == 3 && report.feeds == 1)
      #expect(try await bob.marks() == ["one", "two unread*"])
      try await bob.mark("three", read: true)
      try await bob.mark("two", starred: false)
      try await bob.sync()
      #expect(try await ada.sync().marked == 2)
      #expect(try await ada.marks() == ["one", "three"])
      #expect(try await bob.marks() == ["one", "three"])
      // Nothing is left to be said.
      let before = folder.files.map { try? folder.text(of: $0) }
      for report in [try await ada.sync(), try await bob.sync()] { #expect(report.marked == 0) }
      #expect(folder.files.map { try? folder.text(of: $0) } == before)
      #expect(folder.files.count == 2)
    }
  }

  @Test func `A mark of an article that comes in only later is kept for it`() async throws {
    try await withFeed { url, titles in
      let folder = try SharedFolder()
      let ada = try await FolderMachine.join(folder)
      let bob = try await FolderMachine.join(folder)
      let feed = try await ada.add(url)
      try await ada.sync()
      try await bob.sync()
      titles.insert("new")
      _ = try await ada.reader.repository.refresh(.feeds([feed.id]))
      try await ada.mark("new", read: true, starred: true)
      try await ada.sync()
      #expect(try await bob.sync().marked == 0)
      #expect(try await bob.marks() == [])
      _ = try await bob.reader.repository.refresh(.feeds(bob.feeds().map(\.id)))
      #expect(try await bob.marks() == ["new*"])
      // What it knows from the logs is not told again.
      #expect(try await bob.state.waiting == 0)
    }
  }

  @Test func `The last word counts, however wrong the clocks are`() async throws {
    try await withFeed { url, _ in
      let folder = try SharedFolder()
      let ada = try await FolderMachine.join(folder)
      let bob = try await FolderMachine.join(folder)
      // A clock that is years ahead.
      ada.reader.clock.advance(20 * 365 * 86_400)
      _ = try await ada.add(url)
      try await ada.mark("one", read: true)
      try await ada.sync()
      try await bob.sync()
      #expect(try await bob.marks() == ["one"])
      try await bob.mark("one", read: false)
      try await bob.mark("two", read: true)
      try await bob.sync()
      try await ada.sync()
      #expect(try await ada.marks() == ["two"])
      // What the wrong clock has not touched has the stamps of the right one.
      let records = try await bob.reader.store.view { try $0.logs.records(of: bob.account.id) }
      let now = Int64(bob.reader.clock.now.timeIntervalSince1970) * 1_000_000
      #expect(records.first { $0.register.article == "two" }.map { $0.stamp <= now } == true)
      #expect(records.first { $0.register.article == "one" }.map { $0.stamp > now } == true)
    }
  }

  @Test func `What waits here wins until it is written, and nothing is lost without the folder`()
    async throws
  {
    try await withFeed { url, _ in
      let folder = try SharedFolder()
      let ada = try await FolderMachine.join(folder)
      let bob = try await FolderMachine.join(folder)
      _ = try await ada.add(url)
      try await ada.mark("one", read: true)
      try await ada.sync()
      try await bob.sync()
      let away = folder.path + ".away"
      try FileManager.default.moveItem(atPath: folder.path, toPath: away)
      try await bob.mark("one", read: false)
      try await bob.mark("two", read: true)
      await #expect(throws: SourceError.self) { try await bob.sync() }
      let state = try await bob.state
      #expect(state.waiting == 2 && state.error?.message.contains("is not there") == true)
      #expect(!FileManager.default.fileExists(atPath: folder.path))
      #expect(try await bob.marks() == ["two"])
      // A disk that is not mounted leaves an empty folder.
      try FileManager.default.createDirectory(
        atPath: folder.path, withIntermediateDirectories: false)
      await #expect(throws: SourceError.self) { try await bob.sync() }
      #expect(try await bob.state.waiting == 2)
      try FileManager.default.removeItem(atPath: folder.path)
      try FileManager.default.moveItem(atPath: away, toPath: folder.path)
      try await bob.sync()
      #expect(try await bob.state.waiting == 0)
      #expect(try await bob.state.error == nil)
      try await ada.sync()
      #expect(try await ada.marks() == ["two"])
    }
  }

  @Test func `All that is read in one go is one write, and arrives as a whole`() async throws {
    try await withFeed((1...500).map { "story \($0)" }) { url, _ in
      let folder = try SharedFolder()
      let ada = try await FolderMachine.join(folder)
      let bob = try await FolderMachine.join(folder)
      _ = try await ada.add(url)
      try await ada.sync()
      try await bob.sync()
      ada.reader.clock.advance(1)
      #expect(
        try await ada.reader.repository.apply(.markAllRead(.all, notNewerThan: nil)).count == 500)
      try await ada.sync()
      #expect(try await bob.sync().marked == 500)
      #expect(try await bob.marks().count == 500)
      ada.reader.clock.advance(1)
      try await ada.reader.repository.apply(.undo)
      try await ada.sync()
      #expect(try await bob.sync().marked == 500)
      #expect(try await bob.marks() == [])
    }
  }

  @Test func `Subscriptions go both ways, with their names and folders, and end on both`()
    async throws
  {
    try await withFeed { url, _ in
      let folder = try SharedFolder()
      let ada = try await FolderMachine.join(folder)
      let bob = try await FolderMachine.join(folder)
      let feed = try await ada.add(url, title: "Mine", folders: ["Work", "News/Deep"])
      try await ada.add(url + "/2")
      try await ada.sync()
      try await bob.sync()
      func listed(_ machine: borrowing FolderMachine) async throws -> [String] {
        try await machine.feeds().map { feed in
          "\(feed.url.dropFirst(url.count)) \(feed.displayTitle) \(feed.folders)"
        }.sorted()
      }
      #expect(try await listed(bob) == [" Mine [\"News/Deep\", \"Work\"]", "/2 T []"])
      let theirs = try #require(try await bob.feeds().first { $0.url == url })
      bob.reader.clock.advance(1)
      try await bob.reader.repository.rename(theirs.id, to: "Ours")
      try await bob.reader.repository.file(theirs.id, into: ["Home"])
      try await bob.sync()
      try await ada.sync()
      #expect(try await listed(ada) == [" Ours [\"Home\"]", "/2 T []"])
      ada.reader.clock.advance(1)
      try await ada.reader.repository.unsubscribe(feed.id)
      // A document's own name does not take the place of the user's.
      _ = try await bob.reader.repository.refresh(.feeds([theirs.id]))
      #expect(try await listed(bob) == [" Ours [\"Home\"]", "/2 T []"])
      try await ada.sync()
      try await bob.sync()
      #expect(try await listed(bob) == ["/2 T []"])
      // And comes back with its marks, where somebody wants it again.
      _ = try await bob.add(url)
      try await bob.sync()
      try await ada.sync()
      #expect(try await listed(ada) == [" Ours [\"Home\"]", "/2 T []"])
      let report = try await ada.sync()
      #expect(report.warnings == [] && report.feeds == 2)
    }
  }

  @Test func `Tags go both ways, those of articles that come in only later as well`() async throws {
    try await withFeed { url, titles in
      let folder = try SharedFolder()
      let ada = try await FolderMachine.join(folder)
      let bob = try await FolderMachine.join(folder)
      let feed = try await ada.add(url)
      try await ada.sync()
      try await bob.sync()
      titles.insert("new")
      _ = try await ada.reader.repository.refresh(.feeds([feed.id]))
      try await ada.tag("one", "Later", true)
      try await ada.tag("new", "Later", true)
      try await ada.sync()
      try await bob.sync()
      #expect(try await bob.tags() == ["one: Later"])
      _ = try await bob.reader.repository.refresh(.feeds(bob.feeds().map(\.id)))
      #expect(try await bob.tags() == ["new: Later", "one: Later"])
      #expect(try await bob.state.waiting == 0)
      try await bob.tag("one", "Later", false)
      try await bob.tag("one", "Work", true)
      #expect(try await bob.state.waiting == 2)
      try await bob.sync()
      try await ada.sync()
      #expect(try await ada.tags() == ["new: Later", "one: Work"])
    }
  }

  @Test(arguments: [0, 1, 40, 1_000_000])
  func `An append that was killed is completed, and said once`(_ bytes: Int) async throws {
    try await withFeed { url, _ in
      let folder = try SharedFolder()
      let ada = try await FolderMachine.join(folder)
      _ = try await ada.add(url)
      try await ada.sync()
      let fault = KilledAppend(folder: folder.path + "/telex", bytes: bytes)
      let killed = FeedRepository(
        store: ada.reader.store,
        sources: FolderSources(others: makeSources(), memory: fault), settings: RefreshSettings(),
        now: { [clock = ada.reader.clock] in clock.now })
      try await ada.mark("one", read: true)
      try await ada.mark("two", starred: true)
      try await killed.deliverOutbox()
      #expect(try await ada.state.waiting == 2)
      let file = try #require(folder.files.first)
      #expect(folder.files.count == 1)
      // What was marked meanwhile comes behind it.
      try await ada.mark("one", read: false)
      try await ada.sync()
      #expect(try await ada.state.waiting == 0)
      let lines = try folder.text(of: file).split(separator: "\n")
      #expect(lines.count { $0.contains("\tread\t") } == 2)
      #expect(lines.count { $0.contains("\tstar\t") } == 1)
      #expect(folder.files == [file])
      let bob = try await FolderMachine.join(folder)
      #expect(try await bob.marks() == ["two unread*"])
    }
  }

  @Test func `A log of which most was replaced is written anew, and nobody notices`() async throws {
    try await withFeed((1...400).map { "story \($0)" }) { url, _ in
      let folder = try SharedFolder()
      let ada = try await FolderMachine.join(folder)
      let bob = try await FolderMachine.join(folder)
      _ = try await ada.add(url)
      try await ada.sync()
      try await bob.sync()
      for _ in 0..<4 {
        ada.reader.clock.advance(1)
        try await ada.reader.repository.apply(.markAllRead(.all, notNewerThan: nil))
        try await ada.sync()
        ada.reader.clock.advance(1)
        try await ada.reader.repository.apply(.undo)
        try await ada.sync()
      }
      try await ada.mark("story 7", read: true, starred: true)
      try await ada.sync()
      let own = try #require(
        try await ada.reader.store.view { try $0.logs.ownLog(of: ada.account.id) })
      #expect(own.file > 1 && folder.files == [own.path])
      let lines = try folder.text(of: own.path).split(separator: "\n")
      #expect(lines.count < 1_700)
      #expect(try await bob.sync().marked == 2)
      #expect(try await bob.marks() == ["story 7*"])
      #expect(try await ada.marks() == ["story 7*"])
      let carol = try await FolderMachine.join(folder)
      #expect(try await carol.marks() == ["story 7*"])
    }
  }

  @Test func `A store that was copied to another machine takes a new name, and nothing is lost`()
    async throws
  {
    try await withFeed { url, _ in
      let folder = try SharedFolder()
      let ada = try await FolderMachine.join(folder)
      _ = try await ada.add(url)
      try await ada.mark("one", read: true)
      try await ada.sync()
      let copy = try await ada.copied()
      try await ada.mark("two", read: true)
      try await copy.mark("three", starred: true)
      try await copy.mark("one", read: false)
      try await ada.sync()
      try await copy.sync()
      try await ada.sync()
      try await copy.sync()
      #expect(try await ada.marks() == ["three unread*", "two"])
      #expect(try await copy.marks() == ["three unread*", "two"])
      let names = Set(folder.files.map { $0.prefix { $0 != "/" } })
      #expect(names.count == 2)
      let carol = try await FolderMachine.join(folder)
      #expect(try await carol.marks() == ["three unread*", "two"])
    }
  }

  @Test func `A log that somebody has removed is written once more under a new name`() async throws
  {
    try await withFeed { url, _ in
      let folder = try SharedFolder()
      let ada = try await FolderMachine.join(folder)
      _ = try await ada.add(url)
      try await ada.mark("one", read: true)
      try await ada.sync()
      let file = try #require(folder.files.first)
      try FileManager.default.removeItem(atPath: folder.path + "/telex/" + file)
      try await ada.mark("two", read: true)
      try await ada.sync()
      #expect(!folder.files.contains(file) && folder.files.count == 1)
      let bob = try await FolderMachine.join(folder)
      #expect(try await bob.marks() == ["one", "two"])
    }
  }

  @Test func `Conflict copies, merge leftovers, torn ends and newer versions do no harm`()
    async throws
  {
    try await withFeed { url, _ in
      let folder = try SharedFolder()
      let ada = try await FolderMachine.join(folder)
      let bob = try await FolderMachine.join(folder)
      _ = try await ada.add(url)
      try await ada.mark("one", read: true)
      try await ada.sync()
      let file = try #require(folder.files.first)
      let text = try folder.text(of: file)
      let machine = file.prefix { $0 != "/" }
      // As Syncthing, Nextcloud and git leave them.
      try folder.write(text, to: "\(machine)/000001.sync-conflict-20260309-070500-ABCDEFG.tsv")
      try folder.write(text, to: "\(machine)/000001 (conflicted copy 2026-03-09 070500).tsv")
      try folder.write("<<<<<<<\n", to: "\(machine)/000001.tsv.orig")
      try folder.write("half", to: "\(machine)/.syncthing.000001.tsv.tmp")
      // One that is still being carried, with a damaged line.
      let other = text.replacing(machine, with: "feed0000feed0000")
      try FileManager.default.createDirectory(
        atPath: folder.path + "/telex/feed0000feed0000", withIntermediateDirectories: false)
      let damaged = other.replacing("\tfeed\t", with: "\tfede\t") + "17\tread\thttp"
      try folder.write(damaged, to: "feed0000feed0000/000001.tsv")
      let report = try await bob.sync()
      #expect(report.warnings.count == 1 && report.warnings[0].hasPrefix("1 lines"))
      #expect(try await bob.marks() == ["one"])

      try FileManager.default.createDirectory(
        atPath: folder.path + "/telex/aaaabbbbccccdddd", withIntermediateDirectories: false)
      try folder.write("telex-log\t2\taaaabbbbccccdddd\n1\n", to: "aaaabbbbccccdddd/000001.tsv")
      try await ada.mark("two", read: true)
      await #expect(throws: SourceError.self) { try await ada.sync() }
      await #expect(throws: SourceError.self) { try await bob.sync() }
      #expect(try await bob.marks() == ["one", "two"])
      let error = try #require(try await bob.state.error)
      #expect(error.message.contains("newer Telex"), "\(error)")
    }
  }
}
