internal import Foundation

/// Default paths, by the XDG Base Directory Specification.
package enum Folders {
  /// The variables of the environment that name the folder of the store and the file of the settings.
  package static let (storeVariable, configVariable) = ("TELEX_STORE", "TELEX_CONFIG")

  /// The variable by which a reader tells its programs whether its user has turned the network off: 1 or 0.
  package static let offlineVariable = "TELEX_OFFLINE"

  /// The variable with a relative path, which would mean another folder wherever Telex is run; nil
  /// for none.
  package static var relativeVariable: String? {
    [storeVariable, configVariable].first {
      Environment[$0].map { !$0.isEmpty && !$0.hasPrefix("/") } ?? false
    }
  }

  static var namedConfig: String? { absolute(configVariable) }

  package static var store: String {
    absolute(storeVariable) ?? data + "/telex"
  }
  package static var config: String {
    namedConfig ?? settings + "/telex/config.toml"
  }

  /// The user's folder of downloads: that of `user-dirs.dirs`, else `Downloads`.
  static var downloads: String {
    let list = settings + "/user-dirs.dirs"
    let text = FileManager.default.contents(atPath: list).map {
      String(decoding: $0, as: UTF8.self)
    }
    for line in text?.split(separator: "\n") ?? [] where line.hasPrefix("XDG_DOWNLOAD_DIR=") {
      let value = line.dropFirst("XDG_DOWNLOAD_DIR=".count).filter { $0 != "\"" }
      if value.hasPrefix("$HOME/") { return home + value.dropFirst("$HOME".count) }
      if value.hasPrefix("/") { return String(value) }
    }
    return home + "/Downloads"
  }

  /// The folder of all programs' settings, and that of their data.
  static var settings: String { base("XDG_CONFIG_HOME", ".config") }
  static var data: String { base("XDG_DATA_HOME", ".local/share") }

  /// The user's own folder.
  package static var home: String {
    Environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? NSHomeDirectory()
  }

  /// By the specification, a relative path in the variable is ignored.
  private static func base(_ variable: String, _ fallback: String) -> String {
    absolute(variable) ?? home + "/" + fallback
  }

  private static func absolute(_ variable: String) -> String? {
    Environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
  }
}

/// Single variables of the environment: `ProcessInfo.environment` would parse all of them at each
/// call.
package enum Environment {
  package static subscript(name: String) -> String? { getenv(name).map { String(cString: $0) } }

  package static func values(of names: [String]) -> [String: String] {
    names.reduce(into: [:]) { $0[$1] = self[$1] }
  }
}
