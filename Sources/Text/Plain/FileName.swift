/// Names of files from outside, made safe to create in a folder of the user's.
package enum FileName {
  /// The longest name in bytes. Common file systems take 255; the rest is for a number and for `.part`.
  package static let longest = 200

  /// A name that stays in its folder: without separators, control characters and what reorders letters,
  /// without dots and spaces at its ends, and none that Windows reserves, since the folder may be shared
  /// with it. `download` where nothing is left.
  package static func safe(_ text: String) -> String {
    let last = text.split(omittingEmptySubsequences: true) { $0 == "/" || $0 == "\\" }.last ?? ""
    return component(String(last))
  }

  /// As `safe`, but separators become hyphens: for texts that are no paths, such as titles.
  package static func component(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in PlainText.sanitized(text).unicodeScalars {
      switch scalar {
      case "/", "\\", "|": scalars.append("-")
      case ":", "*", "?", "\"", "<", ">": scalars.append("_")
      // They cannot be seen, or end the line in some programs.
      case "\u{200B}", "\u{2028}", "\u{2029}", "\u{200E}", "\u{200F}", "\u{61C}": break
      default: scalars.append(scalar)
      }
    }
    let name = bounded(trimmed(Substring(String(scalars))))
    if name.isEmpty { return "download" }
    return isReserved(name) ? "_" + name : name
  }

  /// The name with a number before its extension: `a (2).mp3`.
  package static func numbered(_ name: String, _ number: Int) -> String {
    guard number > 1 else { return name }
    let (stem, ending) = split(name)
    return "\(stem) (\(number))\(ending)"
  }

  /// The name in two parts, the second with its dot: that of `a.tar.gz` is `.tar.gz`. A long ending is
  /// none.
  package static func split(_ name: String) -> (stem: String, ending: String) {
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex,
      (2...9).contains(name[dot...].utf8.count), !name[dot...].contains(" ")
    else { return (name, "") }
    let stem = name[..<dot]
    if let inner = stem.lastIndex(of: "."), inner != stem.startIndex,
      stem[inner...].lowercased() == ".tar"
    {
      return (String(stem[..<inner]), String(name[inner...]))
    }
    return (String(stem), String(name[dot...]))
  }

  /// No dot at the beginning, which hides a file; neither dots nor spaces at the end, which Windows drops;
  /// no hyphen at the beginning, which commands take for an option.
  private static func trimmed(_ name: Substring) -> String {
    var name = name
    while let first = name.first, first == "." || first == " " || first == "-" {
      name = name.dropFirst()
    }
    while let last = name.last, last == "." || last == " " { name = name.dropLast() }
    return String(name)
  }

  private static func bounded(_ name: String) -> String {
    guard name.utf8.count > longest else { return name }
    let (stem, ending) = split(name)
    var kept = ""
    var room = longest - ending.utf8.count
    for character in stem {
      room -= character.utf8.count
      if room < 0 { break }
      kept.append(character)
    }
    return trimmed(Substring(kept)) + ending
  }

  private static func isReserved(_ name: String) -> Bool {
    let stem = name.prefix { $0 != "." }.lowercased()
    if ["con", "prn", "aux", "nul"].contains(stem) { return true }
    guard stem.count == 4, stem.hasPrefix("com") || stem.hasPrefix("lpt"), let last = stem.last
    else { return false }
    return "0123456789¹²³".contains(last)
  }
}
