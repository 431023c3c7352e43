internal import Text

/// Path of a folder: its names from the outermost on, joined by `/`.
///
/// A slash within a name is written as `∕` (U+2215, division slash), which looks like it; `names`
/// restores it.
package enum FolderPath {
  private static let substitute = "\u{2215}"

  /// The path of a folder; blank names are left out.
  package static func joined(_ names: [String]) -> String {
    names.map { PlainText.sanitized($0).replacing("/", with: substitute) }.filter { !$0.isEmpty }
      .joined(separator: "/")
  }

  /// The names of a path, from the outermost on.
  package static func names(_ path: String) -> [String] {
    path.split(separator: "/").map { String($0.replacing(substitute, with: "/")) }
  }

  /// The path that a user has typed, with `/` between folders; names of nothing but space are left out.
  package static func typed(_ text: String) -> String {
    text.split(separator: "/").map { PlainText.sanitized(String($0)) }.filter { !$0.isEmpty }
      .joined(separator: "/")
  }
}
