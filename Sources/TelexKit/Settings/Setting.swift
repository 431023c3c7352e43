internal import News

/// A setting of `config.toml`: its name, values, default and help. The file is read by these declarations; `telex
/// config`, the reader's settings and the manual list them.
struct Setting: Sendable {
  enum Value: Sendable {
    case integer(ClosedRange<Int>, @Sendable (inout Settings, Int) -> Void)
    case boolean(@Sendable (inout Settings, Bool) -> Void)
    case choice([String], @Sendable (inout Settings, String) -> Void)
    /// Refused with a `SettingMistake` or a `SecretError`. The place is that of the text, as in `config.toml:12:3`.
    case text(@Sendable (inout Settings, String, _ place: () -> String) throws -> Void)
  }

  /// Below the heading of its table.
  let name: String
  let value: Value
  /// As it is written in the file; nil where nothing is set.
  var standard: String?
  /// As it is written in the file, for a setting without a default.
  var example: String?
  /// A few words, as in a comment behind it.
  let help: String
  /// Of a number; nil for a count of what the help names.
  private(set) var unit: String?
  /// Whether an open reader follows a change.
  private(set) var actsAtOnce = false
  private(set) var variables: Variables?

  /// Variables of the environment that say the same, the first of them that is set.
  struct Variables: Sendable {
    let names: [String]
    /// What any of them says; nil for its own text.
    var value: String?
    /// Whether they win over the file.
    var win = false
  }

  func measured(in unit: String) -> Setting {
    var setting = self
    setting.unit = unit
    return setting
  }

  var atOnce: Setting {
    var setting = self
    setting.actsAtOnce = true
    return setting
  }

  func or(_ variables: Variables) -> Setting {
    var setting = self
    setting.variables = variables
    return setting
  }
}

/// A heading of `config.toml` with the settings below it.
struct SettingTable: Sendable {
  let name: String
  let settings: [Setting]
}

extension Setting {
  typealias Path<Value> = any WritableKeyPath<Settings, Value> & Sendable

  static func integer(
    _ name: String, _ range: ClosedRange<Int>,
    _ path: Path<Int>, _ help: String
  ) -> Setting {
    Setting(
      name: name, value: .integer(range) { $0[keyPath: path] = $1 },
      standard: "\(Settings()[keyPath: path])", help: help)
  }

  static func integer(
    _ name: String, _ range: ClosedRange<Int>, _ path: Path<Int?>, example: Int? = nil,
    _ help: String
  ) -> Setting {
    Setting(
      name: name, value: .integer(range) { $0[keyPath: path] = $1 },
      standard: Settings()[keyPath: path].map(String.init), example: example.map(String.init),
      help: help)
  }

  static func integer(
    _ name: String, _ range: ClosedRange<Int>, standard: Int, _ help: String,
    set: @escaping @Sendable (inout Settings, Int) -> Void
  ) -> Setting {
    Setting(name: name, value: .integer(range, set), standard: "\(standard)", help: help)
  }

  /// A bound in a unit of the file, which 0 takes away.
  static func bound<Number: FixedWidthInteger & Sendable>(
    _ name: String, _ range: ClosedRange<Int>, _ path: Path<Number?>, unit: Number = 1,
    _ help: String
  ) -> Setting {
    integer(name, range, standard: Int((Settings()[keyPath: path] ?? 0) / unit), help) {
      $0[keyPath: path] = $1 == 0 ? nil : Number($1) * unit
    }
  }

  static func seconds(
    _ name: String, _ range: ClosedRange<Int>,
    _ path: Path<Duration>, _ help: String
  ) -> Setting {
    let standard = Int(Settings()[keyPath: path].components.seconds)
    return integer(name, range, standard: standard, help) { $0[keyPath: path] = .seconds($1) }
      .measured(in: "s")
  }

  static func boolean(
    _ name: String, _ path: Path<Bool>, _ help: String
  ) -> Setting {
    Setting(
      name: name, value: .boolean { $0[keyPath: path] = $1 },
      standard: "\(Settings()[keyPath: path])", help: help)
  }

  static func boolean(
    _ name: String, _ path: Path<Bool?>, example: Bool,
    _ help: String
  ) -> Setting {
    Setting(
      name: name, value: .boolean { $0[keyPath: path] = $1 }, example: "\(example)", help: help)
  }

  static func choice(
    _ name: String, _ choices: [String], standard: String? = nil, example: String? = nil,
    _ help: String, set: @escaping @Sendable (inout Settings, String) -> Void
  ) -> Setting {
    Setting(
      name: name, value: .choice(choices, set), standard: standard.map(quoted),
      example: example.map(quoted), help: help)
  }

  static func choice<Choice: RawRepresentable<String> & Sendable>(
    _ name: String, _ choices: [Choice], _ path: Path<Choice>,
    _ help: String
  ) -> Setting {
    choice(
      name, choices.map(\.rawValue), standard: Settings()[keyPath: path].rawValue, help
    ) { settings, word in
      if let choice = Choice(rawValue: word) { settings[keyPath: path] = choice }
    }
  }

  static func text(
    _ name: String, _ path: Path<String?>, example: String,
    _ help: String
  ) -> Setting {
    text(name, example: example, help) { $0[keyPath: path] = $1 }
  }

  static func text(
    _ name: String, standard: String? = nil, example: String? = nil, _ help: String,
    set: @escaping @Sendable (inout Settings, String) throws -> Void
  ) -> Setting {
    Setting(
      name: name, value: .text { settings, text, _ in try set(&settings, text) },
      standard: standard.map(quoted), example: example.map(quoted), help: help)
  }

  /// A program with its arguments, with the quoting of the shell.
  static func program(
    _ name: String, _ path: Path<[String]?>, example: String,
    _ help: String
  ) -> Setting {
    text(name, example: example, help) { $0[keyPath: path] = try Settings.words($1) }
  }

  private static func quoted(_ text: String) -> String { "\"\(text)\"" }

  /// The key that reads the setting.
  ///
  /// - Parameter change: changes the settings that are read.
  func key(
    place: @escaping () -> String,
    change: @escaping ((inout Settings) throws -> Void) throws -> Void
  ) -> TableReader.Key {
    switch value {
    case .integer(let range, let set):
      .integer(range) { value in try? change { set(&$0, value) } }
    case .boolean(let set): .boolean { value in try? change { set(&$0, value) } }
    case .choice(let choices, let set):
      .choice(choices) { value in try? change { set(&$0, value) } }
    case .text(let set): .checked { value in try change { try set(&$0, value, place) } }
    }
  }
}
