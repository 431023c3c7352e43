internal import Foundation
internal import News

/// Another news reader, whose feeds, articles and settings can come along.
package enum OtherReader: String, CaseIterable, Sendable {
  case newsboat, sfeed, newsraft, liferea, thunderbird, elfeed
}

/// Where another reader keeps what it has.
struct ReaderFiles: Sendable {
  /// The list of feeds, or the folder of it.
  let feeds: String
  /// Nil where there is no such file.
  var settings: String?
  /// A database, or a folder.
  var articles: String?
  /// A list of what was read.
  var read: String?
  /// More lists of feeds.
  var lists: [String] = []

  /// The folder in which the list of feeds lies.
  var folder: String { (feeds as NSString).deletingLastPathComponent }

  /// Looks where the reader has its files by default.
  static func find(_ reader: OtherReader) -> ReaderFiles? {
    switch reader {
    case .newsboat:
      let (config, data) = (Folders.settings + "/newsboat", Folders.data + "/newsboat")
      // Newsboat takes the folders of the XDG specification where the first of them is there.
      return newsboat(config, cache: data) ?? newsboat(Folders.home + "/.newsboat")
    case .sfeed: return sfeed(Folders.home + "/.sfeed")
    case .newsraft:
      let (config, data) = (Folders.settings + "/newsraft", Folders.data + "/newsraft")
      return newsraft(config, database: data) ?? newsraft(Folders.home + "/.newsraft")
    case .liferea:
      return liferea(Folders.settings + "/liferea", database: Folders.data + "/liferea")
    case .thunderbird: return thunderbird(Self.thunderbirdFolders)
    case .elfeed: return elfeed(Folders.home)
    }
  }

  /// Looks in one folder.
  static func find(_ reader: OtherReader, in folder: String) -> ReaderFiles? {
    switch reader {
    case .newsboat:
      if let list = existing(folder) {
        // The rest lies beside it, where the list has the name that newsboat gives it.
        let (name, place) = ((list as NSString).lastPathComponent, list as NSString)
        return name == "urls"
          ? find(.newsboat, in: place.deletingLastPathComponent) : ReaderFiles(feeds: list)
      }
      let isDefault = folder == Folders.settings + "/newsboat"
      return newsboat(folder, cache: isDefault ? Folders.data + "/newsboat" : folder)
    case .sfeed: return sfeed(folder)
    case .newsraft:
      let isDefault = folder == Folders.settings + "/newsraft"
      return newsraft(folder, database: isDefault ? Folders.data + "/newsraft" : folder)
    case .liferea:
      let isDefault = folder == Folders.settings + "/liferea"
      return liferea(folder, database: isDefault ? Folders.data + "/liferea" : folder)
    case .thunderbird: return thunderbird([folder])
    case .elfeed: return elfeed(folder)
    }
  }

  private static func newsboat(_ folder: String, cache: String? = nil) -> ReaderFiles? {
    guard let urls = existing(folder + "/urls") else { return nil }
    return ReaderFiles(
      feeds: urls, settings: existing(folder + "/config"),
      articles: existing((cache ?? folder) + "/cache.db"))
  }

  private static func sfeed(_ folder: String) -> ReaderFiles? {
    guard let list = existing(folder + "/sfeedrc") else { return nil }
    return ReaderFiles(
      feeds: list, articles: folder + "/feeds", read: existing(folder + "/urls"))
  }

  private static func newsraft(_ folder: String, database: String? = nil) -> ReaderFiles? {
    guard let feeds = existing(folder + "/feeds") else { return nil }
    return ReaderFiles(
      feeds: feeds, settings: existing(folder + "/config"),
      articles: existing((database ?? folder) + "/newsraft.sqlite3"))
  }

  private static func liferea(_ folder: String, database: String) -> ReaderFiles? {
    guard let list = existing(folder + "/feedlist.opml") else { return nil }
    return ReaderFiles(feeds: list, articles: existing(database + "/liferea.db"))
  }

  // MARK: Thunderbird

  private static var thunderbirdFolders: [String] {
    [
      "/.thunderbird", "/snap/thunderbird/common/.thunderbird",
      "/.var/app/org.mozilla.Thunderbird/.thunderbird", "/Library/Thunderbird/Profiles",
    ].map { Folders.home + $0 }
  }

  /// Looks for lists of feeds in folders of profiles, in profiles, and in folders of accounts.
  private static func thunderbird(_ folders: [String]) -> ReaderFiles? {
    var lists: [String] = []
    for folder in folders {
      let profiles = [folder] + subfolders(of: folder)
      let accounts = [folder] + profiles.flatMap { subfolders(of: $0 + "/Mail") }
      // The older list stays where a newer one was made of it.
      lists += accounts.compactMap { existing($0 + "/feeds.json") ?? existing($0 + "/feeds.rdf") }
    }
    guard let first = lists.first else { return nil }
    return ReaderFiles(feeds: first, lists: Array(lists.dropFirst()))
  }

  private static func subfolders(of folder: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted().map { folder + "/" + $0 }.filter { path in
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        && isFolder.boolValue
    }
  }

  // MARK: Elfeed

  /// Looks for the database, and for the files of Emacs that may hold lists of feeds, in a user's own folder or in one
  /// that has these files itself.
  private static func elfeed(_ folder: String) -> ReaderFiles? {
    let index = ["/index", "/.elfeed/index", "/elfeed/index"].lazy
      .compactMap { existing(folder + $0) }.first
    let places = ["", "/.emacs.d", "/.config/emacs", "/.config/doom", "/.doom.d"]
    let names = ["elfeed.org", "init.el", "config.el", "custom.el"]
    var lists = places.flatMap { place in names.compactMap { existing(folder + place + "/" + $0) } }
    if let file = existing(folder + "/.emacs") { lists.append(file) }
    // Whoever has Emacs has settings; only some of them are about feeds.
    lists = lists.filter { path in
      path.hasSuffix(".org") || (try? text(path))?.contains("elfeed") == true
    }
    guard let first = lists.first ?? index else { return nil }
    return ReaderFiles(
      feeds: first, articles: index.map { ($0 as NSString).deletingLastPathComponent },
      lists: Array(lists.dropFirst()))
  }

  /// A path as it is written, with the user's own folder for `~`.
  static func expanded(_ path: String) -> String {
    path == "~" || path.hasPrefix("~/")
      ? Folders.home + path.dropFirst() : (path as NSString).expandingTildeInPath
  }

  static func existing(_ path: String) -> String? {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue
    else { return nil }
    return path
  }

  /// The text of a file; bytes that are no UTF-8 are replaced.
  ///
  /// - Parameter limit: in megabytes.
  /// - Throws: `SourceError` where it cannot be read, or has more bytes.
  static func text(_ path: String, limit: Int = 64) throws -> String {
    let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
    guard let size, size <= limit << 20, let data = FileManager.default.contents(atPath: path)
    else {
      throw SourceError(
        .file, stage: .arguments, subject: path,
        message: "it cannot be read, or has more than \(limit) MB",
        next: "check the file; it was not changed")
    }
    return String(decoding: data, as: UTF8.self)
  }
}
