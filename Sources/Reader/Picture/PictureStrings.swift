enum PictureStrings {
  static let last = "This is the last picture."
  static let first = "This is the first picture."
}
