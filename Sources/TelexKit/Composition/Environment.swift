internal import Foundation

/// Single variables of the environment.
///
/// `ProcessInfo.environment` parses all of them at each call, which would take much of the time of
/// a short command.
package enum Environment {
  /// The value of a variable; nil where it is not set.
  package static subscript(name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// The values of those variables that are set.
  package static func values(of names: [String]) -> [String: String] {
    names.reduce(into: [:]) { $0[$1] = self[$1] }
  }
}
