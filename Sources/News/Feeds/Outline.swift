internal import Text

/// Attribute that another feed reader has added to an outline of its list of feeds. Telex stores it and
/// exports it again.
package struct OutlineAttribute: Hashable, Sendable, Codable {
  /// As the list writes it, with its prefix: `fullTextXpath`, `frss:cssFullContent`.
  package var name: String
  /// The namespace of the prefix; nil without a prefix, or where the list does not declare it.
  package var namespace: String?
  package var value: String

  package init(_ name: String, namespace: String? = nil, value: String) {
    self.name = name
    self.namespace = namespace
    self.value = value
  }
}

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
}
