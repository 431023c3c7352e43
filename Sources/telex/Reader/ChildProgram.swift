internal import Foundation
internal import Reader
internal import Synchronization
internal import TelexKit
internal import Text

/// A program that runs beside the reader, without its terminal: its output comes through a pipe.
///
/// It leads a session and a group of processes of its own, so that it cannot ask the terminal for anything, and that
/// all it has started ends with it.
final class ChildProgram: Sendable {
  /// The bytes of output that are read at most; what follows is left out.
  static let longestOutput = 4 << 20
  /// How long it may take after it was asked to end.
  private static let grace = Duration.seconds(2)

  private struct State {
    var process: pid_t?
    var isCancelled = false
  }

  private let state = Mutex(State())
  let executable: String
  /// With the name of the program as the first.
  let arguments: [String]
  /// Variables that are set besides those of this process.
  let variables: [String: String]

  init(_ executable: String, _ arguments: [String], variables: [String: String] = [:]) {
    self.executable = executable
    self.arguments = arguments
    self.variables = variables
  }

  /// Runs it until it ends, or the task is cancelled.
  ///
  /// - Parameters:
  ///   - input: what it reads.
  ///   - receive: takes output, whole lines as far as there are such, as clean text.
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
      // It has not been waited for, so that the number is still its own.
      if let process = state.process { kill(-process, SIGTERM) }
    }
  }

  // MARK: On its thread

  private func follow(_ input: [UInt8], _ receive: (String) -> Void) -> ProgramEnd {
    // A program may end before it has read all of its input.
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
      // What it has left to itself goes on, as the holder of a clipboard does; unless nobody wants it any more.
      if state.isCancelled { kill(-pipes.process, SIGTERM) }
      state.process = nil
      var status: Int32 = 0
      while waitpid(pipes.process, &status, 0) == -1, errno == EINTR {}
      return ProgramEnd(status)
    }
  }

  /// Whether the program has ended. It keeps its number until it is waited for, so that no other has it meanwhile.
  private static func hasEnded(_ process: pid_t) -> Bool {
    var info = siginfo_t()
    while waitid(P_PID, id_t(process), &info, WEXITED | WNOHANG | WNOWAIT) == -1 {
      // Somebody else took the status.
      if errno != EINTR { return true }
    }
    return info.si_signo == SIGCHLD
  }

  private static func isReadable(_ pipe: Int32) -> Bool {
    var wait = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
    return poll(&wait, 1, 0) == 1 && wait.revents & Int16(POLLIN) != 0
  }

  /// Writes the input and reads the output until the program has ended. It is not waited for yet.
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
      // What it has started may hold the pipe open; its own end counts.
      if !hasOutput || !isOpen, Self.hasEnded(process) {
        // It may have written after the look at the pipe, and before its end.
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

  /// Some bytes; nil at the end.
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

    var environment = ProcessInfo.processInfo.environment
    environment.merge(variables) { $1 }
    let words = CTexts(arguments)
    let values = CTexts(environment.map { "\($0)=\($1)" })
    var process = pid_t()
    let result = withExtendedLifetime((words, values)) {
      posix_spawnp(&process, executable, &actions, &attributes, words.pointers, values.pointers)
    }
    guard result == 0 else {
      close(output.read)
      if let input { close(input.write) }
      throw Failure(code: result)
    }
    if let input { _ = fcntl(input.write, F_SETFL, fcntl(input.write, F_GETFL) | O_NONBLOCK) }
    return (process, output.read, input?.write)
  }

  /// A pipe that no other program inherits.
  private static func pipe() throws(Failure) -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    guard Foundation.pipe(&ends) == 0 else { throw Failure(code: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }
}

/// The bytes that a program prints, as text in parts that end with a line as far as there are lines.
struct OutputText {
  /// Of all parts together, in bytes.
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

  /// Without the sequences that steer a terminal (ECMA-48): of those only the introducer is a control character, so
  /// that their parameters would stay as text.
  static func withoutEscapes(_ text: String) -> String {
    guard text.utf8.contains(0x1B) else { return text }
    let control = #/\u{1B}\[[0-?]*[ -\/]*[@-~]|\u{1B}[\]P_^X][^\u{07}\u{1B}]*(?:\u{07}|\u{1B}\\)?/#
    return text.replacing(control, with: "")
  }
}
