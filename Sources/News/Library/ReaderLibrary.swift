/// Data of another news reader: the parts that Telex can import, and those it cannot.
package struct ReaderLibrary: Hashable, Sendable {
  /// In the order of the file; addresses may repeat.
  package var feeds: [LibraryFeed] = []
  package var smartFeeds: [LibrarySmartFeed] = []
  package var rules: [LibraryRule] = []
  /// In the order they were given.
  package var keys: [LibraryKey] = []
  /// The path of the database of articles, where the settings name one.
  package var cachePath: String?
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

/// Subscription of another reader.
package struct LibraryFeed: Hashable, Sendable {
  /// As written there.
  package var url: String
  /// The feed's own title.
  package var title: String?
  /// The user's title.
  package var ownTitle: String?
  package var page: String?
  /// The names on the path of each of its folders.
  package var folders: [[String]]
  /// Whether only filters list its articles.
  package var isHidden: Bool
  /// The program whose output the feed is, and its arguments; nil for the document at `url`.
  package var command: [String]?
  /// The program that filters the document at `address`, and its arguments.
  package var filter: [String]?
  /// The address of the document, without the programs in `url`.
  package var address: String
  package var place: LibraryPlace

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

/// Named query of another reader.
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

/// Action of another reader on new articles.
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

/// Line of a file.
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

/// Part that is not imported.
package struct LeftOut: Hashable, Sendable {
  package var place: LibraryPlace
  /// As written there, without passwords.
  package var subject: String
  /// A plain phrase, with the alternative.
  package var reason: String

  package init(_ subject: String, at place: LibraryPlace, because reason: String) {
    self.subject = subject
    self.place = place
    self.reason = reason
  }
}

/// Key that another reader's settings bind to a command of Telex.
package struct LibraryKey: Hashable, Sendable {
  /// Nil for a key without effect.
  package var command: String?
  /// As Telex names it.
  package var key: String
  /// Whether the other reader has it on some of its pages only.
  package var isOfOneDialog: Bool

  package init(_ command: String?, key: String, isOfOneDialog: Bool = false) {
    self.command = command
    self.key = key
    self.isOfOneDialog = isOfOneDialog
  }
}

/// Another reader whose files are on this device.
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
