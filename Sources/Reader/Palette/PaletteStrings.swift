enum PaletteStrings {
  static let title = "All commands of this page"
  static let noMatch = "No command has these letters."
}
