internal import Foundation
internal import News
internal import Synchronization
internal import Text

/// Run of a user's program whose output is a document.
///
/// Started by an array of arguments, without a shell, in the user's home (else `/`), as the leader
/// of its own session and process group, with no descriptors but the standard three. After its end,
/// nothing of that group is left.
final class ProgramRun: Sendable {
  /// Bytes of its standard error that are kept, from the end.
  private static let mostErrors = 8 << 10
  /// The interval of checks for its end, a cancellation and the deadline, in milliseconds.
  private static let pause: Int32 = 20
  /// The time to end after SIGTERM.
  private static let grace = Duration.seconds(1)

  private let arguments: [String]
  private let hasInput: Bool
  private let time: Duration
  private let mostBytes: Int
  private let state = Mutex(State())
  /// Signalled by its input and by a cancellation.
  private let isReady = DispatchSemaphore(value: 0)

  private struct State {
    var isCancelled = false
    /// Nil until it is supplied.
    var input: [UInt8]?
    /// Nil before the start and after the wait for its end.
    var process: pid_t?
  }

  /// - Parameters:
  ///   - arguments: the program, looked up in `PATH`, and its arguments.
  ///   - input: nil to supply it later: the program is started meanwhile.
  ///   - time: the limit from the input on.
  ///   - mostBytes: of its output.
  init(_ arguments: [String], input: [UInt8]? = [], time: Duration, mostBytes: Int) {
    self.arguments = arguments
    hasInput = input?.isEmpty != true
    self.time = time
    self.mostBytes = mostBytes
    if let input { supply(input) }
  }

  /// Supplies its input, once.
  func supply(_ input: [UInt8]) {
    state.withLock { $0.input = input }
    isReady.signal()
  }

  /// Runs it to its end, once. Cancelling the task ends it.
  ///
  /// - Returns: its standard output.
  /// - Throws: `SourceError` where it cannot be started, fails, takes too long or prints too much;
  ///   `CancellationError`.
  func output() async throws -> [UInt8] {
    try Task.checkCancellation()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        // Waits for a program, so not on the threads that tasks share.
        let thread = Thread { continuation.resume(with: Result { try self.run() }) }
        thread.name = "telex-feed"
        thread.stackSize = 512 << 10
        thread.start()
      }
    } onCancel: {
      // At once, since this process may be about to end.
      state.withLock { state in
        state.isCancelled = true
        if let process = state.process { kill(-process, SIGTERM) }
      }
      isReady.signal()
    }
  }

  // MARK: On its thread

  private func run() throws -> [UInt8] {
    // A program may end before it has read all of its input.
    var brokenPipe = sigset_t()
    sigemptyset(&brokenPipe)
    sigaddset(&brokenPipe, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &brokenPipe, nil)
    var pipes = try Pipes(hasInput: hasInput) { self.failure($0) }
    defer { pipes.close() }
    let process = try start(with: pipes)
    pipes.closeFarEnds()
    state.withLock { $0.process = process }
    isReady.wait()
    let problem: (any Error)?
    do {
      try exchange(with: process, &pipes, until: ContinuousClock.now + time)
      problem = nil
    } catch { problem = error }
    let status = end(process, isAsked: problem == nil)
    if let problem { throw problem }
    guard !state.withLock({ $0.isCancelled }) else { throw CancellationError() }
    guard status == 0 else { throw failed(status, pipes.errors) }
    return pipes.output
  }

  /// Writes the input and reads output until the program has ended.
  private func exchange(
    with process: pid_t, _ pipes: inout Pipes, until deadline: ContinuousClock.Instant
  ) throws {
    guard let input = state.withLock({ $0.input }) else { throw CancellationError() }
    var written = 0
    while true {
      pipes.wait(Self.pause)
      if let inputEnd = pipes.writableInput {
        let count = input[written...].withUnsafeBytes { write(inputEnd, $0.baseAddress, $0.count) }
        written += max(0, count)
        if written == input.count || (count < 0 && errno != EAGAIN && errno != EINTR) {
          pipes.closeInput()
        }
      }
      // Before the last read, so that no output is missed. Its children may hold the pipes open:
      // its own end counts.
      let hasEnded = hasEnded(process)
      repeat {
        try pipes.read(mostErrors: Self.mostErrors)
        guard pipes.output.count <= mostBytes else { throw tooLarge }
      } while hasEnded && pipes.hasMore
      if hasEnded { return }
      guard !state.withLock({ $0.isCancelled }) else { throw CancellationError() }
      guard ContinuousClock.now < deadline else { throw overdue }
    }
  }

  /// Whether the program has ended. Without waiting for it, so that its number is not reused.
  private func hasEnded(_ process: pid_t) -> Bool {
    var info = siginfo_t()
    while waitid(P_PID, id_t(process), &info, WEXITED | WNOHANG | WNOWAIT) == -1 {
      // Another waiter took the status.
      if errno != EINTR { return true }
    }
    return info.si_signo == SIGCHLD
  }

  /// Ends the program and the rest of its group, and waits for it.
  ///
  /// - Parameter isAsked: whether it has ended by itself.
  /// - Returns: the status of `waitpid`.
  private func end(_ process: pid_t, isAsked: Bool) -> Int32 {
    if !isAsked {
      kill(-process, SIGTERM)
      let deadline = ContinuousClock.now + Self.grace
      while !hasEnded(process), ContinuousClock.now < deadline { usleep(5_000) }
    }
    kill(-process, SIGKILL)
    state.withLock { $0.process = nil }
    var status: Int32 = 0
    while waitpid(process, &status, 0) == -1, errno == EINTR {}
    return status
  }

  private func start(with pipes: Pipes) throws -> pid_t {
    var (actions, attributes) = ProgramSession.blank()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    if let input = pipes.inputEnds {
      posix_spawn_file_actions_adddup2(&actions, input.read, 0)
    } else {
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    }
    posix_spawn_file_actions_adddup2(&actions, pipes.outputEnds.write, 1)
    posix_spawn_file_actions_adddup2(&actions, pipes.errorEnds.write, 2)
    ProgramSession.enter(Self.folder, &actions)
    ProgramSession.closeFiles(&actions)
    ProgramSession.set(&attributes)
    var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    var process = pid_t()
    var result: Int32
    let deadline = ContinuousClock.now + Self.grace
    repeat {
      result = posix_spawnp(&process, arguments[0], &actions, &attributes, &pointers, environ)
      // The program's file is being written.
    } while result == ETXTBSY && ContinuousClock.now < deadline && usleep(10_000) == 0
    guard result == 0 else {
      throw failure("it cannot be started: \(String(cString: strerror(result)))")
    }
    return process
  }

  private static var folder: String {
    guard let home = ProcessInfo.processInfo.environment["HOME"], home.hasPrefix("/"),
      access(home, X_OK) == 0
    else { return "/" }
    return home
  }
}

// MARK: - What is told

extension ProgramRun {
  private func failure(
    _ message: String, next: String = "run it by hand, and see what it says"
  ) -> SourceError {
    SourceError(.program, stage: .fetch, subject: arguments[0], message: message, next: next)
  }

  private func failed(_ status: Int32, _ errors: [UInt8]) -> SourceError {
    let signal = status & 0x7F
    let end =
      signal == 0 ? "it ended with exit status \(status >> 8 & 0xFF)" : "signal \(signal) ended it"
    let last = String(decoding: errors, as: UTF8.self).split(whereSeparator: \.isNewline)
      .map { PlainText.sanitized(String($0)) }.last { !$0.isEmpty }
    return failure(last.map { "\(end): \($0.prefix(300))" } ?? end)
  }

  private var tooLarge: SourceError {
    SourceError(
      .tooLarge, stage: .fetch, subject: arguments[0],
      message: "it prints more than \(mostBytes) bytes, and was ended",
      next: "raise max_body_bytes in the settings")
  }

  private var overdue: SourceError {
    failure(
      "it took longer than \(time.components.seconds) s, and was ended",
      next: "see what it waits for, or give it longer: telex set FEED --time-limit 5min")
  }
}

/// Pipes to a program: this process's ends, and the output.
private struct Pipes {
  private(set) var inputEnds: (read: Int32, write: Int32)?
  private(set) var outputEnds: (read: Int32, write: Int32)
  private(set) var errorEnds: (read: Int32, write: Int32)
  private(set) var output: [UInt8] = []
  /// The end of standard error.
  private(set) var errors: [UInt8] = []
  private var isOutputOpen = true
  private var isErrorOpen = true
  private(set) var writableInput: Int32?
  /// Whether the last read returned anything.
  private(set) var hasMore = false

  init(hasInput: Bool, failing: (String) -> SourceError) throws {
    var made: [Int32] = []
    func pipe() throws -> (read: Int32, write: Int32) {
      var ends: [Int32] = [-1, -1]
      guard Foundation.pipe(&ends) == 0 else {
        let error = failing("no pipe can be made: \(String(cString: strerror(errno)))")
        for end in made { Foundation.close(end) }
        throw error
      }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      made += ends
      return (ends[0], ends[1])
    }
    outputEnds = try pipe()
    errorEnds = try pipe()
    if hasInput { inputEnds = try pipe() }
    var own = [outputEnds.read, errorEnds.read]
    if let inputEnds { own.append(inputEnds.write) }
    for end in own { _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK) }
  }

  /// Closes the program's ends.
  mutating func closeFarEnds() {
    for end in [outputEnds.write, errorEnds.write] { Foundation.close(end) }
    (outputEnds.write, errorEnds.write) = (-1, -1)
    if let end = inputEnds?.read { Foundation.close(end) }
    inputEnds?.read = -1
  }

  mutating func closeInput() {
    if let end = inputEnds?.write, end >= 0 { Foundation.close(end) }
    inputEnds?.write = -1
  }

  mutating func close() {
    for ends in [outputEnds, errorEnds, inputEnds ?? (-1, -1)] {
      if ends.read >= 0 { Foundation.close(ends.read) }
      if ends.write >= 0 { Foundation.close(ends.write) }
    }
  }

  /// Waits until something can be read or written.
  mutating func wait(_ milliseconds: Int32) {
    let inputEnd = inputEnds?.write ?? -1
    var waits = [
      pollfd(fd: isOutputOpen ? outputEnds.read : -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: isErrorOpen ? errorEnds.read : -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: inputEnd, events: Int16(POLLOUT), revents: 0),
    ]
    _ = poll(&waits, nfds_t(waits.count), milliseconds)
    writableInput = inputEnd >= 0 && waits[2].revents != 0 ? inputEnd : nil
  }

  mutating func read(mostErrors: Int) throws {
    hasMore = false
    if isOutputOpen {
      let bytes = Self.read(outputEnds.read, &isOutputOpen)
      hasMore = !bytes.isEmpty
      output += bytes
    }
    if isErrorOpen {
      let bytes = Self.read(errorEnds.read, &isErrorOpen)
      hasMore = hasMore || !bytes.isEmpty
      errors += bytes
      if errors.count > mostErrors { errors.removeFirst(errors.count - mostErrors) }
    }
  }

  /// - Parameter isOpen: becomes false at the end.
  private static func read(_ pipe: Int32, _ isOpen: inout Bool) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 64 << 10) { space, count in
      let result = Foundation.read(pipe, space.baseAddress, 64 << 10)
      count = max(0, result)
      if result == 0 || (result < 0 && errno != EAGAIN && errno != EINTR) { isOpen = false }
    }
  }
}

/// Run of this program by itself on untrusted bytes: failures end that process alone.
package enum ConfinedRun {
  /// - Parameters:
  ///   - arguments: the path of the program, and its arguments.
  ///   - time: the limit.
  ///   - mostBytes: of its output.
  /// - Returns: its standard output.
  /// - Throws: `SourceError` where it does not end with status 0 in time; `CancellationError`.
  package static func output(
    of arguments: [String], input: [UInt8], time: Duration, mostBytes: Int
  ) async throws -> [UInt8] {
    try await ProgramRun(arguments, input: input, time: time, mostBytes: mostBytes).output()
  }

  /// Starts the program while its input is still being fetched; the time begins with the input.
  ///
  /// - Parameter input: where it fails, the program is ended.
  /// - Throws: `SourceError` where it does not end with status 0 in time; what `input` throws;
  ///   `CancellationError`.
  package static func output(
    of arguments: [String], time: Duration, mostBytes: Int,
    input: @Sendable () async throws -> [UInt8]
  ) async throws -> [UInt8] {
    let run = ProgramRun(arguments, input: nil, time: time, mostBytes: mostBytes)
    // An error here cancels the run.
    async let output = run.output()
    run.supply(try await input())
    return try await output
  }
}
