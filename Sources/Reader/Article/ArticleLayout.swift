package import Markup
package import News
internal import Screen

package struct StyledSpan: Hashable, Sendable {
  package var text: String
  package var role: TextRole
  /// The number of the link that the text belongs to; nil for none.
  package var link: Int?

  package init(_ text: String, _ role: TextRole, link: Int? = nil) {
    self.text = text
    self.role = role
    self.link = link
  }
}

package struct StyledLine: Hashable, Sendable {
  package var spans: [StyledSpan]
  /// Where in the article the line begins, at any width.
  package var position: ReadingPosition
  /// The number of the picture that is drawn behind the spans, from 0; nil for none.
  package var picture: Int?
  /// The column that the picture begins in, from 0.
  package var pictureColumn = 0
  /// Where its parts show, if they do not stand side by side from left to right.
  package var fields: [LineField] = []

  package init(_ spans: [StyledSpan] = [], at position: ReadingPosition = ReadingPosition()) {
    self.spans = spans
    self.position = position
  }

  var isEmpty: Bool { spans.isEmpty && picture == nil }

  package var text: String {
    var text = ""
    for span in spans { text += span.text }
    return text
  }

  package var columns: Int { spans.reduce(0) { $0 + TextWidth.columns(of: $1.text) } }
}

/// Lines of an article at a width, in columns.
///
/// No text of the document is lost at any width, and no line is longer than the width, except for a
/// glyph of two columns on a screen of one, which has a line of its own. The caller limits the
/// width to what can be read well.
package struct ArticleLayout: Hashable, Sendable {
  package let width: Int
  package let lines: [StyledLine]
  /// By number of the link, from 1; the lines ascend.
  private let linesOfLinks: [Int: [Int]]
  /// The numbers of links, and those of jumps (below 0), in the order in which they come.
  let linksInOrder: [Int]
  private let anchors: [String: ReadingPosition]
  /// In the order of their lines.
  let pictures: [PagePicture]

  /// Further ones are left as words.
  static let mostPictures = 500

  /// Wider than any terminal; a rule across the page must not fill the memory.
  package static let greatestWidth = 10_000

  /// - Parameters:
  ///   - width: Columns, taken as 1 to `greatestWidth`.
  ///   - pictures: nil where they are left as words.
  package init(_ document: Document, width: Int, pictures room: PictureRoom? = nil) {
    var typesetter = ArticleTypesetter(width: ArticleLayout.width(for: width), pictures: room)
    _ = typesetter.set(document)
    typesetter.set(document.links, of: nil, block: document.blocks.count)
    self.init(typesetter)
  }

  static func width(for width: Int) -> Int { min(max(1, width), greatestWidth) }

  init(_ typesetter: ArticleTypesetter) {
    width = typesetter.width
    lines = typesetter.lines
    pictures = typesetter.pictures
    linesOfLinks = typesetter.linesOfLinks
    linksInOrder = typesetter.linksInOrder
    anchors = typesetter.anchors
  }

  /// Where a line begins in the article. Lines beyond the ends count as the first or the last.
  package func position(ofLine line: Int) -> ReadingPosition {
    guard !lines.isEmpty else { return ReadingPosition() }
    return lines[min(max(line, 0), lines.count - 1)].position
  }

  /// The line that shows a position, whatever width it was taken at: the last that does not begin
  /// behind it. 0 in an empty article.
  package func line(at position: ReadingPosition) -> Int {
    // The first line that begins behind the position.
    var low = 0
    var high = lines.count
    while low < high {
      let middle = (low + high) / 2
      if lines[middle].position <= position { low = middle + 1 } else { high = middle }
    }
    var line = max(0, low - 1)
    // The lines of one row of a table are at one position.
    while line > 0, lines[line - 1].position == lines[line].position { line -= 1 }
    return line
  }

  /// The lines on which the link numbered `number` stands, the list of links included.
  package func lines(ofLink number: Int) -> [Int] { linesOfLinks[number] ?? [] }

  /// Where a place is that a jump leads to; nil for one that there is no room for.
  func position(ofPlace name: String) -> ReadingPosition? { anchors[name] }

  /// The article for a file or a pipe, without styles.
  package var plainText: String {
    var bytes: [UInt8] = []
    for line in lines {
      let start = bytes.count
      for span in line.spans { bytes.append(contentsOf: span.text.utf8) }
      while bytes.count > start, bytes.last == 0x20 { bytes.removeLast() }
      bytes.append(0x0A)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
