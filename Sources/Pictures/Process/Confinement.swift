internal import CPictures

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

/// Rights that the process gives up before it decodes a foreign file.
///
/// On every system: other descriptors than the three standard streams, the environment, the folder; more than 5 s of the
/// processor; opening files (no descriptor is left for one); core dumps; writing more than a rendition where standard
/// output is a file. On Linux also memory over `mostMemory`, new rights, tracing by other processes; and on x86_64 and
/// AArch64 every system call but a few (`picture_filter_calls`), so that it opens no file and no socket and starts no
/// program. On macOS a decoder that is taken over could make a socket or start a process.
/// socket or start a process there.
enum Confinement {
  /// Address space in bytes: the program and its libraries, and three times the largest picture.
  static let mostMemory: UInt64 = 3 << 29
  private static let seconds: UInt64 = 5
  /// More than the largest rendition.
  private static let mostOutput: UInt64 = 64 << 20

  /// Before libraries are opened.
  static func leaveSurroundings() { picture_leave_surroundings() }

  /// Once libraries are open and the file is read. It cannot be undone.
  static func enter() throws(PictureError) {
    // A picture that takes too long says so.
    signal(SIGXCPU) { _ in
      let line: StaticString =
        "telex picture-helper: the picture is too large: it takes more than 5 s to decode\n"
      _ = write(STDERR_FILENO, line.utf8Start, line.utf8CodeUnitCount)
      _exit(PictureError.Status.tooLarge.rawValue)
    }
    // Swift's handler of crashes could start nothing and would be called again for ever.
    for number in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGQUIT] {
      signal(number, SIG_DFL)
    }
    let failed =
      picture_limit_resources(mostMemory, seconds, mostOutput)
      ?? picture_drop_rights() ?? picture_filter_calls()
    if let failed { throw .notConfined(String(cString: failed)) }
  }

  /// Tries the forbidden calls. Each line is a call and its result: `done`, or the number of the error.
  static func attempts() -> [String] {
    ["open", "socket", "fork", "execve", "kill"].enumerated().map { number, name in
      let error = picture_try(Int32(number))
      return "\(name) \(error == 0 ? "done" : error == EPERM ? "EPERM" : "\(error)")"
    }
  }
}
