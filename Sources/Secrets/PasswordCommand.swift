internal import Foundation
internal import Synchronization

/// A program that prints a secret: `password_command` of the configuration.
///
/// It is started without a shell, with nothing to read, and its standard error is ours. The first line
/// of what it prints is the secret, which passes through a pipe only.
package struct PasswordCommand: Sendable {
  /// How long the program may take.
  package var limit: Duration = .seconds(10)
  private let template: CommandTemplate

  /// - Parameter template: program and arguments, with `{user}` and `{host}` where they belong.
  /// - Throws: `SecretError` of kind `template`.
  package init(_ template: String) throws {
    self.template = try CommandTemplate(template)
  }

  /// Runs the program and takes the secret from it. Cancelling ends the program, and everything it
  /// started in its process group.
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

/// One run of the program.
private final class PasswordRun: Sendable {
  /// More than any secret has.
  private static let maxBytes = 64 << 10
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
    let (process, output) = try start()
    defer { close(output) }
    var bytes: [UInt8] = []
    var status: Int32?
    do {
      while status == nil {
        // Before the last look at its output, so that nothing of it is missed.
        status = ended(process)
        try read(output, into: &bytes, waits: status == nil)
        try goOn(until: deadline)
      }
    } catch {
      // Once it has been waited for, its number may be somebody else's.
      if status == nil { end(process) }
      throw error
    }
    guard status == 0 else { throw failure("it failed (\(describe(status ?? 0)))") }
    return try firstLine(bytes)
  }

  /// Reads what there is, or what comes within a moment. The end of the output is not waited for: a
  /// daemon that the program left behind may hold it open.
  private func read(_ output: Int32, into bytes: inout [UInt8], waits: Bool) throws {
    var block = [UInt8](repeating: 0, count: 4 << 10)
    var wait = waits ? Self.pause : 0
    while true {
      var entry = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      guard poll(&entry, 1, wait) > 0 else { return }
      let count = Foundation.read(output, &block, block.count)
      guard count > 0 else {
        // The end of the output comes before that of the program.
        if waits { usleep(1_000) }
        return
      }
      bytes += block[..<count]
      guard bytes.count <= Self.maxBytes else { throw failure("it prints more than a secret") }
      wait = 0
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
  private func start() throws -> (process: pid_t, output: Int32) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw failure("no pipe can be made: \(String(cString: strerror(errno)))")
    }
    defer { close(ends[1]) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
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
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
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
      close(ends[0])
      throw failure("it cannot be started: \(String(cString: strerror(result)))")
    }
    return (process, ends[0])
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
