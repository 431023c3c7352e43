internal import Markup
internal import News
internal import Screen

/// How long it takes to read an article, and to listen to what plays in it.
struct ReadingTime {
  /// Words that most people read in a minute, and characters of scripts that have two columns each.
  private static let words = 230.0
  private static let wideCharacters = 500.0

  /// Rounded to the nearest minute.
  let minutes: Int

  /// - Parameter layout: of the document. Its list of links is not read.
  init(_ layout: ArticleLayout, of document: Document) {
    var words = 0
    var wide = 0
    for line in layout.lines where line.position.block < document.blocks.count {
      var isInWord = false
      for character in line.text {
        let isWide = !character.isASCII && TextWidth.columns(of: character) == 2
        if isWide { wide += 1 }
        let isLetter = !isWide && (character.isLetter || character.isNumber)
        if isLetter, !isInWord { words += 1 }
        isInWord = isLetter || isInWord && (character == "'" || character == "’")
      }
    }
    let reading = Double(words) / Self.words + Double(wide) / Self.wideCharacters
    minutes = Int((reading + document.playingSeconds / 60).rounded())
  }
}
