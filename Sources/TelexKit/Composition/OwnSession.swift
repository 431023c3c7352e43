package import Foundation
internal import News
internal import Services

/// A session of its own for a program that is started.
package enum OwnSession {
  // As in `ProgramSession`.
  #if canImport(Darwin)
    package typealias Actions = posix_spawn_file_actions_t?
    package typealias Attributes = posix_spawnattr_t?
  #else
    package typealias Actions = posix_spawn_file_actions_t
    package typealias Attributes = posix_spawnattr_t
  #endif

  /// To be initialised by posix_spawn_file_actions_init() and posix_spawnattr_init().
  package static func blank() -> (actions: Actions, attributes: Attributes) {
    ProgramSession.blank()
  }

  /// Makes a program the leader of a session, so that neither the end of the terminal nor its keys
  /// reach it, with default signal handling.
  package static func set(_ attributes: inout Attributes) {
    ProgramSession.set(&attributes)
  }

  package static func closeFiles(_ actions: inout Actions) {
    ProgramSession.closeFiles(&actions)
  }
}

package enum ThisProgram {
  /// Its path, also after an update has replaced its file.
  ///
  /// - Throws: `SourceError` where the system does not tell it.
  package static func path() throws -> String {
    #if canImport(Darwin)
      guard let path = Bundle.main.executablePath else {
        throw SourceError(
          .store, stage: .store, subject: "telex",
          message: "this program does not know its own path")
      }
      return path
    #else
      return "/proc/self/exe"
    #endif
  }
}
