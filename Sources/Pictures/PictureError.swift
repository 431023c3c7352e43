/// Reason why a picture cannot be shown, each with an exit status of the helper.
package enum PictureError: Error, Hashable, Sendable {
  /// The library that decodes this kind is not installed.
  case noLibrary(PictureLibrary)
  case unknownKind
  /// The message of the library.
  case damaged(String)
  /// It has more bytes, pixels or work in it than the bounds allow.
  case tooLarge(String)
  /// The process could not give up its rights, and so decodes nothing.
  case notConfined(String)

  /// The exit status of `telex picture-helper`; 0 is a picture, 2 wrong usage.
  package enum Status: Int32, CaseIterable, Sendable {
    case notConfined = 1
    case noLibrary = 3
    case unknownKind = 4
    case damaged = 5
    case tooLarge = 6
  }

  package var status: Status {
    switch self {
    case .noLibrary: .noLibrary
    case .unknownKind: .unknownKind
    case .damaged: .damaged
    case .tooLarge: .tooLarge
    case .notConfined: .notConfined
    }
  }

  /// One line of printable ASCII: parts of it may come from the file.
  package var message: String {
    let text =
      switch self {
      case .noLibrary(let library):
        "\(library.title) is not installed; install \(library.package) (Debian) or "
          + "\(library.formula) (Homebrew)"
      case .unknownKind: "this is no PNG, JPEG, GIF, WebP or AVIF picture"
      case .damaged(let why): "the picture is damaged: \(why)"
      case .tooLarge(let what): "the picture is too large: \(what)"
      case .notConfined(let what): "the process cannot be confined: \(what)"
      }
    return String(
      String.UnicodeScalarView(text.unicodeScalars.filter { 0x20..<0x7F ~= $0.value }.prefix(300)))
  }
}
