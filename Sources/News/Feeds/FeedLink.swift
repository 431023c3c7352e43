/// A feed that a page names.
package struct FeedLink: Hashable, Sendable {
  /// Absolute, http or https.
  package var url: String
  package var title: String?
  /// The media type the page gives, in lower case; nil where it gives none.
  package var type: String?
  /// The first page of the site, where that names it and nothing was at the address that was typed.
  package var foundAt: String?
  /// Whether an https page names it over plain http only: it is asked for over https instead.
  package var isSecured: Bool

  package init(
    url: String, title: String? = nil, type: String? = nil, foundAt: String? = nil,
    isSecured: Bool = false
  ) {
    self.url = url
    self.title = title
    self.type = type
    self.foundAt = foundAt
    self.isSecured = isSecured
  }
}

extension FeedLink {
  /// How its format is called; nil where nobody has said.
  package var formatName: String? {
    guard let type else { return nil }
    if type.contains("rdf") { return "RDF" }
    if type.contains("rss") { return "RSS" }
    if type.contains("atom") { return "Atom" }
    return type.contains("json") ? "JSON Feed" : nil
  }

  /// Whether it has the comments under the articles rather than the articles.
  package var isOfComments: Bool {
    (title?.lowercased().contains("comment") ?? false) || url.contains("/comments/")
  }
}
