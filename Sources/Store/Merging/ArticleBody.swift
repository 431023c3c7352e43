internal import News
internal import Text

/// Compressed texts of an article, read only where other traits do not decide.
struct ArticleBody {
  var content: String?
  var summary: String?

  private var markup: String? { content ?? summary }
  private var text: String { ArticleText.make(content: content, summary: summary) }

  func says(theSameAs other: ArticleBody) -> Bool { markup == other.markup }

  /// Whether the texts are equal apart from link targets. Empty texts are not.
  func reads(like other: ArticleBody) -> Bool {
    let text = text
    return !text.isEmpty && text == other.text
  }

  /// Whether both show pictures, none in common, under the same text or none, as comics do.
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

/// Files that tell articles apart.
enum FileKinds {
  case all
  /// Pictures of a text may be replaced, and come in several sizes.
  case notPictures
}

extension [Enclosure] {
  /// Whether both lists have files, and none in common. Hosts are ignored.
  func areOther(than others: @autoclosure () throws -> [Enclosure], counting kinds: FileKinds)
    rethrows -> Bool
  {
    func places(_ files: [Enclosure]) -> Set<String> {
      Set(files.compactMap { kinds == .all || !$0.isImage ? $0.place : nil })
    }
    let mine = places(self)
    if mine.isEmpty { return false }
    let theirs = places(try others())
    return !theirs.isEmpty && mine.isDisjoint(with: theirs)
  }
}

extension Enclosure {
  /// Where it lies on its server.
  fileprivate var place: String {
    isImage ? Self.picturePath(url) : LinkIdentity.parts(of: url)?.page ?? url
  }

  /// The query of a picture's address is its size.
  static func picturePath(_ url: String) -> String {
    String((LinkIdentity.parts(of: url)?.page ?? url).prefix { $0 != "?" })
  }
}
