/// A setting that `config.toml` may have, as it is listed.
package struct SettingDeclaration: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case boolean
    case choice([String])
    case number(ClosedRange<Int>, unit: String?)
    case text
    /// A value of another kind, in words.
    case other(String)
  }

  /// With the tables that it is in: `network.proxy`; `NAME` stands for any key.
  package var name: String
  package var kind: Kind
  /// As it is written in the file; nil where nothing is set.
  package var standard: String?
  /// As it is written in the file, for a setting without a default.
  package var example: String?
  /// A few words; empty for those with names of the user's own.
  package var help = ""
  /// Whether an open reader follows a change; otherwise it counts from the next start.
  package var actsAtOnce = false

  package init(name: String, kind: Kind) {
    (self.name, self.kind) = (name, kind)
  }

  package var table: String { String(name.prefix { $0 != "." }) }
  /// The name in its table.
  package var key: String { String(name.dropFirst(table.count + 1)) }

  /// As in `a whole number from 1 to 64`.
  package var values: String {
    switch kind {
    case .boolean: "true or false"
    case .choice(let choices): "one of: \(choices.joined(separator: ", "))"
    case .number(let range, _): "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .text: "a string"
    case .other(let words): words
    }
  }

  /// Why a value is refused; nil where it is not, or where that takes more than the kind.
  package func mistake(in value: String) -> String? {
    let isRight =
      switch kind {
      case .boolean: ["true", "false"].contains(value)
      case .choice(let choices): choices.contains(value)
      // As it is typed: a sign or a zero in front would be another number in the file, or none.
      case .number(let range, _): Int(value).map { range.contains($0) && "\($0)" == value } ?? false
      case .text, .other: true
      }
    return isRight ? nil : "this must be \(values)"
  }

  /// A value without quotes, with its unit.
  package func shown(_ value: String?) -> String {
    guard let value, !value.isEmpty else { return "none" }
    if case .number(_, let unit?) = kind { return "\(value) \(unit)" }
    return value
  }

  package var shownDefault: String { shown(standard.map(unquoted)) }

  /// The text of a value as it is written in the file.
  package func unquoted(_ value: String) -> String {
    guard value.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") else { return value }
    return String(value.dropFirst().dropLast())
  }
}

/// The value of a setting that is in force, and where it comes from.
package struct SettingValue: Hashable, Sendable {
  package enum Source: Hashable, Sendable {
    case standard
    /// As in `config.toml:12`.
    case file(line: Int)
    case environment(variable: String)
  }

  package var declaration: SettingDeclaration
  /// Without quotes and passwords; nil where nothing is set.
  package var value: String?
  package var source: Source
  /// The mistake in the value of the file, which does not count.
  package var mistake: String?

  package init(
    _ declaration: SettingDeclaration, value: String?, source: Source, mistake: String? = nil
  ) {
    self.declaration = declaration
    self.value = value
    self.source = source
    self.mistake = mistake
  }

  package var name: String { declaration.name }

  /// The value with its unit.
  package var shown: String { declaration.shown(value) }
}

extension SettingValue.Source {
  /// As in `default` and `config.toml:12`.
  ///
  /// - Parameter file: the name of the file.
  package func words(file: String = "config.toml") -> String {
    switch self {
    case .standard: "default"
    case .file(let line): "\(file):\(line)"
    case .environment(let variable): variable
    }
  }
}
