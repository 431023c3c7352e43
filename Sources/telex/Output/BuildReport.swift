internal import CursesTerminal
internal import TelexKit

/// The output of `telex --version`: the version and the libraries.
enum BuildReport {
  static var lines: [String] {
    let opened = Version.openedLibraries + [("FriBidi", CursesTerminal.canOrderText)]
    func names(_ isThere: Bool) -> String {
      let names = opened.filter { $0.isThere == isThere }.map(\.name)
      return names.isEmpty ? "none" : names.joined(separator: ", ")
    }
    return [
      "telex \(Version.current)" + (Version.commit.map { " (\($0))" } ?? ""),
      "built with \(Version.compiler)",
      "linked: \((Version.linkedLibraries + [CursesVersion.text]).joined(separator: ", "))",
      "opened when needed: \(names(true))",
      "not found: \(names(false))",
    ]
  }
}
