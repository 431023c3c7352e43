internal import FeedServer
internal import Foundation
internal import News
internal import TestSupport
internal import Testing

@testable internal import Services

/// Feeds that a program prints, or that go through one.
@Suite(.timeLimit(.minutes(10)))
struct ProgramFeedTests {
  private static func rss(_ titles: String...) -> String {
    let items = titles.map { "<item><guid>\($0)</guid><title>\($0)</title></item>" }.joined()
    return "<rss version='2.0'><channel><title>Printed</title>\(items)</channel></rss>"
  }

  /// Runs the body with a folder in which it writes scripts.
  private func withFolder(_ body: (String) async throws -> Void) async throws {
    let folder = try temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await body(folder)
  }

  private func script(_ text: String, in folder: String) throws -> String {
    let path = folder + "/script"
    try Data("#!/bin/sh\n\(text)\n".utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return path
  }

  private func run(
    _ words: [String], input: String = "", seconds: Int = 30, mostBytes: Int = 1 << 20
  ) async throws -> String {
    let run = ProgramRun(
      words, input: Array(input.utf8), time: .seconds(seconds), mostBytes: mostBytes)
    return String(decoding: try await run.output(), as: UTF8.self)
  }

  // MARK: The program

  @Test func `A program that gets no pipes leaves no descriptor open`() async throws {
    // All descriptors of a process are used up for this.
    await #expect(processExitsWith: .success) {
      // Whatever the runtime opens for itself is open by now.
      _ = try await ProgramRun(["true"], time: .seconds(30), mostBytes: 1).output()
      var limit = rlimit(rlim_cur: 256, rlim_max: 256)
      #if os(Linux)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      #else
        setrlimit(RLIMIT_NOFILE, &limit)
      #endif
      var taken: [Int32] = []
      while case let descriptor = dup(0), descriptor >= 0 { taken.append(descriptor) }
      // One pipe can be made, or two, and the next one cannot.
      for room in [3, 5] {
        for _ in 0..<room { close(taken.removeLast()) }
        for _ in 0..<3 {
          let run = ProgramRun(["cat"], input: [0], time: .seconds(30), mostBytes: 1)
          do {
            _ = try await run.output()
            exit(2)
          } catch {}
        }
        for _ in 0..<room {
          let descriptor = dup(0)
          guard descriptor >= 0 else { exit(3) }
          taken.append(descriptor)
        }
      }
    }
  }

  @Test func `Arguments arrive as they are, and no shell sees them`() async throws {
    try await withFolder { folder in
      let path = try script(#"for word; do printf '<%s>' "$word"; done"#, in: folder)
      let words = [
        "; touch \(folder)/x", "$(touch \(folder)/x)", "a b", "", "*", "`touch \(folder)/x`",
      ]
      #expect(try await run([path] + words) == words.map { "<\($0)>" }.joined())
      #expect(!FileManager.default.fileExists(atPath: folder + "/x"))
    }
  }

  @Test func `It finds nothing to read, no descriptor of ours, and the home as its folder`()
    async throws
  {
    let (open, path) = (dup(1), "/dev/fd")
    defer { close(open) }
    // One that is not marked to be closed.
    #expect(fcntl(open, F_SETFD, 0) == 0)
    let listed = try await run(["sh", "-c", "cat; ls \(path); pwd"])
    let lines = listed.split(separator: "\n").map(String.init)
    #expect(!lines.contains("\(open)") && lines.contains("0") && lines.contains("2"), "\(listed)")
    let home = try #require(ProcessInfo.processInfo.environment["HOME"])
    #expect(
      lines.last.map { URL(filePath: $0).resolvingSymlinksInPath().path }
        == URL(filePath: home).resolvingSymlinksInPath().path)
  }

  @Test(arguments: [
    (
      "echo out; echo first >&2; echo 'no \u{1B}[31mroute' >&2; echo >&2; exit 3",
      "exit status 3: no [31mroute"
    ),
    ("exit 7", "exit status 7"),
    ("kill -9 $$", "Signal 9 ended it"),
  ])
  func `A failure tells the status and the last line of its errors`(
    text: String, told: String
  ) async throws {
    try await withFolder { folder in
      let path = try script(text, in: folder)
      let error = try #require(
        await #expect(throws: SourceError.self) { try await run([path]) })
      #expect(error.kind == .program && error.line.contains(told), "\(error.line)")
    }
  }

  @Test func `A program that is not there is told by its name`() async throws {
    let error = await #expect(throws: SourceError.self) { try await run(["no-such-program-here"]) }
    #expect(error?.subject == "no-such-program-here" && error?.kind == .program)
  }

  @Test func `A program that reads what is still on its way starts meanwhile`() async throws {
    try await withFolder { folder in
      let mark = folder + "/started"
      let path = try script("echo x >'\(mark)'; cat", in: folder)
      let output = try await ConfinedRun.output(
        of: [path], time: .seconds(30), mostBytes: 100
      ) {
        try #require(await eventually { FileManager.default.fileExists(atPath: mark) })
        return Array("a picture".utf8)
      }
      #expect(String(decoding: output, as: UTF8.self) == "a picture")
    }
  }

  @Test(arguments: [false, true])
  func `What does not come ends the program that waits for it`(isCancelled: Bool) async throws {
    try await withFolder { folder in
      let pipe = folder + "/pipe"
      #expect(mkfifo(pipe, 0o600) == 0)
      let reader = open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      defer { close(reader) }
      let path = try script("exec 3>'\(pipe)'; echo x >&3; cat >/dev/null; sleep 1000", in: folder)
      let task = Task {
        try await ConfinedRun.output(of: [path], time: .seconds(1_000), mostBytes: 100) {
          var byte: UInt8 = 0
          try #require(await eventually { read(reader, &byte, 1) == 1 })
          if isCancelled { try await Task.sleep(for: .seconds(1_000)) }
          throw SourceError(.offline, stage: .fetch, subject: "x", message: "no network")
        }
      }
      if isCancelled {
        try await Task.sleep(for: .milliseconds(200))
        task.cancel()
      }
      let result = await task.result
      if isCancelled {
        #expect(throws: CancellationError.self) { try result.get() }
      } else {
        let error = #expect(throws: SourceError.self) { try result.get() }
        #expect(error?.kind == .offline)
      }
      // The end of the last process that has it open.
      var rest = [UInt8](repeating: 0, count: 9)
      #expect(await eventually { read(reader, &rest, 9) == 0 })
    }
  }

  /// What ends it.
  enum Ending: CaseIterable { case time, size, cancellation, itself }

  @Test(arguments: Ending.allCases)
  func `Whatever ends it, nothing that it has started is left`(_ ending: Ending) async throws {
    try await withFolder { folder in
      let pipe = folder + "/pipe"
      #expect(mkfifo(pipe, 0o600) == 0)
      // Open as long as one of the processes lives.
      let reader = open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      defer { close(reader) }
      let path = try script(
        """
        exec 3>'\(pipe)'; echo x >&3
        sleep 1000 &
        \(ending == .size ? "yes" : ending == .itself ? "exit 0" : "sleep 1000")
        """, in: folder)
      let program = ProgramRun(
        [path], time: ending == .time ? .milliseconds(300) : .seconds(1_000), mostBytes: 100_000)
      let task = Task { try await program.output() }
      if ending == .cancellation {
        var byte: UInt8 = 0
        #expect(await eventually { read(reader, &byte, 1) == 1 })
        task.cancel()
      }
      let result = await task.result
      switch ending {
      case .itself: #expect(try result.get() == [])
      case .cancellation: #expect(throws: CancellationError.self) { try result.get() }
      case .time, .size:
        let error = #expect(throws: SourceError.self) { try result.get() }
        #expect(error?.kind == (ending == .size ? .tooLarge : .program))
      }
      var block = [UInt8](repeating: 0, count: 16)
      #expect(await eventually(within: .seconds(30)) { read(reader, &block, block.count) == 0 })
    }
  }

  @Test func `Input and output larger than any pipe pass through it`() async throws {
    let text = String(repeating: "0123456789abcdef\n", count: 50_000)
    #expect(try await run(["cat"], input: text) == text)
    // One that does not read its input is no failure.
    #expect(try await run(["echo", "done"], input: text) == "done\n")
  }

  // MARK: As a feed

  @Test func `What a program prints is a feed, and the same again is not read again`() async throws
  {
    try await withFolder { folder in
      let path = try script("cat '\(folder)/feed'", in: folder)
      try Data(Self.rss("One", "Two").utf8).write(to: URL(filePath: folder + "/feed"))
      let sources = makeSources()
      let recipe = DocumentRecipe(command: [path, "a b"])
      let located = try await sources.feed(at: "", by: recipe)
      #expect(located.url == "exec:\(path) 'a b'")
      #expect(located.page.entries.map(\.title) == ["One", "Two"])
      #expect(located.page.nextCursor == nil)
      let recipeKept = try #require(located.recipe)
      #expect(DocumentRecipe(recipeKept) == recipe && GraphQLRecipe(recipeKept) == nil)

      var subscribed = feed(located.url)
      subscribed.recipe = recipeKept
      let source = sources.source(for: subscribed)
      let known = KnownPage(bodyDigest: located.page.bodyDigest)
      #expect(try await source.page(after: nil, known: known).body == .unchanged(Validators()))
      try Data(Self.rss("Three").utf8).write(to: URL(filePath: folder + "/feed"))
      guard case .page(let page) = try await source.page(after: nil, known: known).body else {
        Issue.record("it has changed")
        return
      }
      #expect(page.entries.map(\.title) == ["Three"])
    }
  }

  @Test func `The address of such a feed alone runs nothing`() async throws {
    try await withFolder { folder in
      let path = try script("touch '\(folder)/x'", in: folder)
      let sources = makeSources()
      for recipe in [nil, FeedRecipe("{}"), FeedRecipe(#"{"document":2,"command":["\#(path)"]}"#)] {
        var named = feed("exec:\(path)")
        named.recipe = recipe
        let error = await #expect(throws: SourceError.self) { try await sources.page(of: named) }
        #expect(error?.stage == .config, "\(error?.line ?? "")")
      }
      await #expect(throws: SourceError.self) {
        try await sources.discover("exec:\(path)", signIn: nil)
      }
      #expect(!FileManager.default.fileExists(atPath: folder + "/x"))
    }
  }

  @Test func `A filter gets the body of the answer, and only when that has changed`() async throws {
    try await withFolder { folder in
      let path = try script(
        "echo run >> '\(folder)/runs'; sed 's/Advertisement/Filtered/g'", in: folder)
      let titles = ["Advertisement", "Other"]
      try await withAnswers({ _ in .reply(.rss(titles)) }) { base, _, sources in
        let recipe = DocumentRecipe(filter: [path])
        let located = try await sources.feed(at: base + "/feed", by: recipe)
        #expect(located.url == base + "/feed")
        #expect(located.page.entries.map(\.title) == ["Filtered", "Other"])
        var subscribed = feed(located.url)
        subscribed.recipe = located.recipe
        let known = KnownPage(bodyDigest: located.page.bodyDigest)
        let answer = try await sources.source(for: subscribed).page(after: nil, known: known)
        #expect(answer.body == .unchanged(Validators()))
        let runs = try String(contentsOfFile: folder + "/runs", encoding: .utf8)
        #expect(runs == "run\n")
      }
    }
  }
}
