internal import Text

/// An attribute that another feed reader has put on an outline of its list of feeds. Telex makes nothing of
/// it, and gives it back when the list is exported.
package struct OutlineAttribute: Hashable, Sendable, Codable {
  /// As the list writes it, with its prefix: `fullTextXpath`, `frss:cssFullContent`.
  package var name: String
  /// What the prefix stands for; nil without a prefix, or for one that the list does not declare.
  package var namespace: String?
  package var value: String

  package init(_ name: String, namespace: String? = nil, value: String) {
    self.name = name
    self.namespace = namespace
    self.value = value
  }
}

/// Where a feed lies among folders: the names from the outermost in, with `/` between them.
///
/// A slash within a name stands as `∕` (U+2215, division slash), which looks like it and parts
/// nothing; `names` turns it back.
package enum FolderPath {
  private static let substitute = "\u{2215}"

  /// The path of a folder; names of nothing but space are left out.
  package static func joined(_ names: [String]) -> String {
    names.map { PlainText.sanitized($0).replacing("/", with: substitute) }.filter { !$0.isEmpty }
      .joined(separator: "/")
  }

  /// The names of a path, from the outermost in.
  package static func names(_ path: String) -> [String] {
    path.split(separator: "/").map { String($0.replacing(substitute, with: "/")) }
  }
}
