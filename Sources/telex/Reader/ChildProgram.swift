internal import Foundation
internal import Reader
internal import Synchronization
internal import TelexKit
internal import Text

/// A program that runs without the terminal; its output comes through a pipe.
///
/// It leads a session and a process group, so that it cannot reach the terminal and all its
/// children end with it.
final class ChildProgram: Sendable {
  /// The most bytes of output that are read.
  static let longestOutput = 4 << 20
  /// The time between SIGTERM and SIGKILL.
  private static let grace = Duration.seconds(2)

  private struct State {
    var process: pid_t?
    var isCancelled = false
  }

  private let state = Mutex(State())
  let executable: String
  /// The name of the program comes first.
  let arguments: [String]
  /// Set in addition to the variables of this process.
  let variables: [String: String]

  init(_ executable: String, _ arguments: [String], variables: [String: String] = [:]) {
    self.executable = executable
    self.arguments = arguments
    self.variables = variables
  }

  /// Runs it until it ends or the task is cancelled.
  ///
  /// - Parameters:
  ///   - receive: called with output as clean text, in whole lines where possible.
  func run(
    input: [UInt8] = [], _ receive: @escaping @Sendable (String) -> Void
  ) async -> ProgramEnd {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let thread = Thread { continuation.resume(returning: self.follow(input, receive)) }
        thread.name = "telex-program"
        thread.stackSize = 512 << 10
        thread.start()
      }
    } onCancel: {
      cancel()
    }
  }

  private func cancel() {
    state.withLock { state in
      state.isCancelled = true
      // It was not waited for, so that the process number is still its own.
      if let process = state.process { kill(-process, SIGTERM) }
    }
  }

  // MARK: On its thread

  private func follow(_ input: [UInt8], _ receive: (String) -> Void) -> ProgramEnd {
    // It may end before it has read all of the input.
    var brokenPipe = sigset_t()
    sigemptyset(&brokenPipe)
    sigaddset(&brokenPipe, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &brokenPipe, nil)
    let pipes: (process: pid_t, output: Int32, input: Int32?)
    do { pipes = try spawn(hasInput: !input.isEmpty) } catch {
      let name = arguments.first ?? executable
      return .failed("\(name) cannot be started: \(String(cString: strerror(error.code)))")
    }
    state.withLock { state in
      state.process = pipes.process
      if state.isCancelled { kill(-pipes.process, SIGTERM) }
    }
    exchange(pipes.process, pipes.output, pipes.input, input, receive)
    return state.withLock { state in
      // Its children go on, such as the holder of a clipboard, unless the task was cancelled.
      if state.isCancelled { kill(-pipes.process, SIGTERM) }
      state.process = nil
      var status: Int32 = 0
      while waitpid(pipes.process, &status, 0) == -1, errno == EINTR {}
      return ProgramEnd(status)
    }
  }

  /// Whether it has ended. The process number stays reserved until `waitpid`.
  private static func hasEnded(_ process: pid_t) -> Bool {
    var info = siginfo_t()
    while waitid(P_PID, id_t(process), &info, WEXITED | WNOHANG | WNOWAIT) == -1 {
      // Another thread took the status.
      if errno != EINTR { return true }
    }
    return info.si_signo == SIGCHLD
  }

  private static func isReadable(_ pipe: Int32) -> Bool {
    var wait = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
    return poll(&wait, 1, 0) == 1 && wait.revents & Int16(POLLIN) != 0
  }

  /// Writes the input and reads the output until it has ended, without `waitpid`.
  private func exchange(
    _ process: pid_t, _ output: Int32, _ inputPipe: Int32?, _ input: [UInt8],
    _ receive: (String) -> Void
  ) {
    defer { close(output) }
    var text = OutputText(limit: Self.longestOutput)
    var written = 0
    var inputPipe = inputPipe
    var isOpen = true
    var asked: ContinuousClock.Instant?
    while true {
      var waits = [pollfd(fd: isOpen ? output : -1, events: Int16(POLLIN), revents: 0)]
      if let inputPipe { waits.append(pollfd(fd: inputPipe, events: Int16(POLLOUT), revents: 0)) }
      _ = poll(&waits, nfds_t(waits.count), 50)
      if waits.count > 1, waits[1].revents != 0, let pipe = inputPipe {
        let count = input[written...].withUnsafeBytes { write(pipe, $0.baseAddress, $0.count) }
        written += max(0, count)
        if written == input.count || (count < 0 && errno != EAGAIN && errno != EINTR) {
          close(pipe)
          inputPipe = nil
        }
      }
      let hasOutput = isOpen && waits[0].revents != 0
      if hasOutput {
        if let bytes = read(from: output) {
          let part = text.take(bytes)
          if !part.isEmpty { receive(part) }
        } else {
          isOpen = false
        }
      }
      // Its children may hold the pipe open; its own end counts.
      if !hasOutput || !isOpen, Self.hasEnded(process) {
        // Output between the last `poll` and its end.
        while isOpen, Self.isReadable(output), let bytes = read(from: output) {
          let part = text.take(bytes)
          if !part.isEmpty { receive(part) }
        }
        break
      }
      if state.withLock({ $0.isCancelled }) {
        asked = asked ?? .now
        if let asked, .now - asked > Self.grace { kill(-process, SIGKILL) }
      }
    }
    if let inputPipe { close(inputPipe) }
    let rest = text.finish()
    if !rest.isEmpty { receive(rest) }
  }

  /// Nil at the end.
  private func read(from pipe: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 64 << 10)
    let count = bytes.withUnsafeMutableBytes { Foundation.read(pipe, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR || errno == EAGAIN { return [] }
    return count > 0 ? Array(bytes[..<count]) : nil
  }

  // MARK: Starting it

  private struct Failure: Error { var code: Int32 }

  private func spawn(
    hasInput: Bool
  ) throws(Failure) -> (process: pid_t, output: Int32, input: Int32?) {
    let output = try Self.pipe()
    let input: (read: Int32, write: Int32)?
    do throws(Failure) { input = hasInput ? try Self.pipe() : nil } catch {
      close(output.read)
      close(output.write)
      throw error
    }
    defer {
      close(output.write)
      if let input { close(input.read) }
    }
    var (actions, attributes) = OwnSession.blank()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let input {
      posix_spawn_file_actions_adddup2(&actions, input.read, 0)
    } else {
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    }
    posix_spawn_file_actions_adddup2(&actions, output.write, 1)
    posix_spawn_file_actions_adddup2(&actions, output.write, 2)
    OwnSession.closeFiles(&actions)
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    OwnSession.set(&attributes)

    let (process, error) = Spawn.start(executable, arguments, variables, &actions, &attributes)
    guard error == 0 else {
      close(output.read)
      if let input { close(input.write) }
      throw Failure(code: error)
    }
    if let input { _ = fcntl(input.write, F_SETFL, fcntl(input.write, F_GETFL) | O_NONBLOCK) }
    return (process, output.read, input?.write)
  }

  private static func pipe() throws(Failure) -> (read: Int32, write: Int32) {
    guard let ends = Spawn.pipe() else { throw Failure(code: errno) }
    return ends
  }
}

/// The output of a program as text, in parts that end with a line where possible.
struct OutputText {
  /// Of all parts, in bytes.
  let limit: Int
  private var pending: [UInt8] = []
  private var count = 0
  private var isCut = false

  init(limit: Int) { self.limit = limit }

  mutating func take(_ bytes: [UInt8]) -> String {
    let room = max(0, limit - count)
    count += bytes.count
    pending += bytes.prefix(room)
    if bytes.count > room, !isCut {
      isCut = true
      return text(upTo: pending.count) + "\n… what follows is left out\n"
    }
    return pending.lastIndex(of: 0x0A).map { text(upTo: $0 + 1) } ?? ""
  }

  mutating func finish() -> String { text(upTo: pending.count) }

  private mutating func text(upTo end: Int) -> String {
    let bytes = pending[..<end]
    pending.removeFirst(end)
    return PlainText.sanitizedBlock(Self.withoutEscapes(String(decoding: bytes, as: UTF8.self)))
  }

  /// Removes escape sequences (ECMA-48). Only their introducers are control characters; the
  /// parameters would stay as text.
  static func withoutEscapes(_ text: String) -> String {
    guard text.utf8.contains(0x1B) else { return text }
    let control = #/\u{1B}\[[0-?]*[ -\/]*[@-~]|\u{1B}[\]P_^X][^\u{07}\u{1B}]*(?:\u{07}|\u{1B}\\)?/#
    return text.replacing(control, with: "")
  }
}
