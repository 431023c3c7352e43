package import News
internal import Text

/// The lists of feeds of elfeed: in the settings of Emacs, and in the files of elfeed-org.
package enum ElfeedFeeds {
  /// The tree of elfeed-org that holds feeds has this tag, or this id.
  private static let tree = "elfeed"
  /// What changes a list of feeds.
  private static let changing: Set = ["setq", "setq-default", "setopt", "push"]

  // MARK: Settings

  /// What the settings of Emacs say of elfeed.
  package struct Settings: Sendable {
    package internal(set) var library = ReaderLibrary()
    /// Whether a list of feeds was read.
    package internal(set) var hasList = false
    /// The folder of the database, as it is written.
    package internal(set) var folder: String?
    /// The files of elfeed-org, as they are written.
    package internal(set) var files: [String] = []

    package init() {}

    /// Adds what another file says.
    package mutating func merge(_ other: Settings) {
      merge(other.library)
      hasList = hasList || other.hasList
      folder = other.folder ?? folder
      files += other.files
    }

    /// Adds what a file of elfeed-org says.
    package mutating func merge(_ outline: ReaderLibrary) { library += outline }
  }

  /// Reads the settings of Emacs. Nothing is evaluated: a list of feeds is taken where `elfeed-feeds` stands before a
  /// quoted one, as in `(setq elfeed-feeds '(…))`.
  ///
  /// - Parameter file: the file's name, for messages.
  package static func settings(_ text: String, file: String) -> Settings {
    var settings = Settings()
    let forms: [LispForm]
    do { forms = try LispReader.read(text) } catch {
      settings.library.left.append(
        LeftOut(
          "elfeed-feeds", at: LibraryPlace(file, line: error.line),
          because: "the settings of Emacs cannot be read: \(error.message)"))
      return settings
    }
    var open = forms
    var next = 0
    while next < open.count {
      let items = open[next].elements
      next += 1
      open += items.filter { !$0.elements.isEmpty }
      for (index, item) in items.enumerated() {
        let value = index + 1 < items.count ? items[index + 1] : nil
        switch item.symbol {
        case "elfeed-feeds":
          if let list = value?.quoted {
            settings.hasList = true
            for feed in list.elements { settings.library.take(feed, file: file) }
          } else if index > 0, changing.contains(items[0].symbol ?? "") {
            settings.leaveFeeds(at: LibraryPlace(file, line: item.line))
          }
        case "add-to-list" where value?.quoted?.symbol == "elfeed-feeds":
          settings.leaveFeeds(at: LibraryPlace(file, line: item.line))
        case "elfeed-db-directory": settings.folder = value?.string ?? settings.folder
        case "rmh-elfeed-org-files":
          settings.files += (value?.quoted ?? value)?.elements.compactMap(\.string) ?? []
        default: break
        }
      }
    }
    return settings
  }

  // MARK: Elfeed-org

  /// Reads a file of elfeed-org: headlines of a tree with the tag `elfeed` are feeds, folders by their tags.
  ///
  /// - Parameter file: the file's name, for messages.
  package static func outline(_ text: String, file: String) -> ReaderLibrary {
    var library = ReaderLibrary()
    var open: [(level: Int, tags: [String])] = []
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      if line.wholeMatch(of: #/\s*:ID:\s*elfeed\s*/#) != nil, !open.isEmpty {
        open[open.count - 1].tags.append(tree)
      }
      guard let match = line.wholeMatch(of: #/(\*+)\s+(.*?)(?:\s+:([\w@#%:]+):)?\s*/#) else {
        continue
      }
      let level = match.1.count
      while let last = open.last, last.level >= level { open.removeLast() }
      let own = match.3?.split(separator: ":").map(String.init) ?? []
      open.append((level, own))
      let tags = open.flatMap(\.tags)
      guard tags.contains(tree) else { continue }
      library.take(
        headline: match.2, tags: tags.filter { $0 != tree },
        at: LibraryPlace(file, line: index + 1))
    }
    return library
  }
}

extension ElfeedFeeds.Settings {
  fileprivate mutating func leaveFeeds(at place: LibraryPlace) {
    library.left.append(
      LeftOut(
        "elfeed-feeds", at: place,
        because: "feeds are read of a quoted list alone, as in (setq elfeed-feeds '(…))"))
  }
}

extension ReaderLibrary {
  /// A feed of `elfeed-feeds`: an address, or a list of it and tags.
  fileprivate mutating func take(_ form: LispForm, file: String) {
    let place = LibraryPlace(file, line: form.line)
    guard let url = form.string, url.contains("://") else {
      let subject = form.string ?? form.elements.first?.symbol ?? "an element of elfeed-feeds"
      left.append(LeftOut(PlainText.sanitizedName(subject), at: place, because: "it is no address"))
      return
    }
    let tags = form.elements.dropFirst().compactMap(\.symbol)
    feeds.append(
      LibraryFeed(url: url, folders: tags.map { [PlainText.sanitizedName($0)] }, at: place))
  }

  fileprivate mutating func take(headline: Substring, tags: [String], at place: LibraryPlace) {
    if headline.hasPrefix("entry-title:") {
      left.append(
        LeftOut(
          PlainText.sanitizedName(String(headline)), at: place,
          because: "tags by titles do not come; see telex rules add --tag"))
      return
    }
    let link = headline.wholeMatch(of: #/\[\[(.+?)\](?:\[(.*?)\])?\]/#)
    let url = String(link?.1 ?? headline.prefix { !$0.isWhitespace })
    guard url.hasPrefix("http"), url.contains("://") else { return }
    guard !tags.contains("ignore") else {
      left.append(
        LeftOut(WebAddress.redacted(url), at: place, because: "it has the tag “ignore”"))
      return
    }
    let title = link?.2.map { PlainText.sanitizedName(String($0)) }
    feeds.append(
      LibraryFeed(
        url: url, ownTitle: title.flatMap { $0.isEmpty ? nil : $0 },
        folders: tags.map { [PlainText.sanitizedName($0)] }, at: place))
  }
}
