internal import CBuild
internal import HTTP
internal import NetworkMonitor
internal import Pictures
internal import Secrets
internal import Store

/// Version of Telex, and what this one was built with.
package enum Version {
  package static let current = "0.1.0"

  /// The address of the project, for people who run servers; empty for none. Packages and forks set
  /// it here.
  static let home = ""

  static var userAgent: String { userAgent(home: home) }

  static func userAgent(home: String) -> String {
    "Telex/\(current)" + (home.isEmpty ? "" : " (+\(home))")
  }

  /// The commit that was built; nil where the build did not know it.
  package static var commit: String? {
    let commit = String(cString: telex_build_commit())
    return commit.isEmpty ? nil : commit
  }

  /// The version of the compiler, and how it was told to build.
  package static var compiler: String {
    #if compiler(>=6.5)
      let swift = "Swift 6.5 or newer"
    #elseif compiler(>=6.4)
      let swift = "Swift 6.4"
    #elseif compiler(>=6.3)
      let swift = "Swift 6.3"
    #else
      let swift = "Swift 6.2"
    #endif
    #if DEBUG
      return "\(swift), for debugging"
    #else
      return swift
    #endif
  }

  /// Libraries that are linked, with the versions that run.
  package static var linkedLibraries: [String] {
    StoreLibraries.versions + [NetworkLibrary.zlibVersion, "gumbo"]
  }

  /// Libraries that are opened when they are needed, and whether each is there. Opens them.
  package static var openedLibraries: [(name: String, isThere: Bool)] {
    let curl = try? NetworkLibrary.load()
    var all = [
      (curl.map { "libcurl \($0.version) (\($0.tls))" } ?? "libcurl", curl != nil),
      ("brotli", NetworkLibrary.hasBrotli),
      (KeyringLibrary.name, KeyringLibrary.isInstalled),
    ]
    if let name = MeteredConnections.library {
      all.append((name, MeteredConnections.isLibraryInstalled))
    }
    return all + PictureLibrary.allCases.map { ($0.title, $0.isInstalled) }
  }
}
