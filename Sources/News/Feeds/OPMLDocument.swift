/// A list of feeds, as feed readers exchange them (OPML).
///
/// `OPML` in Syndication reads and writes it. The value is here because verbs show what was read, and the
/// program does not import Syndication.
package struct OPMLDocument: Hashable, Sendable {
  package struct Feed: Hashable, Sendable {
    /// The feed's address, as the list writes it but for white space. Of what was read it is one of the
    /// web: http or https, with a host.
    package var url: String
    package var title: String?
    /// Whether a user gave the title, so that the feed's own does not take its place.
    package var hasCustomTitle: Bool
    /// Whether its server asks for a name and password, which no list holds.
    package var needsSignIn: Bool
    /// The page the feed belongs to.
    package var htmlUrl: String?
    /// The folders it is in, each as the names from the outermost in. Empty for none.
    package var categories: [[String]]
    /// What other feed readers have noted about it, in the order of the list.
    package var attributes: [OutlineAttribute]

    package init(
      url: String, title: String? = nil, hasCustomTitle: Bool = false,
      needsSignIn: Bool = false, htmlUrl: String? = nil, categories: [[String]] = [],
      attributes: [OutlineAttribute] = []
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

  /// A folder about which there is more to say than which feeds lie in it.
  package struct Folder: Hashable, Sendable {
    /// Its name, after those of the folders around it.
    package var path: [String]
    /// What other feed readers have noted about it.
    package var attributes: [OutlineAttribute]
    /// Whether it belongs to the list without any feed in it.
    package var isKept: Bool

    package init(path: [String], attributes: [OutlineAttribute] = [], isKept: Bool = false) {
      self.path = path
      self.attributes = attributes
      self.isKept = isKept
    }
  }

  /// An outline that is no feed Telex can read.
  package struct Skipped: Hashable, Sendable {
    /// The line on which its tag begins, from 1.
    package var line: Int
    package var title: String?
    /// The address it gives, whatever that is.
    package var url: String?
    /// Why, as a sentence.
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
  /// What was left out, in the order of the list.
  package var skipped: [Skipped]
  /// What is wrong with the list as a whole, as sentences.
  package var warnings: [String]

  package init(
    title: String? = nil, feeds: [Feed] = [], folders: [Folder] = [], skipped: [Skipped] = [],
    warnings: [String] = []
  ) {
    self.title = title
    self.feeds = feeds
    self.folders = folders
    self.skipped = skipped
    self.warnings = warnings
  }
}

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
