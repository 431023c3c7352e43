enum JumpStrings {
  static let title = "Go to"
  static let prompt = "Go to: "
  static let noMatch = "No feed or folder has these letters."
}
