internal import ChildProcess
internal import Foundation
internal import Secrets
internal import TestSupport
internal import Testing

/// The store without a keyring: a file that only its owner can read.
@Suite struct FileStoreTests {
  @Test(arguments: [
    "hunter2", "", " two\nlines\t", "pässwörd 密码 👩‍👩‍👧‍👦 \u{202E}", #"{"access":"a\"b","refresh":"/c"}"#,
    String(repeating: "x", count: 100_000),
  ])
  func `What is stored is found again, by another store too`(text: String) async throws {
    let folder = try TestFolder()
    let store = folder.makeStore()
    #expect(try await store.secret(for: name()) == nil)
    try await store.store(Secret(text), for: name())
    #expect(try await store.secret(for: name())?.text == text)
    #expect(try await folder.makeStore().secret(for: name())?.text == text)
    #expect(try permissions(folder.file) == 0o600)
    #expect(try permissions(folder.store) == 0o700)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.store)
    for file in files { #expect(try permissions(folder.store + "/" + file) == 0o600, "\(file)") }
  }

  @Test func `Looking makes no files`() async throws {
    let folder = try TestFolder()
    #expect(try await folder.makeStore().secret(for: name()) == nil)
    #expect(!FileManager.default.fileExists(atPath: folder.store))
  }

  @Test func `A secret is found under its whole name only`() async throws {
    let folder = try TestFolder()
    let store = folder.makeStore()
    try await store.store(Secret("right"), for: name("https://example.org", "me", .bearer))
    for other in [
      try name("http://example.org:443"), try name("https://example.org:444"),
      try name("https://www.example.org"), try name("https://example.org", "you"),
      try name("https://example.org", "me", .password), try name("https://example.org", ""),
    ] {
      #expect(try await store.secret(for: other) == nil, "\(other)")
    }
    #expect(try await store.secret(for: name("https://EXAMPLE.org:443"))?.text == "right")
  }

  @Test func `A new secret takes the place of the old one, of which nothing is left`() async throws
  {
    let folder = try TestFolder()
    let store = folder.makeStore()
    try await store.store(Secret("first-pair"), for: name())
    try await store.store(Secret("second-pair"), for: name())
    #expect(try await store.secret(for: name())?.text == "second-pair")
    #expect(try !folder.everything().contains("first-pair"))
  }

  @Test func `Removing takes one secret and leaves the others`() async throws {
    let folder = try TestFolder()
    let store = folder.makeStore()
    try await store.store(Secret("goes"), for: name())
    try await store.store(Secret("stays"), for: name("https://example.org", "you"))
    // Of the same account, but another kind.
    try await store.store(Secret("stays too"), for: name("https://example.org", "me", .apiKey))
    try await store.remove(name())
    #expect(try await store.secret(for: name()) == nil)
    let key = try await store.secret(for: name("https://example.org", "me", .apiKey))
    #expect(key?.text == "stays too")
    #expect(try await store.secret(for: name("https://example.org", "you"))?.text == "stays")
    #expect(try !folder.everything().contains("goes"))
    // It has gone already.
    try await store.remove(name())
  }

  @Test func `Removing the last secret leaves no file, and nobody's name`() async throws {
    let folder = try TestFolder()
    let store = folder.makeStore()
    try await store.store(Secret("hunter2"), for: name())
    try await store.remove(name())
    #expect(folder.fileText() == nil)
    #expect(try folder.everything().trimmingCharacters(in: .newlines) == "")
  }

  @Test func `A removed secret leaves those of other origins, accounts and kinds`() async throws {
    let folder = try TestFolder()
    let store = folder.makeStore()
    let kept = [
      try name("http://example.org"), try name("https://example.org:8443"),
      try name("https://example.net"), try name("https://example.org", "you", .password),
      try name("https://example.org", "you", .apiKey),
    ]
    for (index, name) in (kept + [try name()]).enumerated() {
      try await store.store(Secret("\(index)"), for: name)
    }
    try await store.remove(name())
    #expect(try await store.secret(for: name()) == nil)
    for (index, name) in kept.enumerated() {
      #expect(try await store.secret(for: name)?.text == "\(index)")
    }
  }

  @Test func `The store says where it keeps things, and says it once`() async throws {
    let folder = try TestFolder()
    let said = Counter()
    let store = SecretStore(folder: folder.store, usesKeyring: false) { _ in said.count() }
    let expected = SecretStore.Backend.file(path: folder.file, because: .turnedOff)
    #expect(await store.backend() == expected)
    try await store.store(Secret("a"), for: name())
    _ = try await store.secret(for: name())
    #expect(said.value == 1)
    #expect("\(expected)".contains(folder.file))
  }

  // MARK: What is refused

  @Test(arguments: [0o644, 0o640, 0o604, 0o660, 0o610])
  func `A file that others may read is refused, with what to do`(mode: Int) async throws {
    let folder = try TestFolder()
    try await folder.makeStore().store(Secret("hunter2"), for: name())
    try set(mode, folder.file)
    let before = folder.fileText()
    try await expectRefusal(folder.file, "chmod 600 '\(folder.file)'", folder.makeStore())
    #expect(folder.fileText() == before)
    #expect(try permissions(folder.file) == mode)
    // What it says helps.
    try set(0o600, folder.file)
    #expect(try await folder.makeStore().secret(for: name())?.text == "hunter2")
  }

  @Test(arguments: [true, false])
  func `A folder that others may read is refused, with what to do`(hasFile: Bool) async throws {
    let folder = try TestFolder()
    let store = folder.makeStore()
    try await store.store(Secret("hunter2"), for: name())
    if !hasFile { try await store.remove(name()) }
    try set(0o755, folder.store)
    let error = await #expect(throws: SecretError.self) {
      try await store.store(Secret("new"), for: name())
    }
    #expect(error?.kind == .permissions)
    #expect(error?.subject == folder.store)
    #expect(error?.next.contains("chmod 700 '\(folder.store)'") == true)
    #expect(try !folder.everything().contains("new"))
  }

  @Test(arguments: [
    "", "{", "[]", "hunter2", #"{"version":2,"secrets":[]}"#, #"{"version":1}"#,
    #"{"version":1,"secrets":[{"origin":"nowhere","account":"","kind":"bearer","secret":"hunter2"}]}"#,
  ])
  func `A damaged file is an error that shows nothing of it, and stays`(text: String) async throws {
    let folder = try TestFolder()
    let store = folder.makeStore()
    try await store.store(Secret("a"), for: name())
    try Data(text.utf8).write(to: URL(filePath: folder.file))
    for attempt in [false, true] {
      let error = await #expect(throws: SecretError.self) {
        if attempt { try await store.store(Secret("b"), for: name()) }
        _ = try await store.secret(for: name())
      }
      #expect(error?.kind == .damaged)
      #expect(error.map { !"\($0)".contains("hunter2") } == true)
      #expect(folder.fileText() == text)
    }
  }

  @Test func `A folder that cannot be made is an error with its name`() async throws {
    let folder = try TestFolder()
    try Data().write(to: URL(filePath: folder.store))
    let store = folder.makeStore()
    #expect(try await store.secret(for: name()) == nil)
    let error = await #expect(throws: SecretError.self) {
      try await store.store(Secret("hunter2"), for: name())
    }
    #expect(error?.kind == .file)
    #expect(error?.subject.hasPrefix(folder.store) == true)
  }

  // MARK: Among processes

  @Test func `Writers in several processes lose nothing of each other`() async throws {
    let folder = try TestFolder()
    let writers = try (0..<4).map {
      try keeper(folder.store, "write", "w\($0)-", "15", environment: [:])
    }
    let store = folder.makeStore()
    for number in 0..<15 {
      try await store.store(Secret("own"), for: name("https://example.org", "own\(number)"))
    }
    for writer in writers {
      let ending = await writer.end()
      #expect(ending == .exited(0), "\(writer.output)")
    }
    for writer in 0..<4 {
      for number in 0..<15 {
        let account = "w\(writer)-\(number)"
        let found = try await store.secret(
          for: name("https://example.org", account, .password))
        #expect(found?.text == "secret of \(account)")
      }
    }
    for number in 0..<15 {
      #expect(try await store.secret(for: name("https://example.org", "own\(number)")) != nil)
    }
  }

  @Test func `A kill at any moment leaves the old secret or the new one`() async throws {
    let folder = try TestFolder()
    let store = folder.makeStore()
    let churned = try name("https://example.org", "churned")
    for round in 1...12 {
      let writer = try keeper(folder.store, "churn", environment: [:])
      let count = Int.random(in: 1...20)
      let isThere = await eventually {
        writer.output.split(separator: "\n").count >= count || !writer.isRunning
      }
      #expect(isThere && writer.isRunning, "\(writer.output.suffix(200)) \(writer.errors)")
      writer.kill()
      let text = try #require(try await store.secret(for: churned)?.text)
      #expect(text.count == 20_000 && Set(text).count == 1, "round \(round)")
      #expect(try permissions(folder.file) == 0o600)
    }
    // What a killed writer left half written goes with the next change.
    try Data("hunter2".utf8).write(to: URL(filePath: folder.file + ".new"))
    try await store.remove(churned)
    #expect(try folder.everything().trimmingCharacters(in: .newlines) == "")
  }

  @Test func `A write that ends half way leaves the old secret whole`() async throws {
    let folder = try TestFolder()
    let store = folder.makeStore()
    try await store.store(Secret("old"), for: name())
    let before = folder.fileText()
    // No file may grow beyond some kilobytes: the write fails in the middle of the document.
    let writer = try ChildProcess(
      "sh",
      [
        "-c", "trap '' XFSZ; ulimit -f 16; exec \"$@\"", "sh",
        BuiltProduct.path(of: "secret-keeper"), folder.store, "put", "https://example.org", "me",
        String(repeating: "x", count: 60_000),
      ], environment: [:])
    let ending = await writer.end()
    #expect(ending == .exited(1))
    #expect(writer.output.contains("the file cannot be written"), "\(writer.output)")
    #expect(folder.fileText() == before)
    #expect(try await store.secret(for: name())?.text == "old")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.store)
    #expect(!files.contains("credentials.json.new"))
  }

  #if os(Linux)
    @Test func `Past the deadline another process is waited for only with what would be lost`()
      async throws
    {
      let folder = try TestFolder()
      try await folder.makeStore().store(Secret("old"), for: name())
      let path = folder.store + "/credentials.lock"
      let lock = open(path, O_RDWR | O_CLOEXEC)
      try #require(flock(lock, LOCK_EX) == 0)
      try Data("4711\n".utf8).write(to: URL(filePath: path), options: [])
      let store = SecretStore(folder: folder.store, usesKeyring: false, deadline: .now)
      for attempt in 0..<3 {
        let error = await #expect(throws: SecretError.self) {
          switch attempt {
          case 0: _ = try await store.secret(for: name())
          case 1: try await store.store(Secret("new"), for: name())
          default: try await store.remove(name())
          }
        }
        #expect(error?.kind == .busy)
        #expect(error?.message.contains("another Telex (process 4711)") == true)
      }
      async let kept: Void = store.store(Secret("renewed"), for: name(), isUrgent: true)
      let isWaiting = try await eventually { try openings(of: path) == 2 }
      #expect(isWaiting)
      close(lock)
      try await kept
      #expect(try await folder.makeStore().secret(for: name())?.text == "renewed")
      // Nobody is named who is not there any more.
      #expect(FileManager.default.contents(atPath: path) == Data())
    }

    /// How many descriptors of this process a file has.
    private func openings(of path: String) throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { descriptor in
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + descriptor))
          == path
      }
    }
  #endif

  @Test func `A change makes a new file and never writes into the old one`() async throws {
    let folder = try TestFolder()
    let store = folder.makeStore()
    try await store.store(Secret("old"), for: name())
    // A second name for the file as it is now. What takes its place is another file, so that a kill
    // at any instant leaves one of the two whole.
    let kept = folder.path + "/kept"
    try FileManager.default.linkItem(atPath: folder.file, toPath: kept)
    let before = folder.fileText()
    try await store.store(Secret("new"), for: name())
    #expect(try String(contentsOfFile: kept, encoding: .utf8) == before)
    #expect(folder.fileText()?.contains("new") == true)
  }

  private func expectRefusal(
    _ subject: String, _ next: String, _ store: SecretStore
  ) async throws {
    for attempt in 0..<3 {
      let error = await #expect(throws: SecretError.self) {
        switch attempt {
        case 0: _ = try await store.secret(for: name())
        case 1: try await store.store(Secret("new"), for: name())
        default: try await store.remove(name())
        }
      }
      #expect(error?.kind == .permissions)
      #expect(error?.subject == subject)
      #expect(error?.next.contains(next) == true, "\(error?.next ?? "")")
    }
  }

  private func set(_ mode: Int, _ path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }
}
