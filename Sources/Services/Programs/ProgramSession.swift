package import Foundation

/// A session of its own for a program that is started.
package enum ProgramSession {
  /// Set in glibc and macOS under different numbers.
  #if canImport(Darwin)
    private static let flag: Int16 = 0x400
  #else
    private static let flag: Int16 = 0x80
  #endif

  /// Lets a program lead a session, so that neither the end of the terminal nor its keys reach it, with the default
  /// handling of all signals.
  package static func set(_ attributes: inout posix_spawnattr_t) {
    var (defaults, none) = (sigset_t(), sigset_t())
    sigfillset(&defaults)
    sigdelset(&defaults, SIGKILL)
    sigdelset(&defaults, SIGSTOP)
    sigemptyset(&none)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK) | flag)
  }

  /// Closes in a program what this process has inherited without a mark to be closed.
  package static func closeFiles(_ actions: inout posix_spawn_file_actions_t) {
    #if canImport(Glibc)
      // Since glibc 2.34.
      guard let symbol = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") else { return }
      typealias Function =
        @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32
      _ = unsafeBitCast(symbol, to: Function.self)(&actions, 3)
    #endif
  }

  /// Lets a program begin in a folder.
  static func enter(_ folder: String, _ actions: inout posix_spawn_file_actions_t) {
    #if canImport(Darwin)
      posix_spawn_file_actions_addchdir_np(&actions, folder)
    #elseif canImport(Glibc)
      // Since glibc 2.29.
      guard let symbol = dlsym(nil, "posix_spawn_file_actions_addchdir_np") else { return }
      typealias Function =
        @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, UnsafePointer<CChar>) ->
        Int32
      _ = unsafeBitCast(symbol, to: Function.self)(&actions, folder)
    #endif
  }
}
