internal import Foundation
internal import News

/// The command that runs downloads apart from the terminal and from the process that asks for them.
package struct HelperProcess: Sendable, Hashable {
  /// Behind the name of the program.
  var arguments: [String]

  /// - Parameter arguments: behind the name of the program.
  package init(arguments: [String]) { self.arguments = arguments }

  /// Set in glibc and macOS under different numbers.
  #if canImport(Darwin)
    private static let ownSession: Int16 = 0x400
  #else
    private static let ownSession: Int16 = 0x80
  #endif

  /// Starts it in a session of its own, so that neither the end of the terminal nor its keys reach it. It
  /// inherits the environment, and no open file.
  func start() throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor in Int32(0)...2 {
      posix_spawn_file_actions_addopen(
        &actions, descriptor, "/dev/null", descriptor == 0 ? O_RDONLY : O_WRONLY, 0)
    }
    Self.closeOthers(&actions)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (defaults, none) = (sigset_t(), sigset_t())
    sigfillset(&defaults)
    sigdelset(&defaults, SIGKILL)
    sigdelset(&defaults, SIGSTOP)
    sigemptyset(&none)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK) | Self.ownSession)

    var pointers: [UnsafeMutablePointer<CChar>?] = (["telex"] + arguments).map { strdup($0) }
    pointers.append(nil)
    defer { for pointer in pointers { free(pointer) } }
    var process = pid_t()
    let result = posix_spawn(&process, try Self.program(), &actions, &attributes, pointers, environ)
    guard result == 0 else {
      throw SourceError(
        .store, stage: .store, subject: "the helper of downloads",
        message: "it cannot be started: \(String(cString: strerror(result)))", next: "try again")
    }
    Self.reap(process)
  }

  /// This program, also after an update has replaced its file.
  private static func program() throws -> String {
    #if canImport(Darwin)
      guard let path = Bundle.main.executablePath else {
        throw SourceError(
          .store, stage: .store, subject: "the helper of downloads",
          message: "this program does not know its own path")
      }
      return path
    #else
      return "/proc/self/exe"
    #endif
  }

  /// Closes what this process has inherited without a mark to be closed.
  private static func closeOthers(_ actions: inout posix_spawn_file_actions_t) {
    #if canImport(Glibc)
      // Since glibc 2.34.
      guard let symbol = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") else { return }
      typealias Function =
        @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32
      _ = unsafeBitCast(symbol, to: Function.self)(&actions, 3)
    #endif
  }

  private static func reap(_ process: pid_t) {
    let thread = Thread {
      var status: Int32 = 0
      while waitpid(process, &status, 0) == -1, errno == EINTR {}
    }
    thread.name = "telex-reaper"
    thread.stackSize = 64 << 10
    thread.start()
  }
}
