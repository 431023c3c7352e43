package import News
internal import Text

/// The lists of feeds of elfeed: in the settings of Emacs, and in the files of elfeed-org.
package enum ElfeedFeeds {
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
    /// The files of elfeed-org, as they are written, and where that is.
    package internal(set) var files: [(path: String, place: LibraryPlace)] = []
    /// The folder of files in Org mode, as it is written.
    package internal(set) var outlineFolder: String?
    package internal(set) var outlineNames = OutlineNames()

    package init() {}

    /// Adds what another file says.
    package mutating func merge(_ other: Settings) {
      merge(other.library)
      hasList = hasList || other.hasList
      folder = other.folder ?? folder
      files += other.files
      outlineFolder = other.outlineFolder ?? outlineFolder
      if other.outlineNames != OutlineNames() { outlineNames = other.outlineNames }
    }

    /// Adds what a file of elfeed-org says.
    package mutating func merge(_ outline: ReaderLibrary) { library += outline }

    /// Adds what could not be read.
    package mutating func merge(left: [LeftOut]) { library.left += left }
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
          settings.takeFiles(value, at: LibraryPlace(file, line: item.line))
        case "rmh-elfeed-org-tree-id":
          settings.outlineNames.tree = value?.string ?? settings.outlineNames.tree
        case "rmh-elfeed-org-ignore-tag":
          settings.outlineNames.ignored = value?.string ?? settings.outlineNames.ignored
        // Elsewhere it is a part of an expression.
        case "org-directory" where index == 0 || changing.contains(items[0].symbol ?? ""):
          settings.outlineFolder = value?.string ?? settings.outlineFolder
        default: break
        }
      }
    }
    return settings
  }

  // MARK: Elfeed-org

  /// Tags with a meaning in files of elfeed-org.
  package struct OutlineNames: Hashable, Sendable {
    /// The tree that holds feeds has this tag, or this id.
    package var tree = "elfeed"
    /// What has this tag does not count.
    package var ignored = "ignore"

    package init() {}
  }

  /// Reads a file of elfeed-org: headlines of a tree with the tag `elfeed` are feeds, in folders by their tags and by
  /// headlines without a tag, and rules that tag.
  ///
  /// - Parameter file: the file's name, for messages.
  package static func outline(
    _ text: String, file: String, names: OutlineNames = OutlineNames()
  ) -> ReaderLibrary {
    ElfeedOutline(text, file: file, names: names).library
  }
}

extension ElfeedFeeds.Settings {
  fileprivate mutating func leaveFeeds(at place: LibraryPlace) {
    library.left.append(
      LeftOut(
        "elfeed-feeds", at: place,
        because: "feeds are read of a quoted list alone, as in (setq elfeed-feeds '(…))"))
  }

  /// Takes the list of files of elfeed-org. A name may be one in the folder of Emacs's settings or in that of Org mode, as
  /// `(expand-file-name "elfeed.org" user-emacs-directory)` is.
  fileprivate mutating func takeFiles(_ list: LispForm?, at place: LibraryPlace) {
    let elements = (list?.quoted ?? list)?.elements ?? []
    for element in elements where element.symbol != "list" {
      let place = LibraryPlace(place.file, line: element.line)
      let names = element.elements.compactMap(\.string)
      let symbols = element.elements.compactMap(\.symbol)
      if let path = element.string {
        files.append((path, place))
      } else if names.count == 1,
        symbols == ["locate-user-emacs-file"]
          || [["expand-file-name"], ["concat"]].contains(symbols.dropLast())
            && ["user-emacs-directory", "org-directory"].contains(symbols.last)
      {
        files.append((String(names[0].drop { $0 == "/" }), place))
      } else {
        library.left.append(
          LeftOut(
            "a file of elfeed-org", at: place,
            because: "its name is an expression, and nothing is evaluated: write the name itself"))
      }
    }
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
}
