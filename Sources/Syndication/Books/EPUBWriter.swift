internal import News
internal import Text

package import struct Foundation.Date

/// Articles as a book in EPUB 3.3, with the table of contents of EPUB 2, in pieces.
///
/// Order: `beginning`, articles and pictures, `end`. The same articles give the same bytes.
package struct EPUBWriter {
  package struct Details: Sendable {
    package var title: String
    package var updated: Date
    package var authors: [String]
    /// A language tag; nil if unknown or mixed.
    package var language: String?

    package init(title: String, updated: Date, authors: [String] = [], language: String? = nil) {
      self.title = title
      self.updated = updated
      self.authors = authors
      self.language = language
    }
  }

  private typealias Chapter = (title: String, file: String)

  private let details: Details
  private var archive = ZIPWriter()
  private var sections: [(title: String, chapters: [Chapter])] = []
  private var pictures: [(file: String, type: String)] = []
  private var keys: [String] = []
  private var chapterCount = 0

  package init(_ details: Details) { self.details = details }

  /// - Parameter number: from 1.
  package static func file(ofChapter number: Int) -> String { "article\(number).xhtml" }

  package mutating func beginning() throws -> [UInt8] {
    // OCF 3.3 §4.2.6.3: the first file, uncompressed.
    try archive.add("mimetype", Array("application/epub+zip".utf8), isPacked: false)
      + add("META-INF/container.xml", EPUBPages.container)
      + add("EPUB/style.css", EPUBPages.style)
  }

  /// Begins a part of the book, such as a feed, for the articles that follow.
  package mutating func beginSection(_ title: String) { sections.append((title, [])) }

  /// - Parameters:
  ///   - type: media type: JPEG, PNG, GIF or WebP, the core types of EPUB.
  ///   - ending: file name extension.
  /// - Returns: the file for references in pages, and the next bytes of the book.
  package mutating func addPicture(
    _ bytes: [UInt8], type: String, ending: String
  ) throws -> (file: String, bytes: [UInt8]) {
    let file = "picture\(pictures.count + 1).\(ending)"
    pictures.append((file, type))
    return (file, try archive.add("EPUB/\(file)", bytes, isPacked: false))
  }

  /// Adds an article whose `html` is XML with headings from the second level.
  package mutating func add(_ article: WrittenArticle) throws -> [UInt8] {
    chapterCount += 1
    let file = Self.file(ofChapter: chapterCount)
    if sections.isEmpty { beginSection(article.listed.row.feedTitle) }
    sections[sections.count - 1].chapters.append((EPUBPages.line(article.title), file))
    keys.append(article.key)
    return try add("EPUB/\(file)", EPUBPages.page(of: article))
  }

  package mutating func end() throws -> [UInt8] {
    let name = AtomWriter.id(keys.count == 1 ? keys[0] : WrittenArticle.key(of: keys))
    let title = EPUBPages.line(details.title)
    return try add("EPUB/nav.xhtml", navigation(title))
      + add("EPUB/toc.ncx", oldNavigation(title, name))
      + add("EPUB/package.opf", package(title, name)) + archive.end()
  }

  private mutating func add(_ path: String, _ text: String) throws -> [UInt8] {
    try archive.add(path, Array(text.utf8))
  }

  private var chapters: [Chapter] { sections.flatMap(\.chapters) }

  private var hasContents: Bool { chapterCount > 1 }

  private var hasSections: Bool { sections.count > 1 }

  private func navigation(_ title: String) -> String {
    func item(_ chapter: Chapter) -> String {
      "<li><a href=\"\(chapter.file)\">\(chapter.title)</a></li>\n"
    }
    let list =
      hasSections
      ? sections.filter { !$0.chapters.isEmpty }.map { section in
        "<li><span>\(EPUBPages.line(section.title))</span>\n<ol>\n"
          + section.chapters.map(item).joined() + "</ol></li>\n"
      } : chapters.map(item)
    return EPUBPages.head(title, language: details.language)
      + "<nav epub:type=\"toc\">\n<h1>\(title)</h1>\n<ol>\n\(list.joined())</ol>\n</nav>\n"
      + EPUBPages.foot
  }

  private func oldNavigation(_ title: String, _ name: String) -> String {
    var number = 0
    func point(_ title: String, _ file: String, _ inner: String = "") -> String {
      number += 1
      return "<navPoint id=\"n\(number)\"><navLabel><text>\(title)</text></navLabel>"
        + "<content src=\"\(file)\"/>\(inner)</navPoint>\n"
    }
    let points = sections.map { section -> String in
      guard let first = section.chapters.first else { return "" }
      let inner = section.chapters.map { point($0.title, $0.file) }.joined()
      return hasSections ? point(EPUBPages.line(section.title), first.file, inner) : inner
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1">
      <head>
      <meta name="dtb:uid" content="\(name)"/>
      <meta name="dtb:depth" content="\(hasSections ? 2 : 1)"/>
      </head>
      <docTitle><text>\(title)</text></docTitle>
      <navMap>
      \(points.joined())</navMap>
      </ncx>

      """
  }

  private func package(_ title: String, _ name: String) -> String {
    let authors = details.authors.map { "<dc:creator>\(EPUBPages.line($0))</dc:creator>\n" }
      .joined()
    let files = chapters.enumerated().map { index, chapter in
      "<item id=\"a\(index + 1)\" href=\"\(chapter.file)\" media-type=\"application/xhtml+xml\"/>\n"
    }
    let images = pictures.enumerated().map { index, picture in
      "<item id=\"p\(index + 1)\" href=\"\(picture.file)\" media-type=\"\(picture.type)\"/>\n"
    }
    let spine = chapters.indices.map { "<itemref idref=\"a\($0 + 1)\"/>\n" }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="name">
      <metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
      <dc:identifier id="name">\(name)</dc:identifier>
      <dc:title>\(title)</dc:title>
      <dc:language>\(XMLText.language(details.language) ?? "und")</dc:language>
      \(authors)<meta property="dcterms:modified">\(Timestamp.text(of: details.updated))</meta>
      </metadata>
      <manifest>
      <item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
      <item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>
      <item id="style" href="style.css" media-type="text/css"/>
      \(files.joined())\(images.joined())</manifest>
      <spine toc="ncx">
      \(hasContents ? "<itemref idref=\"nav\"/>\n" : "")\(spine.joined())</spine>
      </package>

      """
  }
}
