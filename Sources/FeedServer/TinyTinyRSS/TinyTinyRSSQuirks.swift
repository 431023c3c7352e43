/// The version and the settings of a Tiny Tiny RSS, as far as its API shows them.
package struct TinyTinyRSSQuirks: Sendable, Hashable {
  package var level: Int64 = 21
  /// The user has allowed the API.
  package var isEnabled = true
  /// Numbers are texts.
  package var hasTextNumbers = false
  /// A session ends after so many calls; nil for none.
  package var callsPerSession: Int?
  /// Refuses a mark where one of its articles is unknown.
  package var refusesUnknownMarks = false

  package init() {}

  package static let current = TinyTinyRSSQuirks()

  /// As Debian has it (2021).
  package static let older: TinyTinyRSSQuirks = {
    var quirks = TinyTinyRSSQuirks()
    quirks.level = 15
    quirks.hasTextNumbers = true
    return quirks
  }()
}
