// Programs that tests run beside themselves: `ChildProcess` starts one and sees how it ends,
// `BuiltProduct` finds those of this package.

internal import Foundation
internal import Synchronization

/// How a program ended.
package enum ProcessEnding: Hashable, Sendable {
  case exited(Int32)
  case signaled(Int32)

  /// What waitpid() says: the low seven bits are the signal, the next eight the exit status.
  package init(waitStatus: Int32) {
    let signal = waitStatus & 0x7F
    self = signal == 0 ? .exited(waitStatus >> 8 & 0xFF) : .signaled(signal)
  }
}

/// A program that a test runs. It is ended with the value, and leaves no files behind.
///
/// Its output goes to files: it may be of any length and waits for nobody to read it. Foundation's
/// `Process` is not used, because it has crashed with as many open files as a parallel test run has.
package final class ChildProcess: Sendable {
  /// What the program finds on standard input.
  package enum Input: Sendable {
    case text(String)
    case bytes([UInt8])
    /// Nothing, until `closeInput()` says that there is no more to come.
    case held
  }

  /// It could not be started.
  package struct NotStarted: Error {
    package let executable: String
    package let reason: String
  }

  package let identifier: Int32
  private let folder: URL
  private let state: Mutex<State>

  private struct State {
    var ending: ProcessEnding?
    var input: Int32?
  }

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - executable: The path of a program, or a name that is looked for in `PATH`.
  ///   - environment: All of its environment; nil gives it that of the tests.
  ///   - folder: Where it starts.
  /// - Throws: `NotStarted`, or what Foundation says where its files cannot be made.
  package init(
    _ executable: String, _ arguments: [String] = [], input: Input = .text(""),
    environment: [String: String]? = nil, in folder: String? = nil
  ) throws {
    self.folder = FileManager.default.temporaryDirectory
      .appending(path: "telex-child-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
    do {
      var started = try Self.start(
        ["/usr/bin/env", executable] + arguments, input: input, environment: environment,
        in: folder, files: self.folder)
      identifier = started.process
      state = Mutex(State(input: started.input.take()))
    } catch {
      try? FileManager.default.removeItem(at: self.folder)
      throw error
    }
  }

  deinit {
    kill()
    closeInput()
    try? FileManager.default.removeItem(at: folder)
  }

  // MARK: - Seeing it

  /// What it has written to standard output so far.
  package var output: String { text("out") }

  package var outputBytes: [UInt8] { Array(contents("out")) }

  /// What it has written to standard error so far.
  package var errors: String { text("err") }

  /// How it ended; nil while it runs.
  package var ending: ProcessEnding? {
    state.withLock { state in
      var status: Int32 = 0
      if state.ending == nil, waitpid(identifier, &status, WNOHANG) == identifier {
        state.ending = ProcessEnding(waitStatus: status)
      }
      return state.ending
    }
  }

  package var isRunning: Bool { ending == nil }

  /// How it ends; nil where it runs on past the limit, or the task is cancelled.
  package func end(within limit: Duration = .seconds(60)) async -> ProcessEnding? {
    let deadline = ContinuousClock.now + limit
    while true {
      if let ending { return ending }
      guard ContinuousClock.now < deadline, !Task.isCancelled else { return nil }
      try? await Task.sleep(for: .milliseconds(3))
    }
  }

  // MARK: - Ending it

  package func closeInput() {
    guard let input = state.withLock({ $0.input.take() }) else { return }
    close(input)
  }

  package func signal(_ number: Int32) {
    // Not to a number that has been given to somebody else.
    if isRunning { Foundation.kill(identifier, number) }
  }

  /// Ends it at once, and waits until it is gone.
  package func kill() {
    state.withLock { state in
      guard state.ending == nil else { return }
      var status: Int32 = 0
      Foundation.kill(identifier, SIGKILL)
      if waitpid(identifier, &status, 0) == identifier {
        state.ending = ProcessEnding(waitStatus: status)
      }
    }
  }

  private func text(_ name: String) -> String {
    String(decoding: contents(name), as: UTF8.self)
  }

  private func contents(_ name: String) -> Data {
    FileManager.default.contents(atPath: folder.appending(path: name).path) ?? Data()
  }

  // MARK: - Starting it

  private static func start(
    _ words: [String], input: Input, environment: [String: String]?, in folder: String?,
    files: URL
  ) throws -> (process: Int32, input: Int32?) {
    let (standardInput, held) = try standardInput(input, files: files)
    defer { close(standardInput) }
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_adddup2(&actions, standardInput, 0)
    for (descriptor, name) in [(Int32(1), "out"), (2, "err")] {
      posix_spawn_file_actions_addopen(
        &actions, descriptor, files.appending(path: name).path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    }
    // A child of a Dispatch thread would be born with most signals blocked.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    // The shell only changes the folder: not every C library can do so for a child.
    let change = ["/bin/sh", "-c", "cd \"$1\" && shift && exec \"$@\"", "sh"]
    let words = folder.map { change + [$0] + words } ?? words
    let variables = (environment ?? ProcessInfo.processInfo.environment)
      .map { "\($0)=\($1)" }
    var process = pid_t()
    let result = withCStrings(words) { words in
      withCStrings(variables) { variables in
        posix_spawn(&process, words[0]!, &actions, &attributes, words, variables)
      }
    }
    guard result == 0 else {
      if let held { close(held) }
      throw NotStarted(executable: words[0], reason: String(cString: strerror(result)))
    }
    return (process, held)
  }

  /// What the child reads, and the end that is held where it is a pipe. No other child inherits
  /// either: the pipe would not close.
  private static func standardInput(
    _ input: Input, files: URL
  ) throws -> (read: Int32, held: Int32?) {
    switch input {
    case .text(let text):
      return try standardInput(.bytes(Array(text.utf8)), files: files)
    case .bytes(let bytes):
      let file = files.appending(path: "in")
      try Data(bytes).write(to: file)
      return (open(file.path, O_RDONLY | O_CLOEXEC), nil)
    case .held:
      // A pipe with a name, because it can be opened for this process alone in one step.
      let path = files.appending(path: "in").path
      guard mkfifo(path, 0o600) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
      let read = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      let held = open(path, O_WRONLY | O_CLOEXEC)
      _ = fcntl(read, F_SETFL, 0)
      return (read, held)
    }
  }
}
