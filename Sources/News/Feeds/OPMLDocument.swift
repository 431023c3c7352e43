/// List of feeds, as feed readers exchange them (OPML).
///
/// `OPML` in Syndication reads and writes it. The program does not import that, but shows what was
/// read.
package struct OPMLDocument: Hashable, Sendable {
  package struct Feed: Hashable, Sendable {
    /// As the list writes it, without white space; of a parsed list always http or https.
    package var url: String
    package var title: String?
    /// Whether a user gave the title, so that it is not replaced by the feed's own.
    package var hasCustomTitle: Bool
    /// Whether its server asks for a name and password, which no list contains.
    package var needsSignIn: Bool
    package var htmlUrl: String?
    /// Its folders, each as names from the outermost in.
    package var categories: [[String]]
    /// Attributes of other feed readers, in the order of the list.
    package var attributes: [OutlineAttribute]

    package init(
      url: String, title: String? = nil, hasCustomTitle: Bool = false, needsSignIn: Bool = false,
      htmlUrl: String? = nil, categories: [[String]] = [], attributes: [OutlineAttribute] = []
    ) {
      self.url = url
      self.title = title
      self.hasCustomTitle = hasCustomTitle
      self.needsSignIn = needsSignIn
      self.htmlUrl = htmlUrl
      self.categories = categories
      self.attributes = attributes
    }
  }

  /// Folder with properties of its own.
  package struct Folder: Hashable, Sendable {
    /// From the outermost name in.
    package var path: [String]
    package var attributes: [OutlineAttribute]
    /// Whether it is listed without feeds.
    package var isKept: Bool

    package init(path: [String], attributes: [OutlineAttribute] = [], isKept: Bool = false) {
      self.path = path
      self.attributes = attributes
      self.isKept = isKept
    }
  }

  /// Outline that is no feed.
  package struct Skipped: Hashable, Sendable {
    /// From 1.
    package var line: Int
    package var title: String?
    /// As written.
    package var url: String?
    /// As a sentence.
    package var reason: String

    package init(line: Int, title: String? = nil, url: String? = nil, reason: String) {
      self.line = line
      self.title = title
      self.url = url
      self.reason = reason
    }
  }

  package var title: String?
  /// In the order of the list, each address once.
  package var feeds: [Feed]
  package var folders: [Folder]
  package var skipped: [Skipped] = []
  /// About the list as a whole, as sentences.
  package var warnings: [String]

  package init(
    title: String? = nil, feeds: [Feed] = [], folders: [Folder] = [],
    warnings: [String] = []
  ) {
    self.title = title
    self.feeds = feeds
    self.folders = folders
    self.warnings = warnings
  }
}

/// Attribute of an outline by another feed reader, which Telex stores and exports again.
package struct OutlineAttribute: Hashable, Sendable, Codable {
  /// With its prefix, as written: `fullTextXpath`, `frss:cssFullContent`.
  package var name: String
  /// Of the prefix; nil without a prefix or a declaration.
  package var namespace: String?
  package var value: String

  package init(_ name: String, namespace: String? = nil, value: String) {
    self.name = name
    self.namespace = namespace
    self.value = value
  }
}
