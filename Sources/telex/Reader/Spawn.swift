internal import Foundation

/// Starts other programs, with an array of arguments and without a shell.
enum Spawn {
  struct Failure: Error {
    var message: String
    /// Whether there is no such program.
    var isMissing = false
  }

  /// - Parameter detached: whether the program gets no terminal and is not waited for; else it has this
  ///   terminal until it ends.
  static func run(_ arguments: [String], detached: Bool) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }

    // The default handling of signals, which this program has changed for itself.
    var defaults = sigset_t()
    sigemptyset(&defaults)
    for signal in [SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGWINCH, SIGCONT, SIGPIPE, SIGCHLD] {
      sigaddset(&defaults, signal)
    }
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    var flags = POSIX_SPAWN_SETSIGDEF
    if detached {
      for descriptor in Int32(0)...2 {
        posix_spawn_file_actions_addopen(
          &actions, descriptor, "/dev/null", descriptor == 0 ? O_RDONLY : O_WRONLY, 0)
      }
      posix_spawnattr_setpgroup(&attributes, 0)
      flags |= POSIX_SPAWN_SETPGROUP
    }
    posix_spawnattr_setflags(&attributes, Int16(flags))

    var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
    pointers.append(nil)
    defer { for pointer in pointers { free(pointer) } }
    var process = pid_t()
    let result = posix_spawnp(&process, arguments[0], &actions, &attributes, pointers, environ)
    guard result == 0 else {
      throw Failure(
        message: "cannot be started: \(String(cString: strerror(result)))",
        isMissing: result == ENOENT)
    }
    if detached {
      reap(process)
    } else {
      var status: Int32 = 0
      while waitpid(process, &status, 0) == -1, errno == EINTR {}
    }
  }

  /// Reaps a process that has ended.
  private static func reap(_ process: pid_t) {
    DispatchQueue.global(qos: .utility).async { @Sendable in
      var status: Int32 = 0
      while waitpid(process, &status, 0) == -1, errno == EINTR {}
    }
  }
}
