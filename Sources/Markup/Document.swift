/// An article as blocks of text, without a trace of how it was marked up.
///
/// All text has passed the sanitiser. Blocks nest no deeper than `Document.deepestNesting`.
package struct Document: Hashable, Sendable {
  package var blocks: [Block]
  /// In order of appearance; `links[n - 1]` is the one numbered n.
  package var links: [Link]
  /// What could not be kept. Each is a note at the end of the blocks, too.
  package var warnings: [String]

  package init(blocks: [Block] = [], links: [Link] = [], warnings: [String] = []) {
    self.blocks = blocks
    self.links = links
    self.warnings = warnings
  }

  package static let deepestNesting = 48
}

package indirect enum Block: Hashable, Sendable {
  /// Levels 1 to 6.
  case heading(level: Int, [Inline])
  case paragraph([Inline])
  case list(List)
  case quote([Block])
  /// Text that belongs to what stands before it, such as the explanation of a term.
  case indented([Block])
  /// Lines as they were written.
  case preformatted(String)
  case rule
  case table(Table)
  case figure(Image)
  /// A remark of Telex itself, not of the author.
  case note(String)
}

package struct List: Hashable, Sendable {
  /// The number of the first item; nil for bullets.
  package var start: Int?
  package var items: [[Block]]

  package init(start: Int? = nil, items: [[Block]]) {
    self.start = start
    self.items = items
  }
}

/// A table of text. Its rows need not be of one length.
package struct Table: Hashable, Sendable {
  package struct Row: Hashable, Sendable {
    package var isHeader: Bool
    package var cells: [[Inline]]

    package init(isHeader: Bool = false, cells: [[Inline]]) {
      self.isHeader = isHeader
      self.cells = cells
    }
  }

  package var rows: [Row]

  package init(rows: [Row]) { self.rows = rows }
}

/// A picture that is named, not shown.
package struct Image: Hashable, Sendable {
  /// The description; may be empty.
  package var alt: String
  /// Absolute; nil where there is no address that can be opened.
  package var source: String?
  /// The number of the link around the picture, or else of the picture's own address.
  package var link: Int?

  package init(alt: String, source: String? = nil, link: Int? = nil) {
    self.alt = alt
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
}

package enum Inline: Hashable, Sendable {
  /// Text of one kind. White space is collapsed; `link` is the number of a link.
  case text(String, Traits = [], link: Int? = nil)
  case lineBreak
  case image(Image)
}

package struct Link: Hashable, Sendable {
  /// From 1, in order of appearance. An address has one number, however often it appears.
  package var number: Int
  /// Absolute: http, https or mailto.
  package var url: String
  /// What the link said where it first appeared.
  package var text: String

  package init(number: Int, url: String, text: String) {
    self.number = number
    self.url = url
    self.text = text
  }
}
