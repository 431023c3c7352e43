internal import Foundation

/// Default paths, by the XDG Base Directory Specification.
package enum Folders {
  /// The folder of the store.
  package static var store: String { base("XDG_DATA_HOME", ".local/share") + "/telex" }
  /// The path of the configuration.
  package static var config: String { base("XDG_CONFIG_HOME", ".config") + "/telex/config.toml" }

  /// By the specification, a relative path in the variable is ignored.
  private static func base(_ variable: String, _ fallback: String) -> String {
    if let path = Environment[variable], path.hasPrefix("/") { return path }
    let home = Environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? NSHomeDirectory()
    return home + "/" + fallback
  }
}
