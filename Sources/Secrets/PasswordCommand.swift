internal import Foundation
internal import Synchronization

/// A program that prints a secret: `password_command` of the configuration.
///
/// It is started without a shell, with nothing to read, and with no descriptors but the standard three. The first line
/// of its output is the secret, which passes through a pipe only. Its standard error is part of the error where it
/// fails, and reaches no terminal: a screen may be drawn there.
package struct PasswordCommand: Sendable {
  package var limit: Duration = .seconds(10)
  private let template: CommandTemplate

  /// - Parameter template: program and arguments, with `{user}` and `{host}` where they belong.
  /// - Throws: `SecretError` of kind `template`.
  package init(_ template: String) throws {
    self.template = try CommandTemplate(template)
  }

  /// Runs the program and reads the secret. Cancelling ends the program and its process group.
  ///
  /// - Throws: `SecretError`, or `CancellationError`.
  package func secret(user: String, host: String) async throws -> Secret {
    let arguments = try template.arguments(user: user, host: host)
    try Task.checkCancellation()
    let run = PasswordRun(arguments: arguments, limit: limit)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        // It waits for a program: not on one of the threads that tasks share.
        let thread = Thread { continuation.resume(with: Result { try run.secret() }) }
        thread.name = "telex-password"
        thread.start()
      }
    } onCancel: {
      run.cancel()
    }
  }
}

private final class PasswordRun: Sendable {
  /// More than any secret has.
  private static let maxBytes = 64 << 10
  /// The most of its standard error that is kept, in bytes: the end of it.
  private static let mostErrors = 8 << 10
  /// How often the end of the program and of the task are looked for.
  private static let pause: Int32 = 10

  private let arguments: [String]
  private let limit: Duration
  private let isCancelled = Mutex(false)

  init(arguments: [String], limit: Duration) {
    self.arguments = arguments
    self.limit = limit
  }

  func cancel() { isCancelled.withLock { $0 = true } }

  func secret() throws -> Secret {
    let deadline = ContinuousClock.now + limit
    let started = try start()
    let process = started.process
    var (output, errors) = (started.output, started.errors)
    defer {
      output.close()
      errors.close()
    }
    do {
      var status: Int32?
      do {
        while status == nil {
          // Before the last look at its output, so that nothing of it is missed.
          status = ended(process)
          try read(&output, &errors, waits: status == nil)
          try goOn(until: deadline)
        }
      } catch {
        // Once it has been waited for, its number may be somebody else's.
        if status == nil { end(process) }
        throw error
      }
      guard status == 0 else { throw failure("it failed (\(describe(status ?? 0)))") }
      return try firstLine(output.bytes)
    } catch var error as SecretError {
      error.printed = errors.lastLine
      throw error
    }
  }

  /// Reads the available output, or waits for it a moment. The end of the output is not waited for: a daemon that the
  /// program left behind may hold it open.
  private func read(_ output: inout PipeEnd, _ errors: inout PipeEnd, waits: Bool) throws {
    // More than pipes hold. One that is left behind may write without end.
    for _ in 0..<(waits ? 1 : 64) {
      var entries = [output, errors].map {
        pollfd(fd: $0.isOpen ? $0.descriptor : -1, events: Int16(POLLIN), revents: 0)
      }
      // The end of both comes before that of the program.
      guard poll(&entries, nfds_t(entries.count), waits ? Self.pause : 0) > 0 else { return }
      if entries[0].revents != 0 { output.read() }
      if entries[1].revents != 0 { errors.read() }
      guard output.bytes.count <= Self.maxBytes else {
        throw failure("it prints more than a secret")
      }
      errors.keepLast(Self.mostErrors)
    }
  }

  private func goOn(until deadline: ContinuousClock.Instant) throws {
    guard !isCancelled.withLock({ $0 }) else { throw CancellationError() }
    guard ContinuousClock.now < deadline else {
      throw SecretError(
        .timeout, subject: arguments[0],
        message: "password_command took longer than \(limit.components.seconds) s and was ended",
        next: "run it by hand, and see what it waits for")
    }
  }

  private func firstLine(_ bytes: [UInt8]) throws -> Secret {
    var line = bytes.prefix { $0 != UInt8(ascii: "\n") }
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    guard !line.isEmpty else { throw failure("its first line is empty") }
    guard let text = String(validating: line, as: UTF8.self), !text.contains("\0") else {
      throw failure("its first line is not text")
    }
    return Secret(text)
  }

  private func describe(_ status: Int32) -> String {
    let signal = status & 0x7F
    return signal == 0 ? "exit status \(status >> 8 & 0xFF)" : "signal \(signal)"
  }

  private func failure(_ message: String) -> SecretError {
    SecretError(
      .command, subject: arguments[0], message: "password_command: \(message)",
      next: "run it by hand, and see what it says")
  }
}

// MARK: - The process

extension PasswordRun {
  /// Starts it in a process group of its own.
  private func start() throws -> (process: pid_t, output: PipeEnd, errors: PipeEnd) {
    let output = try makePipe()
    defer { close(output.write) }
    let errors: (read: PipeEnd, write: Int32)
    do { errors = try makePipe() } catch {
      output.read.close()
      throw error
    }
    defer { close(errors.write) }
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
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output.write, 1)
    posix_spawn_file_actions_adddup2(&actions, errors.write, 2)
    #if canImport(Glibc)
      // What libraries have opened without a mark to be closed. Since glibc 2.34.
      if let symbol = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") {
        typealias Function =
          @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32
        _ = unsafeBitCast(symbol, to: Function.self)(&actions, 3)
      }
    #endif
    // Signals as a program expects to find them, whatever this one does with its own.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var defaults = sigset_t()
    sigemptyset(&defaults)
    for signal in [SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGWINCH, SIGCONT, SIGPIPE, SIGCHLD] {
      sigaddset(&defaults, signal)
    }
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

    var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    var process = pid_t()
    let result = posix_spawnp(&process, arguments[0], &actions, &attributes, &pointers, environ)
    guard result == 0 else {
      output.read.close()
      errors.read.close()
      throw failure("it cannot be started: \(String(cString: strerror(result)))")
    }
    return (process, output.read, errors.read)
  }

  /// A pipe that no other program inherits.
  private func makePipe() throws -> (read: PipeEnd, write: Int32) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw failure("no pipe can be made: \(String(cString: strerror(errno)))")
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (PipeEnd(descriptor: ends[0]), ends[1])
  }

  /// How it ended; nil while it runs.
  private func ended(_ process: pid_t) -> Int32? {
    var status: Int32 = 0
    while true {
      let result = waitpid(process, &status, WNOHANG)
      if result == process { return status }
      if result == 0 { return nil }
      // Somebody else took the status: what it was is not known.
      if errno != EINTR { return 0x7F << 8 }
    }
  }

  private func end(_ process: pid_t) {
    kill(-process, SIGKILL)
    var status: Int32 = 0
    while waitpid(process, &status, 0) == -1, errno == EINTR {}
  }
}

/// The end of a pipe from which a program's output is read, and what has come.
private struct PipeEnd {
  let descriptor: Int32
  /// Until its end was read.
  private(set) var isOpen = true
  private(set) var bytes: [UInt8] = []

  init(descriptor: Int32) { self.descriptor = descriptor }

  func close() { _ = Foundation.close(descriptor) }

  mutating func read() {
    var block = [UInt8](repeating: 0, count: 4 << 10)
    let count = Foundation.read(descriptor, &block, block.count)
    if count > 0 { bytes += block[..<count] }
    if count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN) { isOpen = false }
  }

  mutating func keepLast(_ most: Int) {
    if bytes.count > most { bytes.removeFirst(bytes.count - most) }
  }

  /// Nil where there is none but empty ones.
  var lastLine: String? {
    String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
      .last { !$0.allSatisfy(\.isWhitespace) }
  }
}
