/// Keys that another reader's settings give to a command of Telex.
package struct LibraryKey: Hashable, Sendable {
  /// The name of the command; nil where the key is to do nothing.
  package var command: String?
  /// By Telex's name.
  package var key: String
  /// The table of the settings that it belongs to: `[keys]` for all screens, or `[keys.article]`.
  package var table: String

  package init(_ command: String?, key: String, table: String = "[keys]") {
    self.command = command
    self.key = key
    self.table = table
  }
}
