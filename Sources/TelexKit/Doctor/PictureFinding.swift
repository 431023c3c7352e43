internal import Pictures

/// Which pictures can be shown, by the libraries of this machine.
enum PictureFinding {
  static func finding(isInstalled: (PictureLibrary) -> Bool) -> Finding {
    let decoders = PictureLibrary.allCases.filter { $0.kind != nil }
    let shown = decoders.filter(isInstalled).compactMap(\.kind)
    var details = decoders.filter { !isInstalled($0) }.map { library in
      "\(library.kind ?? "") as words: \(help(with: library))"
    }
    if !isInstalled(.chafa) { details.append("cells are half blocks: \(help(with: .chafa))") }
    return .ok(
      "pictures", "Pictures",
      shown.isEmpty ? "their descriptions alone" : shown.joined(separator: ", "), details)
  }

  private static func help(with library: PictureLibrary) -> String {
    "install \(library.package) (Homebrew: \(library.formula))"
  }
}
