internal import Foundation
internal import News

/// An entry while its document is being read: what the formats' elements and properties came to, in
/// whatever order they came.
struct EntryDraft {
  /// A text and how it is to be read.
  struct Body {
    enum Kind { case none, html, text }
    var kind = Kind.none
    var bytes: [UInt8] = []
    /// What relative addresses in it refer to.
    var base: String?
    var rank = UInt8.max
    /// Whether it has neither a word nor anything to look at.
    var showsNothing = false

    mutating func clear() {
      kind = .none
      bytes.removeAll(keepingCapacity: true)
      base = nil
      rank = .max
      showsNothing = false
    }
  }

  /// What is shorter than the bodies, made anew for each entry.
  struct Fields {
    var id = Ranked<String>()
    /// The address that `rdf:about` gives an RSS 1.0 item.
    var about: String?
    var url = Ranked<String>()
    /// The guid that is an address.
    var permalink: String?
    /// Whether the address comes from a link to HTML.
    var urlIsHTML = false
    var title = Ranked<String>()
    var authors = RankedAuthors()
    /// Of the feed it was taken from, who wrote what names nobody itself (RFC 4287 §4.2.1).
    var sourceAuthors: [Author] = []
    var published = Ranked<Date>()
    var updated = Ranked<Date>()
    /// Whether the lead is the body where there is no other (RSS).
    var leadIsBody = false
    var enclosures: [Enclosure] = []
    var categories: [News.Category] = []
    /// Words for a search engine: they count where there are no categories.
    var keywords: [String] = []
    var language = Ranked<String>()
    var image = Ranked<String>()
    /// The width of the thumbnail that is the image.
    var imageWidth = 0
    /// The widest of the pictures that are files, and how wide it is.
    var picture: (url: String, width: Int)?
    var commentsPage = Ranked<String>()
    var commentsFeed = Ranked<String>()
    var commentsCount = Ranked<Int>()
    var source = Ranked<EntrySource>()
    var rights = Ranked<String>()
    var duration: Int?
  }

  var fields = Fields()
  var content = Body()
  /// RSS's description, Atom's and JSON Feed's summary, and what takes their place.
  var lead = Body()
  /// The line of the document that it begins in.
  var line: Int?

  /// Keeps the memory of the bodies for the next entry.
  mutating func clear() {
    fields = Fields()
    content.clear()
    lead.clear()
    line = nil
  }

  /// Authors, categories and enclosures of one entry.
  private static let listLimit = 256

  mutating func addCategory(_ category: News.Category) {
    guard !category.name.isEmpty, fields.categories.count < Self.listLimit else { return }
    if let known = fields.categories.firstIndex(where: { $0.name == category.name }) {
      if fields.categories[known].scheme == nil {
        fields.categories[known].scheme = category.scheme
      }
    } else {
      fields.categories.append(category)
    }
  }

  mutating func addEnclosure(_ enclosure: Enclosure) {
    guard fields.enclosures.count < Self.listLimit else { return }
    if let same = fields.enclosures.firstIndex(where: { $0.url == enclosure.url }) {
      fields.enclosures[same].complete(from: enclosure)
    } else {
      fields.enclosures.append(enclosure)
    }
  }

  mutating func addPicture(_ url: String, width: Int) {
    if let picture = fields.picture, picture.width >= width { return }
    fields.picture = (url, width)
  }

  /// Whether something tells it from other entries.
  var isIdentified: Bool {
    fields.id.value != nil || fields.about != nil || fields.url.value != nil
  }

  /// The entry; nil where there is nothing to show and nothing to tell it by.
  func entry() -> Entry? {
    let url = fields.url.value ?? fields.about.flatMap { WebAddress.isWeb($0) ? $0 : nil }
    let title = fields.title.value
    let hidesLead = content.showsNothing && lead.kind != .none && !lead.showsNothing
    var contentHTML = hidesLead ? nil : html(of: content)
    var summary: String?
    if lead.kind != .none {
      let hasContent = contentHTML != nil
      if !hasContent, fields.leadIsBody || lead.kind == .html { contentHTML = html(of: lead) }
      if hasContent || !fields.leadIsBody { summary = plain(of: lead) }
    }
    guard
      fields.id.value != nil || url != nil || title != nil || contentHTML != nil || summary != nil
        || !fields.enclosures.isEmpty
    else { return nil }
    var entry = Entry(
      id: fields.id.value ?? fields.about ?? url ?? "", url: url, title: title,
      authors: authors,
      published: fields.published.value, updated: fields.updated.value, contentHTML: contentHTML,
      summary: summary, enclosures: enclosures, categories: categories,
      language: fields.language.value, image: image, comments: comments,
      source: source(of: url), rights: fields.rights.value)
    if entry.id.isEmpty { entry.id = EntryIdentity.derived(from: entry) }
    return entry
  }

  /// The time that an element of its own gives belongs to the file that is played.
  private var enclosures: [Enclosure] {
    guard let duration = fields.duration,
      let played = fields.enclosures.firstIndex(where: { $0.role == .media && !$0.isImage }),
      fields.enclosures[played].duration == nil
    else { return fields.enclosures }
    var enclosures = fields.enclosures
    enclosures[played].duration = duration
    return enclosures
  }

  private var authors: [Author] {
    fields.authors.list.isEmpty ? fields.sourceAuthors : fields.authors.list
  }

  /// Dublin Core's source is the entry's own page at times.
  private func source(of url: String?) -> EntrySource? {
    fields.source.value.flatMap { $0 == EntrySource(url: url) ? nil : $0 }
  }

  private var categories: [News.Category] {
    guard fields.categories.isEmpty else { return fields.categories }
    var draft = EntryDraft()
    for word in fields.keywords { draft.addCategory(Category(word)) }
    return draft.fields.categories
  }

  private var image: String? {
    fields.image.value ?? fields.picture?.url ?? fields.enclosures.first(where: \.isImage)?.url
  }

  private var comments: CommentLinks? {
    let links = CommentLinks(
      page: fields.commentsPage.value, feed: fields.commentsFeed.value,
      count: fields.commentsCount.value)
    return links.isEmpty ? nil : links
  }
}

extension Enclosure {
  /// Takes from a second mention of the same file what the first did not say.
  mutating func complete(from other: Enclosure) {
    type = type ?? other.type
    length = length ?? other.length
    title = title ?? other.title
    duration = duration ?? other.duration
  }
}

// MARK: - Bodies

private func html(of body: EntryDraft.Body) -> String? {
  body.bytes.withUnsafeBufferPointer { bytes in
    let range = bytes.trimmed(0..<bytes.count)
    guard !range.isEmpty else { return nil }
    let text = ByteBuffer(rebasing: bytes[range])
    switch body.kind {
    case .none: return nil
    case .text: return BodyText.paragraphs(PlainText.sanitizedMarkup(bytes: text))
    case .html:
      if text.firstIndex(of: 0x3C, from: 0) == nil, BodyText.hasParts(text) {
        return BodyText.paragraphs(PlainText.sanitizedMarkup(bytes: text), areEscaped: true)
      }
      var html: String
      if let base = body.base, let absolute = MarkupLinks.absolutized(bytes: text, base: base) {
        html = absolute.withUnsafeBufferPointer { PlainText.sanitizedMarkup(wellFormed: $0) }
      } else {
        html = PlainText.sanitizedMarkup(wellFormed: text)
      }
      return html.isEmpty ? nil : html
    }
  }
}

private func plain(of body: EntryDraft.Body) -> String? {
  let text = body.bytes.withUnsafeBufferPointer { bytes in
    body.kind == .html ? PlainText.stripped(bytes: bytes) : PlainText.sanitized(bytes: bytes)
  }
  return text.isEmpty ? nil : text
}

/// Plain text as HTML.
enum BodyText {
  /// Whether a text is nothing but white space.
  static func isBlank(_ text: ByteBuffer) -> Bool {
    var index = 0
    while index < text.count {
      let length = lengthOfSpace(text, at: index)
      if length == 0 { return false }
      index += length
    }
    return true
  }

  /// Whether a text is nothing but the letters of base64, in one word or in lines of one.
  static func isBase64(_ text: ByteBuffer) -> Bool {
    let range = text.trimmed(0..<text.count)
    return range.count >= 16
      && text[range].allSatisfy { byte in
        byte.isASCIILetter || byte.isASCIIDigit || byte == 0x2B || byte == 0x2F || byte == 0x3D
          || byte == 0x0A || byte == 0x0D || byte == 0x09
      }
  }

  /// Whether an HTML text shows nothing: no word, and nothing to look at or to listen to.
  static func showsNothing(_ html: ByteBuffer) -> Bool {
    var tokenizer = MarkupTokenizer(html)
    var place = 0
    while true {
      let tag = tokenizer.nextTag()
      let end = tag?.start ?? html.count
      while place < end {
        let length = lengthOfSpace(html, at: place)
        if length == 0 { return false }
        place += length
      }
      guard let tag else { return true }
      if tag.kind == .open, shownElements.contains(PackedName(html, tag.name, lowercased: true)) {
        return false
      }
      place = max(place, tag.end)
    }
  }

  private static let shownElements: Set<PackedName> = [
    "img", "video", "audio", "iframe", "embed", "object", "svg", "picture", "math", "canvas",
  ].map { PackedName($0) }.reduce(into: []) { $0.insert($1) }

  /// The length of the white space at `index`, a no-break space among it; 0 where there is none.
  private static func lengthOfSpace(_ text: ByteBuffer, at index: Int) -> Int {
    let byte = text[index]
    if byte.isASCIISpace { return 1 }
    if byte == 0xC2, index + 1 < text.count, text[index + 1] == 0xA0 { return 2 }
    guard byte == 0x26, let found = CharacterReference.decode(text, at: index),
      found.scalar == 0xA0 || found.scalar == 0x20 || found.scalar == 0x0A
    else { return 0 }
    return found.length
  }

  /// Whether an end tag stands in a text.
  static func closesTag(_ text: ByteBuffer) -> Bool {
    var from = 0
    while let bracket = text.firstIndex(of: 0x3C, from: from), bracket + 2 < text.count {
      if text[bracket + 1] == 0x2F, text[bracket + 2].isASCIILetter { return true }
      from = bracket + 1
    }
    return false
  }

  /// Whether an empty line parts a text, or a line of it is an item of a list.
  static func hasParts(_ text: ByteBuffer) -> Bool {
    var lineEnds = 0
    for (index, byte) in text.enumerated() {
      if byte == 0x0A {
        lineEnds += 1
        if lineEnds > 1 { return true }
      } else if !byte.isASCIISpace {
        if lineEnds > 0, startsItem(text, at: index) { return true }
        lineEnds = 0
      }
    }
    return false
  }

  /// Whether a line begins as people write the items of a list where there are no tags.
  private static func startsItem(_ text: ByteBuffer, at index: Int) -> Bool {
    itemMarks.contains { text.hasWord($0, at: index) }
  }

  private static let itemMarks: [StaticString] = ["* ", "- ", "+ ", "• ", "– ", "— ", "· "]

  /// Blank lines part paragraphs, line ends lines.
  ///
  /// - Parameter areEscaped: whether it is HTML without a tag. Its lines may be wrapped anywhere, so
  ///   that only blank ones and items of a list count.
  static func paragraphs(_ text: String, areEscaped: Bool = false) -> String {
    var output: [UInt8] = Array("<p>".utf8)
    output.reserveCapacity(text.utf8.count + 16)
    text.withBytes { text in
      var lineEnds = 0
      for (index, byte) in text.enumerated() {
        if byte == 0x0A {
          lineEnds += 1
          continue
        }
        if byte == 0x20 || byte == 0x09, lineEnds > 0 { continue }
        if lineEnds > 0 {
          let lineEnd = areEscaped && !startsItem(text, at: index) ? "\n" : "<br>"
          output.append(contentsOf: (lineEnds > 1 ? "</p><p>" : lineEnd).utf8)
          lineEnds = 0
        }
        if areEscaped {
          output.append(byte)
        } else {
          appendEscaped(byte, to: &output)
        }
      }
    }
    output.append(contentsOf: "</p>".utf8)
    return String(decoding: output, as: UTF8.self)
  }

  @inline(__always)
  static func appendEscaped(_ byte: UInt8, to output: inout [UInt8]) {
    switch byte {
    case 0x26: output.append(contentsOf: "&amp;".utf8)
    case 0x3C: output.append(contentsOf: "&lt;".utf8)
    case 0x3E: output.append(contentsOf: "&gt;".utf8)
    default: output.append(byte)
    }
  }
}
