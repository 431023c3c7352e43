/// Content of an article as a tree of blocks, independent of HTML.
///
/// All text is sanitised. Blocks nest at most `deepestNesting` levels deep.
package struct Document: Hashable, Sendable {
  package var blocks: [Block]
  /// In order of appearance: the link with the number n is `links[n - 1]`.
  package var links: [Link]
  /// The places within the document that its text leads to, by name, such as a note and the way back from it: text
  /// whose `link` is −n leads to `jumps[n - 1]`, to the `Inline.anchor` of that name.
  package var jumps: [String]
  /// Losses. Each is also a `Block.note` at the end of the blocks.
  package var warnings: [String]
  /// How long the sounds and videos in it play together, in seconds, as far as that is known.
  package var playingSeconds: Double

  package init(
    blocks: [Block] = [], links: [Link] = [], jumps: [String] = [], warnings: [String] = [],
    playingSeconds: Double = 0
  ) {
    self.blocks = blocks
    self.links = links
    self.jumps = jumps
    self.warnings = warnings
    self.playingSeconds = playingSeconds
  }

  /// Levels of nested blocks; what is nested deeper is flattened.
  package static let deepestNesting = 48
}

extension [Block] {
  /// Visits the blocks and those within lists and quotes, in their order.
  func visit(_ body: (Block) -> Void) {
    for block in self {
      body(block)
      switch block {
      case .quote(let blocks), .indented(let blocks): blocks.visit(body)
      case .list(let list): for item in list.items { item.visit(body) }
      default: break
      }
    }
  }
}

/// Block-level content: what begins on a line of its own.
package indirect enum Block: Hashable, Sendable {
  /// A heading of level 1 to 6.
  case heading(level: Int, [Inline])
  case paragraph([Inline])
  case list(List)
  case quote([Block])
  /// Blocks that belong to the block before them, such as the definition of a term.
  case indented([Block])
  /// Lines with their white space kept (`<pre>`).
  case preformatted(Code)
  case rule
  case table(Table)
  case figure(Image)
  /// A remark that Telex adds, not the author.
  case note(String)
}

/// Numbered or bulleted list; each item is a sequence of blocks.
package struct List: Hashable, Sendable {
  /// The number of each item, as many as items; nil for bullets.
  package var numbers: [Int]?
  package var style = NumberStyle.decimal
  package var items: [[Block]]

  /// The marker of an item: `3.`, `c.` or `•`.
  package func marker(of item: Int) -> String {
    guard let numbers, numbers.indices.contains(item) else { return "•" }
    return style.text(of: numbers[item]) + "."
  }
}

extension List {
  /// - Parameter start: the number of the first item; nil for bullets.
  package init(start: Int? = nil, items: [[Block]]) {
    self.init(numbers: start.map { start in items.indices.map { start &+ $0 } }, items: items)
  }
}

/// Table of inline text. Rows may differ in length.
package struct Table: Hashable, Sendable {
  /// On which side of its column the text of a cell stands.
  package enum Alignment: String, Hashable, Sendable {
    case leading, center, trailing
  }

  package struct Cell: Hashable, Sendable {
    package var inlines: [Inline]
    package var isHeader = false
    /// Columns that it takes, at least 1.
    package var columns = 1
    /// Whether it reaches down from the row above, where its text shows.
    package var isContinued = false
    /// Nil where the document does not say.
    package var alignment: Alignment?

    package var isEmpty: Bool {
      inlines.allSatisfy { inline in
        switch inline {
        case .text(let text, _, _): text.isBlank
        case .lineBreak, .anchor: true
        case .image: false
        }
      }
    }
  }

  /// Row of a table: its cells from the first column on, none left out.
  package struct Row: Hashable, Sendable {
    package var cells: [Cell]

    /// Those that do not reach down from a row above.
    var ownCells: [Cell] { cells.filter { !$0.isContinued } }

    package var isHeader: Bool { !cells.isEmpty && cells.allSatisfy(\.isHeader) }
  }

  package var rows: [Row]
}

package struct Image: Hashable, Sendable {
  /// The description (`alt`); may be empty.
  package var alt: String
  /// The tooltip (`title`), where it says more than the description.
  package var title: String?
  /// The absolute address; nil where it has none that can be opened.
  package var source: String?
  /// The number of the link around the image, or else of the image's own address.
  package var link: Int?
  /// As the attributes `width` and `height` say it, in pixels, 1 to `greatestSide` each; nil where one of them is
  /// missing or is a share of something.
  package var size: (width: Int, height: Int)? {
    get { width > 0 && height > 0 ? (width, height) : nil }
    set { (width, height) = newValue ?? (0, 0) }
  }
  private var width = 0
  private var height = 0

  /// A side that is longer is taken for a mistake.
  package static let greatestSide = 20_000

  package init(alt: String, title: String? = nil, source: String? = nil, link: Int? = nil) {
    self.alt = alt
    self.title = title
    self.source = source
    self.link = link
  }
}

package struct Traits: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let strong = Traits(rawValue: 1)
  package static let emphasis = Traits(rawValue: 2)
  package static let code = Traits(rawValue: 4)
  package static let strike = Traits(rawValue: 8)
  package static let underline = Traits(rawValue: 16)
  /// Inserted later (`<ins>`).
  package static let inserted = Traits(rawValue: 32)
  /// Highlighted (`<mark>`).
  package static let marked = Traits(rawValue: 64)
  /// Of a key to press (`<kbd>`), in brackets.
  package static let key = Traits(rawValue: 128)
}

package enum Inline: Hashable, Sendable {
  /// A run of text with the same formatting. White space is collapsed; `link` is the number of a link, or below 0 that
  /// of a jump.
  case text(String, Traits = [], link: Int? = nil)
  case lineBreak
  case image(Image)
  /// A place that text of the document leads to, by its name. It shows nothing.
  case anchor(String)

  package var isAnchor: Bool { if case .anchor = self { true } else { false } }

  /// Nil for all but a run of text.
  var text: String? { if case .text(let text, _, _) = self { text } else { nil } }

  var image: Image? { if case .image(let image) = self { image } else { nil } }
}

/// Numbered link of an article. The number is shown behind the text and opens the link.
package struct Link: Hashable, Sendable {
  /// Starts at 1, in order of appearance. An address has one number, however often it appears.
  package var number: Int
  /// Absolute: http, https or mailto.
  package var url: String
  /// The text of the link where it first appears.
  package var text: String

  package init(number: Int, url: String, text: String) {
    self.number = number
    self.url = url
    self.text = text
  }
}
