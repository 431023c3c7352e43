/// The libraries for pictures, opened on demand.
package enum PictureLibrary: String, CaseIterable, Sendable {
  case jpeg, png, gif, webp, avif
  /// Pictures as characters. Without it half blocks are drawn.
  case chafa

  init(_ kind: PictureKind) {
    self =
      switch kind {
      case .png: .png
      case .jpeg: .jpeg
      case .gif: .gif
      case .webp: .webp
      case .avif: .avif
      // Large pictures in such files are PNG; for the others nothing is needed.
      case .ico: .png
      }
  }

  package var title: String { facts.title }
  /// Its Debian package.
  package var package: String { facts.package }
  /// Its Homebrew formula.
  package var formula: String { facts.formula }
  /// The name of the kind of pictures that it decodes; nil for chafa.
  package var kind: String? { facts.kind }

  /// Names to open it by, in the order in which they are tried.
  package var fileNames: [String] {
    #if canImport(Darwin)
      // The dynamic linker does not look into Homebrew's folders.
      return ["", "/opt/homebrew/lib/", "/usr/local/lib/"].map { "\($0)\(facts.darwin)" }
    #else
      return [facts.linux]
    #endif
  }

  private var facts:
    (title: String, package: String, formula: String, linux: String, darwin: String, kind: String?)
  {
    switch self {
    case .jpeg:
      (
        "libturbojpeg", "libturbojpeg0", "jpeg-turbo", "libturbojpeg.so.0", "libturbojpeg.0.dylib",
        "JPEG"
      )
    case .png:
      ("libpng", "libpng16-16", "libpng", "libpng16.so.16", "libpng16.16.dylib", "PNG")
    case .gif: ("giflib", "libgif7", "giflib", "libgif.so.7", "libgif.7.dylib", "GIF")
    case .webp: ("libwebp", "libwebp7", "webp", "libwebp.so.7", "libwebp.7.dylib", "WebP")
    case .avif: ("libheif", "libheif1", "libheif", "libheif.so.1", "libheif.1.dylib", "AVIF")
    case .chafa: ("chafa", "libchafa0", "chafa", "libchafa.so.0", "libchafa.0.dylib", nil)
    }
  }

  /// Whether it is there with all functions. Opens it in this process.
  package var isInstalled: Bool {
    switch self {
    case .jpeg: (try? JPEGDecoder()) != nil
    case .png: (try? PNGDecoder()) != nil
    case .gif: (try? GIFDecoder()) != nil
    case .webp: (try? WebPDecoder()) != nil
    case .avif: (try? AVIFDecoder()) != nil
    case .chafa: (try? ChafaDrawing()) != nil
    }
  }

  /// Opens the library and fills its table of functions.
  ///
  /// - Throws: `PictureError.noLibrary` where no file of it has all that is needed.
  func open<Functions>(
    _ functions: Functions, with open: (String, inout Functions) -> Bool
  ) throws(PictureError) -> Functions {
    var functions = functions
    for name in fileNames where open(name, &functions) { return functions }
    throw .noLibrary(self)
  }
}
