/// The page of one picture.
enum PictureStrings {
  /// The heading of a picture without a description.
  static let last = "This is the last picture."
  static let first = "This is the first picture."
}
