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
