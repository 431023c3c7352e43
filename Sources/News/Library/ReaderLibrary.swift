/// What another news reader keeps, as far as Telex has a counterpart for it, and what it has none for.
package struct ReaderLibrary: Hashable, Sendable {
  /// In the order of the file; an address may be there more than once.
  package var feeds: [LibraryFeed] = []
  package var smartFeeds: [LibrarySmartFeed] = []
  package var rules: [LibraryRule] = []
  /// In the order in which they were given.
  package var keys: [LibraryKey] = []
  /// The path of the database of articles, where the settings name one.
  package var cachePath: String?
  /// What does not come along.
  package var left: [LeftOut] = []

  package init() {}

  package static func += (library: inout ReaderLibrary, more: ReaderLibrary) {
    library.feeds += more.feeds
    library.smartFeeds += more.smartFeeds
    library.rules += more.rules
    library.keys += more.keys
    library.left += more.left
    library.cachePath = more.cachePath ?? library.cachePath
  }
}

/// A subscription of another reader.
package struct LibraryFeed: Hashable, Sendable {
  /// As it is written there.
  package var url: String
  /// What the feed calls itself.
  package var title: String?
  /// The user's own name for it.
  package var ownTitle: String?
  /// The feed's page.
  package var page: String?
  /// The names of folders on the way to the feed, for each folder that it is in.
  package var folders: [[String]]
  /// Whether its articles stand in lists by a filter alone.
  package var isHidden: Bool
  /// The program whose output the feed is, and its arguments; nil for the document at `url`.
  package var command: [String]?
  /// The program that the document at `address` goes through, and its arguments.
  package var filter: [String]?
  /// The address of the document; other than `url` where that names a program too.
  package var address: String
  /// Where it is written.
  package var place: LibraryPlace

  /// Whether a program takes part in it.
  package var runsProgram: Bool { command != nil || filter != nil }

  package init(
    url: String, title: String? = nil, ownTitle: String? = nil, page: String? = nil,
    folders: [[String]] = [], isHidden: Bool = false, at place: LibraryPlace
  ) {
    self.url = url
    self.title = title
    self.ownTitle = ownTitle
    self.page = page
    self.folders = folders
    self.isHidden = isHidden
    address = url
    self.place = place
  }
}

/// A query with a name.
package struct LibrarySmartFeed: Hashable, Sendable {
  package var name: String
  package var query: ArticleQuery
  package var place: LibraryPlace

  package init(name: String, query: ArticleQuery, at place: LibraryPlace) {
    self.name = name
    self.query = query
    self.place = place
  }
}

/// What another reader does with new articles.
package struct LibraryRule: Hashable, Sendable {
  package var query: ArticleQuery
  package var action: RuleAction
  package var place: LibraryPlace

  package init(_ query: ArticleQuery, _ action: RuleAction, at place: LibraryPlace) {
    self.query = query
    self.action = action
    self.place = place
  }
}

/// A line of a file.
package struct LibraryPlace: Hashable, Sendable {
  package var file: String
  /// From 1; nil for the file as a whole.
  package var line: Int?

  package init(_ file: String, line: Int? = nil) {
    self.file = file
    self.line = line
  }

  /// `urls:12`.
  package var text: String { line.map { "\(file):\($0)" } ?? file }
}

/// Something that does not come along, and why.
package struct LeftOut: Hashable, Sendable {
  package var place: LibraryPlace
  /// What it is, as it is written there; no password is in it.
  package var subject: String
  /// A plain phrase, with what can be done instead.
  package var reason: String

  package init(_ subject: String, at place: LibraryPlace, because reason: String) {
    self.subject = subject
    self.place = place
    self.reason = reason
  }
}

/// Keys that another reader's settings give to a command of Telex.
package struct LibraryKey: Hashable, Sendable {
  /// The name of the command; nil where the key is to do nothing.
  package var command: String?
  /// By Telex's name.
  package var key: String
  /// The table of the settings that it belongs to: `[keys]` for all screens, or `[keys.article]`.
  package var table: String

  package init(_ command: String?, key: String, table: String = "[keys]") {
    self.command = command
    self.key = key
    self.table = table
  }
}

/// Another reader whose files lie on this machine.
package struct FoundLibrary: Hashable, Sendable {
  /// As `telex import --from` names it.
  package var reader: String
  /// Feeds in its list.
  package var feeds: Int

  package init(reader: String, feeds: Int) {
    self.reader = reader
    self.feeds = feeds
  }
}
