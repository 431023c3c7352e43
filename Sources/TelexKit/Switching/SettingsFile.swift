internal import Foundation
internal import News

/// Where keys of another reader go: into `config.toml` where there is none, else into a file beside it.
package enum ImportedSettings {
  /// - Parameters:
  ///   - text: settings in TOML.
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
