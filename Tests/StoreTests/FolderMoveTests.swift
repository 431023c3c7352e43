internal import News
internal import Testing

@testable internal import Store

/// Folders that are moved, merged and removed with their feeds.
@Suite struct FolderMoveTests {
  private func folders(_ test: borrowing TestStore) async throws -> [[String]] {
    try await test.store.view { view in
      try view.feeds().sorted { $0.id.rawValue < $1.id.rawValue }.map(\.folders)
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
      try edit.keepOutline([], ofFolder: "A/Empty", isKept: true)
    }
    let outlines = try await test.store.view { try $0.folderOutlines().map(\.path) }
    let count = try await test.store.edit {
      try $0.move(FolderID(folder), to: path, isTold: false, now: noon)
    }
    #expect(count == zip(before, wanted).count { $0 != $1 })
    #expect(try await folders(test).map { $0.sorted() } == wanted.map { $0.sorted() })
    let entry = try await test.store.edit { try $0.undo(now: noon) }
    #expect(entry?.kind == .moveFolder && entry?.count == count && entry?.subject == folder)
    #expect(try await folders(test) == before)
    #expect(try await test.store.view { try $0.folderOutlines().map(\.path) } == outlines)
    #expect(try await test.store.edit { try $0.redo(now: noon) }?.kind == .moveFolder)
    #expect(try await folders(test).map { $0.sorted() } == wanted.map { $0.sorted() })
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  @Test func `What was put elsewhere since stays there`() async throws {
    let test = try TestStore()
    let (first, _) = (
      try await test.subscribe("1", folders: ["A"]), try await test.subscribe("2", folders: ["A"])
    )
    try await test.store.edit { edit in
      try edit.move("A", to: "B", isTold: false, now: noon)
      try edit.setFolders(["C"], of: first)
      #expect(try edit.undo(now: noon)?.count == 1)
    }
    #expect(try await folders(test) == [["C"], ["A"]])
  }

  @Test func `A folder without feeds is not moved`() async throws {
    let test = try TestStore()
    let count = try await test.store.edit { edit in
      try edit.move("A", to: "B", isTold: false, now: noon)
    }
    #expect(count == 0)
    #expect(try await test.store.edit { try $0.undo(now: noon) } == nil)
  }
}
