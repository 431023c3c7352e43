internal import FileWatch
internal import Foundation
package import News
internal import TOMLKit
internal import Text

extension Settings {
  /// The new names of settings by their former ones, as in `screen.width`.
  package static let renamed: [String: String] = [:]
}

/// The file of settings, whose single values are shown and changed.
package struct SettingsFile: Sendable {
  package let path: String
  private let renamed: [String: String]

  /// - Parameters:
  ///   - path: nil for the default.
  ///   - renamed: the new names of settings by their former ones.
  package init(_ path: String?, renamed: [String: String] = Settings.renamed) {
    self.path = path ?? Folders.config
    self.renamed = renamed
  }

  /// Without its folder.
  package var name: String { (path as NSString).lastPathComponent }

  /// Changes of the file by any process; the first one at once.
  package func changes() -> AsyncStream<Void> { FileWatch.changes(of: [path]) }

  // MARK: Reading

  /// The settings with names of their own, in the order of their declaration.
  ///
  /// - Throws: `SourceError` of stage `.config` for a file that cannot be read, or is no TOML.
  package func values() throws -> [SettingValue] {
    let text = try Settings.text(of: path) ?? ""
    let edit = try TOMLEdit(text, subject: path)
    let table = try Settings.table(of: text, subject: path)
    let mistakes = try Settings.parse(text, subject: path, renamed: renamed).fileMistakes
    return (SettingTable.all + SettingTable.open).flatMap { group in
      group.settings.map { setting in
        let declaration = setting.declaration(in: group.name)
        let path = [group.name, setting.name]
        var shown = SettingValue(
          declaration, value: setting.standard.map(declaration.unquoted), source: .standard)
        let environment = setting.fromEnvironment.map {
          (Self.withoutPassword($0.value), SettingValue.Source.environment(variable: $0.variable))
        }
        if let environment { (shown.value, shown.source) = environment }
        guard let value = table[group.name]?.table?[setting.name] else { return shown }
        shown.mistake = mistakes.first { $0.path == path }.map { $0.bareMessage }
        if shown.mistake == nil, environment == nil || setting.variables?.win != true {
          let place = TableReader(text: text, subject: self.path).place(of: path)
          shown.value = Self.withoutPassword(value.string ?? value.debugDescription)
          shown.source = .file(line: edit.value(at: path)?.line ?? place.line)
        }
        return shown
      }
    }
  }

  /// One setting, or those of a table; all for nil.
  ///
  /// - Throws: `SourceError` where there is none of this name, or as `values()` does.
  package func values(of name: String?) throws -> [SettingValue] {
    let values = try values()
    guard let name else { return values }
    try requireCurrent(name)
    let found = values.filter { $0.name == name || $0.declaration.table == name }
    guard !found.isEmpty else { throw SourceError.unknownSetting(name) }
    return found
  }

  private func requireCurrent(_ name: String) throws {
    if let new = renamed[name] {
      throw SourceError.setting(name, "this setting is now called \(new)", next: nil)
    }
  }

  private static func withoutPassword(_ text: String) -> String {
    text.contains("://") && text.contains("@") ? WebAddress.redacted(text) : text
  }

  // MARK: Changing

  /// Writes a file with all settings as comments.
  ///
  /// - Throws: `SourceError` of stage `.config` where there is a file.
  package func create() throws {
    guard try Settings.text(of: path) == nil else {
      throw SourceError(
        .file, stage: .config, subject: path,
        message: "the file already exists and was not changed",
        next: "telex config show lists the settings, telex config set changes one")
    }
    try write(Settings.template, replacing: false)
  }

  /// Changes one setting, and nothing else in the file, which is made where there is none.
  ///
  /// - Parameters:
  ///   - value: as it is typed, without quotes; nil for the default.
  ///   - check: refuses settings for a reason that only the front end knows.
  /// - Throws: `SourceError`; the file is unchanged then.
  package func set(
    _ name: String, to value: String?, check: (Settings) throws -> Void = { _ in }
  ) throws {
    try requireCurrent(name)
    let declaration = Settings.namedDeclarations.first { $0.name == name }
    guard let path = declaration.map({ [$0.table, $0.key] }) ?? Self.path(name), path.count > 1
    else {
      throw SourceError.unknownSetting(name)
    }
    if let value, let mistake = declaration?.mistake(in: value) {
      throw SourceError.setting(name, mistake, next: nil)
    }
    let former = try Settings.text(of: self.path)
    let edit = try TOMLEdit(former ?? "", subject: self.path)
    let text = try edit.setting(path, to: value.map { Self.literal($0, of: declaration) })
    let settings = try Settings.parse(text, subject: self.path, renamed: renamed)
    if value != nil {
      if let mistake = settings.fileMistakes.first(where: { path.starts(with: $0.path) }) {
        throw SourceError.setting(name, mistake.bareMessage, next: mistake.error.next)
      }
      try check(settings)
    }
    if text != former ?? "" { try write(text, replacing: former != nil) }
  }

  /// Gives renamed settings their new names.
  ///
  /// - Returns: their former names.
  /// - Throws: `SourceError`; the file is unchanged then.
  package func fixNames() throws -> [String] {
    guard var text = try Settings.text(of: path) else { return [] }
    var fixed: [String] = []
    for (old, new) in renamed.sorted(by: { $0.key < $1.key }) {
      guard let (from, to) = Self.path(old).flatMap({ old in Self.path(new).map { (old, $0) } }),
        let value = try TOMLEdit(text, subject: path).value(at: from)?.text
      else { continue }
      text = try TOMLEdit(text, subject: path).setting(to, to: value)
      text = try TOMLEdit(text, subject: path).setting(from, to: nil)
      fixed.append(old)
    }
    if !fixed.isEmpty { try write(text, replacing: true) }
    return fixed
  }

  /// The parts of a name; those with dots of their own are in quotes.
  private static func path(_ name: String) -> [String]? {
    let lines = TOMLLines("\(name) = 0")
    guard lines.assignments.count == 1, let line = lines.assignments.first,
      lines.bytes[line.value].elementsEqual("0".utf8)
    else { return nil }
    return line.path
  }

  private static func literal(_ value: String, of declaration: SettingDeclaration?) -> String {
    switch declaration?.kind {
    case .boolean, .number: value
    case .choice, .text: TOMLEdit.literal(value)
    case .other, nil:
      // A list or table is given as it is to be written.
      (try? TOMLTable(string: "value = \(value)"))?.count == 1 ? value : TOMLEdit.literal(value)
    }
  }

  /// Adds the table `keys` at the end of the file, which is made where there is none.
  ///
  /// - Returns: false where the file has keys of its own; it is unchanged then.
  /// - Throws: `SourceError`; the file is unchanged then.
  package func add(keys table: String) throws -> Bool {
    let former = try Settings.text(of: path)
    guard try Settings.table(of: former ?? "", subject: path)["keys"] == nil else { return false }
    let text = former.map { $0.isEmpty || $0.hasSuffix("\n") ? $0 : $0 + "\n" } ?? ""
    try write(text.isEmpty ? table : text + "\n" + table, replacing: former != nil)
    return true
  }

  private func write(_ text: String, replacing replaces: Bool) throws {
    let folder = (path as NSString).deletingLastPathComponent
    if !replaces, !folder.isEmpty {
      try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }
    var file = try OutputFile(path, replacing: replaces)
    try file.write(Array(text.utf8))
    try file.finish()
  }
}

extension Settings.FileMistake {
  /// Without the name of the setting.
  fileprivate var bareMessage: String {
    let prefix = path.joined(separator: ".") + ": "
    let message = error.message
    return message.lowercased().hasPrefix(prefix.lowercased())
      ? String(message.dropFirst(prefix.count)) : message
  }
}

extension SourceError {
  package static func setting(_ name: String, _ message: String, next: String?) -> SourceError {
    SourceError(.decoding, stage: .arguments, subject: name, message: message, next: next)
  }

  package static func unknownSetting(_ name: String) -> SourceError {
    .setting(
      name, "there is no setting with this name", next: "telex config settings lists all of them")
  }
}
