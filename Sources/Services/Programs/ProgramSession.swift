package import Foundation

// Arguments of posix_spawn(): a structure in glibc, a pointer that is nil at first on macOS, and
// not to be copied there, since adding may move the target.
#if canImport(Darwin)
  package typealias SpawnActions = posix_spawn_file_actions_t?
  package typealias SpawnAttributes = posix_spawnattr_t?
#else
  package typealias SpawnActions = posix_spawn_file_actions_t
  package typealias SpawnAttributes = posix_spawnattr_t
#endif

/// Own session of a started program.
package enum ProgramSession {
  /// To be initialised by posix_spawn_file_actions_init() and posix_spawnattr_init().
  package static func blank() -> (actions: SpawnActions, attributes: SpawnAttributes) {
    #if canImport(Darwin)
      (nil, nil)
    #else
      (SpawnActions(), SpawnAttributes())
    #endif
  }

  /// `POSIX_SPAWN_SETSID`, which has another number on macOS.
  #if canImport(Darwin)
    private static let flag: Int16 = 0x400
  #else
    private static let flag: Int16 = 0x80
  #endif

  /// Makes a program the leader of a session, so that the terminal's end and keys do not reach it,
  /// with the default handling of all signals.
  package static func set(_ attributes: inout SpawnAttributes) {
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

  /// Closes inherited descriptors in the program.
  package static func closeFiles(_ actions: inout SpawnActions) {
    #if canImport(Glibc)
      // Since glibc 2.34.
      guard let symbol = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") else { return }
      typealias Function =
        @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32
      _ = unsafeBitCast(symbol, to: Function.self)(&actions, 3)
    #endif
  }

  static func enter(_ folder: String, _ actions: inout SpawnActions) {
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
