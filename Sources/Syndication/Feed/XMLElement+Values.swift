internal import News
internal import Text

extension XMLElement {
  /// The value in one line; nil if it is blank.
  func line(_ name: StaticString, prefix: StaticString? = nil) -> String? {
    PlainText.line(attribute(name, prefix: prefix))
  }

  var width: Int { attribute("width").flatMap { Int($0) } ?? 0 }

  /// Last path component in lower case: registered names may be addresses (RFC 4287 §4.2.7.2).
  var relation: String {
    let words = line("rel")?.lowercased().split(separator: " ") ?? []
    // Of several words, as in HTML, `alternate` counts, else the first.
    if words.contains("alternate"), !words.contains("stylesheet") { return "alternate" }
    guard let relation = words.first else { return "alternate" }
    return relation.split(separator: "/", omittingEmptySubsequences: false).last.map(String.init)
      ?? ""
  }

  /// RFC 4287 §4.2.2.
  var category: News.Category? {
    let label = PlainText.line(line("label").map(CharacterReference.decoded))
    guard let term = PlainText.line(line("term").map(CharacterReference.decoded)) ?? label else {
      return nil
    }
    return Category(
      term, label: label == term ? nil : label,
      scheme: line("scheme").map(WebAddress.textWithoutUser))
  }

  /// For elements of Media RSS.
  var isPicture: Bool {
    let type = FileKind.type(
      line("type"), medium: attribute("medium"), of: attribute("url") ?? "")
    return type?.lowercased().hasPrefix("image/") ?? false
  }

  /// For `media:credit`. Other roles in a film are no authors; without one it is the photographer.
  var isAuthor: Bool {
    guard let role = line("role")?.lowercased() else { return false }
    return [
      "artist", "author", "composer", "creator", "owner", "reporter", "uploader", "writer",
    ].contains(role)
  }
}
