internal import Foundation
internal import News

/// Another news reader, whose feeds and articles can come along.
package enum OtherReader: String, CaseIterable, Sendable {
  case newsboat, sfeed
}

/// Where another reader keeps what it has.
struct ReaderFiles: Sendable {
  let feeds: String
  /// Nil where there is no such file.
  var settings: String?
  /// A database, or a folder.
  var articles: String?
  /// A list of what was read.
  var read: String?

  var folder: String { (feeds as NSString).deletingLastPathComponent }

  /// Looks where the reader has its files by default.
  static func find(_ reader: OtherReader) -> ReaderFiles? {
    switch reader {
    case .newsboat:
      let (config, data) = (Folders.settings + "/newsboat", Folders.data + "/newsboat")
      // Newsboat takes the folders of the XDG specification where the first of them is there.
      return newsboat(config, cache: data) ?? newsboat(Folders.home + "/.newsboat")
    case .sfeed: return sfeed(Folders.home + "/.sfeed")
    }
  }

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

  /// The text of a file; invalid UTF-8 is replaced.
  ///
  /// - Throws: `SourceError` where it cannot be read, or has more than 64 MB.
  static func text(_ path: String) throws -> String {
    let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
    guard let size, size <= 64 << 20, let data = FileManager.default.contents(atPath: path)
    else {
      throw SourceError(
        .file, stage: .arguments, subject: path,
        message: "it cannot be read, or has more than 64 MB",
        next: "check the file; it was not changed")
    }
    return String(decoding: data, as: UTF8.self)
  }
}

/// Writer of another reader's keys: to `config.toml`, or to a file beside it where that has keys of its own.
package enum ImportedSettings {
  /// - Parameters:
  ///   - text: the table `keys` in TOML.
  ///   - config: the path of the settings; nil for the default.
  /// - Returns: the path of the written file, and whether it is in use.
  package static func write(
    _ text: String, config: String?, of reader: OtherReader
  ) throws -> (path: String, counts: Bool) {
    let config = config ?? Folders.config
    if try SettingsFile(config).add(keys: text) { return (config, true) }
    let folder = (config as NSString).deletingLastPathComponent
    let path = (folder as NSString).appendingPathComponent("\(reader.rawValue).toml")
    do {
      try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
    } catch {
      throw SourceError(
        .file, stage: .arguments, subject: path,
        message: "it cannot be written: \((error as NSError).localizedDescription)",
        next: "feeds and articles have come; name another file with --config")
    }
    return (path, false)
  }
}
