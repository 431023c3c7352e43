package import News

extension Settings {
  /// All settings by name, with those that have names of the user's own.
  package static var declarations: [SettingDeclaration] {
    var found: [SettingDeclaration] = []
    // An empty text has no mistakes.
    _ = try? parse("", subject: "") { found = declarations(of: $0, in: []) }
    let named = namedDeclarations
    let names = Set(named.map(\.name))
    return (named + found.filter { !names.contains($0.name) }).sorted { $0.name < $1.name }
  }

  /// The settings with names of their own, in the order of the file that has all of them.
  package static var namedDeclarations: [SettingDeclaration] {
    (SettingTable.all + SettingTable.open).flatMap { table in
      table.settings.map { $0.declaration(in: table.name) }
    }
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

  /// A file with all of these settings, each commented out below its meaning.
  static var template: String {
    var text =
      "# Settings of Telex. Remove the “# ” of a line to change it; telex config check finds mistakes.\n"
    var table = ""
    for setting in namedDeclarations {
      if setting.table != table { text += "\n[\(setting.table)]\n" }
      table = setting.table
      text += "# \(setting.help) (\(setting.values); default: \(setting.standard ?? "none"))\n"
      text += "# \(setting.key) = \(setting.standard ?? setting.example ?? "\"\"")\n"
    }
    return text
  }

  private static func declarations(
    of keys: [String: TableReader.Key], in path: [String]
  ) -> [SettingDeclaration] {
    keys.flatMap { name, key in
      let here = path + [name]
      func declared(_ kind: SettingDeclaration.Kind, _ suffix: String? = nil)
        -> [SettingDeclaration]
      {
        let name = (here + [suffix].compactMap(\.self)).joined(separator: ".")
        return [SettingDeclaration(name: name, kind: kind)]
      }
      return switch key {
      case .table(let keys): declarations(of: keys, in: here)
      case .tables(let entry): declarations(of: entry("NAME", here).0, in: here + ["NAME"])
      case .integer(let range, _): declared(.number(range, unit: nil))
      case .checked: declared(.text)
      case .choice(let choices, _): declared(.choice(choices))
      case .boolean: declared(.boolean)
      case .lists: declared(.other("a list of strings"), "NAME")
      case .texts: declared(.text, "NAME")
      case .values: declared(.other("a string, a list or a table, as the manual says"), "NAME")
      case .list: declared(.other("tables, each written as [[\(name)]]"))
      }
    }
  }
}

extension Setting {
  func declaration(in table: String) -> SettingDeclaration {
    let kind: SettingDeclaration.Kind =
      switch value {
      case .integer(let range, _): .number(range, unit: unit)
      case .boolean: .boolean
      case .choice(let choices, _): .choice(choices)
      case .text: .text
      }
    var declaration = SettingDeclaration(name: "\(table).\(name)", kind: kind)
    declaration.standard = standard
    declaration.example = example
    declaration.help = help
    declaration.actsAtOnce = actsAtOnce
    return declaration
  }

  /// What the environment says of it; nil for nothing.
  var fromEnvironment: (variable: String, value: String)? {
    guard let variables else { return nil }
    for name in variables.names {
      guard let text = Environment[name], !text.isEmpty else { continue }
      return (name, variables.value ?? text)
    }
    return nil
  }
}
