/// Link to a feed in a page.
package struct FeedLink: Hashable, Sendable {
  /// Absolute, http or https.
  package var url: String
  package var title: String?
  /// The media type in lower case; nil where the page gives none.
  package var type: String?
  /// The first page of the site, where the link was found there because the entered address had
  /// nothing.
  package var foundAt: String?
  /// Whether an https page links to it over plain http: it is requested over https.
  package var isSecured = false

  package init(url: String, title: String? = nil, type: String? = nil, foundAt: String? = nil) {
    self.url = url
    self.title = title
    self.type = type
    self.foundAt = foundAt
  }
}

extension FeedLink {
  /// The name of its format; nil where the page gives none.
  package var formatName: String? {
    guard let type else { return nil }
    if type.contains("rdf") { return "RDF" }
    if type.contains("rss") { return "RSS" }
    if type.contains("atom") { return "Atom" }
    return type.contains("json") ? "JSON Feed" : nil
  }

  package var isOfComments: Bool {
    (title?.lowercased().contains("comment") ?? false) || url.contains("/comments/")
  }
}
