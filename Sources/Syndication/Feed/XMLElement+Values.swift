internal import News
internal import Text

/// Attributes of a feed's elements as values.
extension XMLElement {
  /// The value of an attribute as text of one line; nil where nothing is left of it.
  func line(_ name: StaticString, prefix: StaticString? = nil) -> String? {
    PlainText.line(attribute(name, prefix: prefix))
  }

  var width: Int { attribute("width").flatMap { Int($0) } ?? 0 }

  /// The last part of the relation of a link, in lower case: registered names may be written as addresses
  /// (RFC 4287 §4.2.7.2).
  var relation: String {
    let words = line("rel")?.lowercased().split(separator: " ") ?? []
    // Of several words, as HTML allows them, the page counts, else the first.
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

  /// Whether an element of Media RSS describes a picture.
  var isPicture: Bool {
    let type = FileKind.type(
      line("type"), medium: attribute("medium"), of: attribute("url") ?? "")
    return type?.lowercased().hasPrefix("image/") ?? false
  }

  /// Whether a `media:credit` names an author. Other roles in a film are no authors, and a credit without
  /// a role is that of the photographer.
  var isAuthor: Bool {
    guard let role = line("role")?.lowercased() else { return false }
    return [
      "artist", "author", "composer", "creator", "owner", "reporter", "uploader", "writer",
    ].contains(role)
  }
}
