internal import News
internal import Text

/// The text of an article, which is read only where the rest leaves it open.
struct ArticleBody {
  var content: String?
  var summary: String?

  private var markup: String? { content ?? summary }
  private var text: String { ArticleText.make(content: content, summary: summary) }

  func says(theSameAs other: ArticleBody) -> Bool { markup == other.markup }

  /// Whether the texts are the same, wherever their links lead. Two without a text are not.
  func reads(like other: ArticleBody) -> Bool {
    let text = text
    return !text.isEmpty && text == other.text
  }

  /// Whether both show pictures, and none in common, under the same text or none: as a comic does.
  func showsOtherPictures(than other: ArticleBody) -> Bool {
    let (mine, theirs) = (pictures, other.pictures)
    return !mine.isEmpty && !theirs.isEmpty && mine.isDisjoint(with: theirs) && text == other.text
  }

  /// The first pictures of the body, by the path they lie at.
  private var pictures: Set<String> {
    (content ?? "").withBytes { bytes in
      var found: Set<String> = []
      var tokenizer = MarkupTokenizer(bytes)
      while found.count < 32, let tag = tokenizer.nextTag() {
        guard tag.kind == .open, bytes.isWord("img", in: tag.name) else { continue }
        for attribute in MarkupAttributes(bytes, of: tag)
        where bytes.isWord("src", in: attribute.name) {
          found.insert(Enclosure.picturePath(bytes.string(attribute.value)))
        }
      }
      return found
    }
  }
}
