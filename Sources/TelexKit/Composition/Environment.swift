internal import Foundation

/// Single variables of the environment.
///
/// Foundation's `ProcessInfo.environment` takes all of them apart each time it is asked, which is much of
/// the time of a short command.
package enum Environment {
  package static subscript(name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// Those of the variables that are set.
  package static func values(of names: [String]) -> [String: String] {
    names.reduce(into: [:]) { $0[$1] = self[$1] }
  }
}
