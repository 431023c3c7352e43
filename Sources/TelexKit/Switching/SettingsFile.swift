internal import Foundation
package import News
internal import OtherReaders

extension ReaderLibrary {
  /// The settings as a text for `config.toml`; nil where there are none. Those of one table are together.
  ///
  /// - Parameters:
  ///   - keySet: the set of keys that the reader's users know; nil for none.
  ///   - keys: the keys of commands that differ from it.
  package func toml(
    keySet: String?, keys: [(command: String, keys: [String])]
  ) -> String? {
    var all = settings
    if let keySet { all.append(LibrarySetting("[keys]", "set = \(TOMLText.quoted(keySet))")) }
    for (command, keys) in keys {
      let name = command.contains(".") ? TOMLText.quoted(command) : command
      all.append(LibrarySetting("[keys]", "\(name) = \(TOMLText.list(keys))"))
    }
    guard !all.isEmpty else { return nil }
    var tables: [(name: String, lines: [String])] = []
    for setting in all {
      let isList = setting.table.hasPrefix("[[")
      if !isList, let known = tables.firstIndex(where: { $0.name == setting.table }) {
        tables[known].lines.append(setting.text)
      } else {
        tables.append((setting.table, [setting.text]))
      }
    }
    return tables.map { ([$0.name] + $0.lines).joined(separator: "\n") + "\n" }
      .joined(separator: "\n")
  }
}

/// Where settings of another reader go: into `config.toml` where there is none, else into a file beside it.
package enum ImportedSettings {
  /// - Parameters:
  ///   - config: the path of the settings; nil for the default.
  ///   - reader: the reader that they come from.
  /// - Returns: the path of the file that was written, and whether it counts.
  package static func write(
    _ text: String, config: String?, of reader: OtherReader
  ) throws -> (path: String, counts: Bool) {
    let config = config ?? Folders.config
    let folder = (config as NSString).deletingLastPathComponent
    let counts = !FileManager.default.fileExists(atPath: config)
    let path =
      counts ? config : (folder as NSString).appendingPathComponent("\(reader.rawValue).toml")
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
    } catch {
      throw SourceError(
        .file, stage: .arguments, subject: path,
        message: "it cannot be written: \((error as NSError).localizedDescription)",
        next: "feeds and articles have come; name another file with --config")
    }
    return (path, counts)
  }
}
