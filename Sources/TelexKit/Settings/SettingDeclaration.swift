/// A setting that `config.toml` may have, as it is listed.
package struct SettingDeclaration: Hashable, Sendable {
  /// With the tables that it is in: `network.proxy`; `NAME` stands for any key.
  package var name: String
  /// As in `a whole number from 1 to 64`.
  package var kind: String
  /// As it is written in the file; nil where nothing is set.
  package var standard: String?
  /// A few words; empty for those with names of the user's own.
  package var help = ""
}

extension Settings {
  package static var declarations: [SettingDeclaration] {
    var found: [SettingDeclaration] = []
    // An empty text has no mistakes.
    _ = try? parse("", subject: "") { found = declarations(of: $0, in: []) }
    for table in SettingTable.all {
      for setting in table.settings {
        guard let index = found.firstIndex(where: { $0.name == "\(table.name).\(setting.name)" })
        else { continue }
        found[index].standard = setting.standard
        found[index].help = setting.help
      }
    }
    return found.sorted { $0.name < $1.name }
  }

  /// The settings that have names as a file with their defaults; what has none is commented out.
  package static var reference: String {
    SettingTable.all.map { table in
      let lines = table.settings.map { setting in
        let value = setting.standard ?? setting.example ?? "\"\""
        let line = "\(setting.standard == nil ? "# " : "")\(setting.name) = \(value)"
        let padding = String(repeating: " ", count: max(1, 34 - line.count))
        return "\(line)\(padding)# \(setting.help)"
      }
      return (["[\(table.name)]"] + lines).joined(separator: "\n")
    }.joined(separator: "\n\n") + "\n"
  }

  private static func declarations(
    of keys: [String: TableReader.Key], in path: [String]
  ) -> [SettingDeclaration] {
    keys.flatMap { name, key in
      let here = path + [name]
      func declared(_ kind: String, _ suffix: String? = nil) -> [SettingDeclaration] {
        let name = (here + [suffix].compactMap(\.self)).joined(separator: ".")
        return [SettingDeclaration(name: name, kind: kind)]
      }
      return switch key {
      case .table(let keys): declarations(of: keys, in: here)
      case .tables(let entry): declarations(of: entry("NAME", here).0, in: here + ["NAME"])
      case .integer(let range, _):
        declared("a whole number from \(range.lowerBound) to \(range.upperBound)")
      case .checked: declared("a text")
      case .choice(let choices, _): declared("one of: \(choices.joined(separator: ", "))")
      case .boolean: declared("true or false")
      case .lists: declared("a list of texts", "NAME")
      case .texts: declared("a text", "NAME")
      case .values: declared("a text, a list or a table, as the manual says", "NAME")
      case .list: declared("tables, each written as [[\(name)]]")
      }
    }
  }
}
