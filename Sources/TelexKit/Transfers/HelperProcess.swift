internal import Foundation
internal import News

/// The command that runs downloads apart from the terminal and from the process that asks for them.
package struct HelperProcess: Sendable, Hashable {
  var arguments: [String]

  package init(arguments: [String]) { self.arguments = arguments }

  /// Starts it in its own session, so that neither the end of the terminal nor its keys reach it,
  /// with the environment and no open file.
  func start() throws {
    var (actions, attributes) = OwnSession.blank()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor in Int32(0)...2 {
      posix_spawn_file_actions_addopen(
        &actions, descriptor, "/dev/null", descriptor == 0 ? O_RDONLY : O_WRONLY, 0)
    }
    OwnSession.closeFiles(&actions)
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    OwnSession.set(&attributes)

    var pointers: [UnsafeMutablePointer<CChar>?] = (["telex"] + arguments).map { strdup($0) }
    pointers.append(nil)
    defer { for pointer in pointers { free(pointer) } }
    var process = pid_t()
    let result = posix_spawn(
      &process, try ThisProgram.path(), &actions, &attributes, pointers, environ)
    guard result == 0 else {
      throw SourceError(
        .store, stage: .store, subject: "the helper of downloads",
        message: "it cannot be started: \(String(cString: strerror(result)))", next: "try again")
    }
    Self.reap(process)
  }

  /// Waits for its end, so that the system forgets it.
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
