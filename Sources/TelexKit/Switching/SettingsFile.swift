internal import News

extension ReaderLibrary {
  /// The settings as a text for `config.toml`; nil where there are none. Those of one table are together.
  package var toml: String? {
    guard !settings.isEmpty else { return nil }
    var tables: [(name: String, lines: [String])] = []
    for setting in settings {
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
