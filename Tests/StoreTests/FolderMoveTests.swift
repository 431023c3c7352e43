internal import News
internal import Testing

@testable internal import Store

/// Folders that are moved, merged and removed with their feeds.
@Suite struct FolderMoveTests {
  private func folders(_ test: borrowing TestStore) async throws -> [[String]] {
    try await test.store.view { view in
      try view.feeds.all().sorted { $0.id.rawValue < $1.id.rawValue }.map(\.folders)
    }
  }

  @Test(arguments: [
    ("A", "B", [["B", "C"], ["B/In"], ["Ab"], ["B"]]),
    ("A", "X/Y", [["X/Y", "C"], ["X/Y/In"], ["Ab"], ["B"]]),
    ("A/In", "A", [["A", "C"], ["A"], ["Ab"], ["B"]]),
    ("A", "", [["C"], ["In"], ["Ab"], ["B"]]), ("A", "C", [["C"], ["C/In"], ["Ab"], ["B"]]),
  ])
  func `A folder is moved with all in it, taken back and moved again`(
    _ folder: String, _ path: String, _ wanted: [[String]]
  ) async throws {
    let test = try TestStore()
    for (name, places) in [("1", ["A", "C"]), ("2", ["A/In"]), ("3", ["Ab"]), ("4", ["B"])] {
      _ = try await test.subscribe(name, folders: places)
    }
    let before = try await folders(test)
    try await test.store.edit { edit in
      try edit.outlines.keep([], ofFolder: "A/Empty", isKept: true)
    }
    let outlines = try await test.store.view { try $0.outlines.ofFolders().map(\.path) }
    let count = try await test.store.edit {
      try $0.actions.move(FolderID(folder), to: path, isTold: false, now: noon)
    }
    #expect(count == zip(before, wanted).count { $0 != $1 })
    #expect(try await folders(test).map { $0.sorted() } == wanted.map { $0.sorted() })
    let entry = try await test.store.edit { try $0.journal.undo(now: noon) }
    #expect(entry?.kind == .moveFolder && entry?.count == count && entry?.subject == folder)
    #expect(try await folders(test) == before)
    #expect(try await test.store.view { try $0.outlines.ofFolders().map(\.path) } == outlines)
    #expect(try await test.store.edit { try $0.journal.redo(now: noon) }?.kind == .moveFolder)
    #expect(try await folders(test).map { $0.sorted() } == wanted.map { $0.sorted() })
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  @Test func `What was put elsewhere since stays there`() async throws {
    let test = try TestStore()
    let (first, _) = (
      try await test.subscribe("1", folders: ["A"]), try await test.subscribe("2", folders: ["A"])
    )
    try await test.store.edit { edit in
      try edit.actions.move("A", to: "B", isTold: false, now: noon)
      try edit.subscriptions.setFolders(["C"], of: first)
      #expect(try edit.journal.undo(now: noon)?.count == 1)
    }
    #expect(try await folders(test) == [["C"], ["A"]])
  }

  /// All that is known of folders: those of feeds, and the rows of `folderOutline`.
  private func picture(_ test: borrowing TestStore) async throws -> [String] {
    try await folders(test).map { $0.joined(separator: ";") }
      + RawDatabase(test.folder).strings(
        "SELECT folder || ' ' || outline || ' ' || isKept FROM folderOutline ORDER BY folder")
  }

  @Test func `A folder that was made stays without feeds, until it is removed`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe("1")
    let before = try await picture(test)
    #expect(try await test.store.edit { try $0.actions.addFolder("A/In", now: noon) })
    #expect(try await test.store.edit { try $0.actions.addFolder("A/In", now: noon) } == false)
    #expect(try await test.store.edit { try $0.actions.addFolder("", now: noon) } == false)
    #expect(try await test.store.view { try $0.outlines.keptFolders() } == ["A/In"])
    try await test.store.edit { edit in
      try edit.actions.file(feed, into: ["A/In"], isTold: false, now: noon)
      try edit.actions.file(feed, into: [], isTold: false, now: noon)
    }
    #expect(try await test.store.view { try $0.outlines.keptFolders() } == ["A/In"])
    let made = try await picture(test)
    let count = try await test.store.edit {
      try $0.actions.move("A/In", to: "A", isTold: false, now: noon)
    }
    #expect(count == 0)
    #expect(try await test.store.view { try $0.outlines.keptFolders() } == [])
    let journal = try await test.store.view { try $0.journal.entries(limit: 9).map(\.summary) }
    #expect(journal.first == "removed the folder “A/In”")
    #expect(journal.last == "created the folder “A/In”")
    // Over a restart.
    let again = try Store(folder: test.folder)
    #expect(try await again.edit { try $0.journal.undo(now: noon) }?.kind == .moveFolder)
    #expect(try await picture(test) == made)
    for _ in 0..<2 {
      #expect(try await again.edit { try $0.journal.undo(now: noon) }?.kind == .fileFeed)
    }
    #expect(try await again.edit { try $0.journal.undo(now: noon) }?.kind == .addFolder)
    #expect(try await picture(test) == before)
    #expect(try await again.edit { try $0.journal.redo(now: noon) }?.kind == .addFolder)
    #expect(try await test.store.view { try $0.outlines.keptFolders() } == ["A/In"])
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  @Test(arguments: [
    // Without any feed: a folder moves with those in it, into one that is there, and into itself.
    ("E", "X/Y", ["X/Y", "X/Y/In"]), ("E", "K", ["K", "K/In"]), ("E", "E/In", ["E/In", "E/In/In"]),
    // Removed, and those in it stay.
    ("E", "", ["In"]), ("E/In", "E", ["E"]),
    // Only a folder in it is one that stays.
    ("P", "Q", ["E", "E/In", "Q/In"]),
  ])
  func `Folders without feeds are moved, merged and removed, and taken back`(
    _ folder: String, _ path: String, _ wanted: [String]
  ) async throws {
    let test = try TestStore()
    _ = try await test.subscribe("1", folders: ["A"])
    let note = OutlineAttribute("fz:icon", value: "x")
    try await test.store.edit { edit in
      for kept in ["E", "E/In", "K", "P/In"] { _ = try edit.actions.addFolder(kept, now: noon) }
      try edit.outlines.keep([note], ofFolder: "K")
      try edit.outlines.keep([note], ofFolder: "E")
    }
    let before = try await picture(test)
    let count = try await test.store.edit {
      try $0.actions.move(FolderID(folder), to: path, isTold: false, now: noon)
    }
    #expect(count == 0)
    let moved = try await picture(test)
    let kept = try await test.store.view { try $0.outlines.keptFolders().map(\.path) }
    #expect(Set(kept) == Set(wanted + ["K", "P/In"]).subtracting(folder == "P" ? ["P/In"] : []))
    #expect(try await test.store.edit { try $0.journal.undo(now: noon) }?.kind == .moveFolder)
    #expect(try await picture(test) == before)
    #expect(try await test.store.edit { try $0.journal.redo(now: noon) }?.kind == .moveFolder)
    #expect(try await picture(test) == moved)
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  @Test func `What was noted about a folder since stays as it is`() async throws {
    let test = try TestStore()
    let note = OutlineAttribute("fz:icon", value: "x")
    try await test.store.edit { edit in
      _ = try edit.actions.addFolder("A", now: noon)
      _ = try edit.actions.addFolder("B", now: noon)
      try edit.actions.move("A", to: "B", isTold: false, now: noon)
      try edit.outlines.keep([note], ofFolder: "B")
      #expect(try edit.journal.undo(now: noon)?.kind == .moveFolder)
    }
    let outlines = try await test.store.view { try $0.outlines.ofFolders() }
    #expect(outlines.map(\.path) == ["A", "B"] && outlines[1].attributes == [note])
  }

  @Test func `A folder without feeds is not moved`() async throws {
    let test = try TestStore()
    let count = try await test.store.edit { edit in
      try edit.actions.move("A", to: "B", isTold: false, now: noon)
    }
    #expect(count == 0)
    #expect(try await test.store.edit { try $0.journal.undo(now: noon) } == nil)
  }
}
