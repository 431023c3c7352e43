internal import TOMLKit

/// Settings of the network below the heading of a table with names of the user's own, such as
/// `proxy` below `[keys]`: without an error requests would go out as if they were not set.
struct MisplacedSettings {
  /// The settings of the network, and whether each is a table.
  let names: [String: Bool]
  let reader: TableReader

  /// What the file has of them, but for what can be meant as something of its table.
  func mistakes(in file: TOMLTable) -> [TableReader.Mistake] {
    var found: [TableReader.Mistake] = []
    for heading in ["commands", "events", "keys", "macros", "speech", "themes"] {
      for (name, value) in file[heading]?.table ?? TOMLTable() {
        if isSetting(name, value) {
          if !canBeMeant(name, value, below: heading, in: file) {
            found.append(mistake([heading, name]))
          }
          continue
        }
        // Below the heading of one of its tables, such as [keys.article].
        for (inner, value) in value.table ?? TOMLTable() where isSetting(inner, value) {
          if heading != "keys" || !canBeMeant(inner, value, below: heading, in: file) {
            found.append(mistake([heading, name, inner]))
          }
        }
      }
    }
    return found
  }

  private func isSetting(_ name: String, _ value: any TOMLValueConvertible) -> Bool {
    names[name].map { isTable in isTable || value.table == nil } ?? false
  }

  private func canBeMeant(
    _ name: String, _ value: any TOMLValueConvertible, below heading: String, in file: TOMLTable
  ) -> Bool {
    switch heading {
    // A command of this name.
    case "commands", "macros": value.table?["run"] != nil
    case "themes": value.table != nil
    // The keys of such a command.
    case "keys":
      value.array != nil
        || ["commands", "macros"].contains { file[$0]?.table?[name]?.table?["run"] != nil }
    default: false
    }
  }

  private func mistake(_ path: [String]) -> TableReader.Mistake {
    let (line, column) = reader.place(of: path)
    return TableReader.Mistake(
      path: path, line: line, column: column,
      error: reader.failure(
        path, "this setting belongs to [network]",
        "move it below the heading [network]; until then nothing is fetched"))
  }
}
