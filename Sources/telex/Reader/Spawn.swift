internal import Foundation
internal import Reader
internal import Synchronization
internal import TelexKit

/// Starts programs from arguments, without a shell.
enum Spawn {
  struct Failure: Error {
    var message: String
    var isMissing = false
  }

  /// - Parameters:
  ///   - detached: whether it gets no terminal and is not waited for.
  ///   - input: a descriptor to read instead of the terminal.
  ///   - variables: in addition to those of this process.
  ///   - stop: stops this program until it continues; called after Ctrl-Z.
  ///   - onEnd: called at the end of a detached program.
  /// - Returns: nil for a detached program.
  @discardableResult
  static func run(
    _ arguments: [String], detached: Bool, input: Int32? = nil, variables: [String: String] = [:],
    stop: () -> Void = {}, onEnd: @escaping @Sendable (ProgramEnd) -> Void = { _ in }
  ) throws -> ProgramEnd? {
    var (actions, attributes) = OwnSession.blank()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }

    // Resets the signal handlers that this program has changed.
    var defaults = sigset_t()
    sigemptyset(&defaults)
    for signal in [SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGWINCH, SIGCONT, SIGPIPE, SIGCHLD] {
      sigaddset(&defaults, signal)
    }
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    // Threads block signals here; a program that inherits that could not be ended.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
    // A program in the terminal is a job, so that Ctrl-C and Ctrl-Z reach it alone.
    let hasTerminal = !detached && tcgetpgrp(0) == getpgrp()
    if detached || hasTerminal {
      posix_spawnattr_setpgroup(&attributes, 0)
      flags |= POSIX_SPAWN_SETPGROUP
    }
    if detached {
      for descriptor in Int32(0)...2 {
        posix_spawn_file_actions_addopen(
          &actions, descriptor, "/dev/null", descriptor == 0 ? O_RDONLY : O_WRONLY, 0)
      }
    }
    posix_spawnattr_setflags(&attributes, Int16(flags))
    if let input { posix_spawn_file_actions_adddup2(&actions, input, 0) }
    OwnSession.closeFiles(&actions)

    let (process, error) = start(arguments[0], arguments, variables, &actions, &attributes)
    guard error == 0 else {
      throw Failure(
        message: "cannot be started: \(String(cString: strerror(error)))",
        isMissing: error == ENOENT)
    }
    if detached {
      reap(process, onEnd)
      return nil
    }
    return wait(for: process, hasTerminal: hasTerminal, stop: stop)
  }

  /// - Returns: the process, and 0 or an error number.
  static func start(
    _ executable: String, _ arguments: [String], _ variables: [String: String],
    _ actions: inout OwnSession.Actions, _ attributes: inout OwnSession.Attributes
  ) -> (process: pid_t, error: Int32) {
    let environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
    let words = CTexts(arguments)
    let values = CTexts(environment.map { "\($0)=\($1)" })
    var process = pid_t()
    let error = withExtendedLifetime((words, values)) {
      posix_spawnp(&process, executable, &actions, &attributes, words.pointers, values.pointers)
    }
    return (process, error)
  }

  /// A pipe that children do not inherit; nil with `errno` after a failure.
  static func pipe() -> (read: Int32, write: Int32)? {
    var ends: [Int32] = [-1, -1]
    guard Foundation.pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// Lends the terminal to a program until its end.
  private static func wait(for process: pid_t, hasTerminal: Bool, stop: () -> Void) -> ProgramEnd {
    if hasTerminal { giveTerminal(to: process) }
    defer { if hasTerminal { giveTerminal(to: getpgrp()) } }
    if hasTerminal {
      waitedFor.withLock { waited in
        waited.process = process
        // It arrived during the start.
        if let signal = waited.signal { kill(-process, signal) }
      }
    }
    var status: Int32 = 0
    while true {
      var info = siginfo_t()
      let options = WEXITED | WNOWAIT | (hasTerminal ? WSTOPPED : 0)
      if waitid(P_PID, id_t(process), &info, options) == -1, errno == EINTR { continue }
      // The process number stays reserved until `waitpid`, so that no other process gets the
      // signal.
      let ended = waitedFor.withLock { waited in
        let ended = waitpid(process, &status, hasTerminal ? WUNTRACED : 0)
        if ended != process || status & 0xFF != 0x7F { waited.process = nil }
        return ended
      }
      // 0x7F: stopped by a signal.
      guard ended == process, status & 0xFF == 0x7F else { return ProgramEnd(status) }
      let signal = status >> 8 & 0xFF
      // It may have read the terminal before it had it.
      if signal != SIGTTIN, signal != SIGTTOU {
        giveTerminal(to: getpgrp())
        stop()
      }
      giveTerminal(to: process)
      kill(-process, SIGCONT)
    }
  }

  /// The program in the terminal, and the signal that ends this one.
  private static let waitedFor = Mutex<(process: pid_t?, signal: Int32?)>((nil, nil))

  /// Forwards a signal that ends this program to the program in the terminal.
  static func pass(_ signal: Int32) {
    waitedFor.withLock { waited in
      waited.signal = signal
      guard let process = waited.process else { return }
      kill(-process, signal)
      // For a stopped program.
      kill(-process, SIGCONT)
    }
  }

  private static func giveTerminal(to group: pid_t) {
    // SIGTTOU would stop a job in the background.
    var (blocked, before) = (sigset_t(), sigset_t())
    sigemptyset(&blocked)
    sigaddset(&blocked, SIGTTOU)
    pthread_sigmask(SIG_BLOCK, &blocked, &before)
    tcsetpgrp(0, group)
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }

  /// Waits for a detached process.
  private static func reap(_ process: pid_t, _ onEnd: @escaping @Sendable (ProgramEnd) -> Void) {
    DispatchQueue.global(qos: .utility).async { @Sendable in
      var status: Int32 = 0
      var ended = waitpid(process, &status, 0)
      while ended == -1, errno == EINTR { ended = waitpid(process, &status, 0) }
      if ended == process { onEnd(ProgramEnd(status)) }
    }
  }
}

/// Strings as an array of C pointers that ends with null.
private final class CTexts {
  let pointers: [UnsafeMutablePointer<CChar>?]

  init(_ texts: [String]) { pointers = texts.map { strdup($0) } + [nil] }

  deinit { for pointer in pointers { free(pointer) } }
}

extension ProgramEnd {
  /// - Parameter status: of `waitpid`.
  init(_ status: Int32) {
    let signal = status & 0x7F
    self = signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal)
  }

  /// The failure as words after the name of the program; nil for a success and after Ctrl-C.
  var failure: String? {
    switch self {
    case .exited(0), .killed(SIGINT): nil
    case .exited(let status): "has ended with status \(status)"
    case .killed(let signal): "was ended by signal \(signal)"
    case .failed(let reason): reason
    }
  }
}
