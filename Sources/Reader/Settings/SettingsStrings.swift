internal import News

enum SettingsStrings {
  static let noneSelected = "No setting is selected."
  static let atOnce = "A change takes effect at once."
  static let fromNextStart = "A change takes effect at the next start."
  static let keysChanged = "The keys of config.toml have changed and are in effect."
  static func noMatch(_ filter: String) -> String {
    "No setting has “\(filter)” in its name or meaning."
  }
  static func showAll(_ key: String) -> String { "\(key) shows all settings." }
  static func isStandard(_ value: SettingValue) -> String {
    "\(value.name) already has its default, \(value.shown)."
  }
  static func ignored(_ why: String) -> String { "Telex ignores the value in config.toml: \(why)" }
  static func set(_ value: SettingValue) -> String {
    let source =
      switch value.source {
      case .standard: "the default"
      case .file: "set in \(value.source.words())"
      case .environment(let variable): "set by \(variable)"
      }
    let start = value.declaration.actsAtOnce ? "" : " The change takes effect at the next start."
    return "\(value.name) is \(value.shown), \(source).\(start)"
  }
}
