internal import Foundation
internal import News
internal import Text

/// An entry during parsing. Elements and properties arrive in any order.
struct EntryDraft {
  struct Body {
    enum Kind { case none, html, text }
    var kind = Kind.none
    var bytes: [UInt8] = []
    var base: String?
    /// Whether the base is the text's own `xml:base`.
    var hasOwnBase = false
    var rank = UInt8.max
    var showsNothing = false

    mutating func set(html: String) {
      kind = .html
      bytes = Array(html.utf8)
      showsNothing = html.withBytes(BodyText.showsNothing)
    }

    mutating func set(text: String) {
      kind = .text
      bytes = Array(text.utf8)
      showsNothing = false
    }

    mutating func clear() {
      kind = .none
      bytes.removeAll(keepingCapacity: true)
      base = nil
      hasOwnBase = false
      rank = .max
      showsNothing = false
    }
  }

  struct Fields {
    var id = Ranked<String>()
    var about: String?
    var url = Ranked<String>()
    var permalink: String?
    var urlIsHTML = false
    var title = Ranked<String>()
    var authors = RankedAuthors()
    /// For an entry without authors (RFC 4287 §4.2.1).
    var sourceAuthors: [Author] = []
    var published = Ranked<Date>()
    var updated = Ranked<Date>()
    /// Whether the lead is the body if there is no other (RSS).
    var leadIsBody = false
    var enclosures: [Enclosure] = []
    var categories: [News.Category] = []
    /// Used if there are no categories.
    var keywords: [String] = []
    var language = Ranked<String>()
    var image = Ranked<String>()
    var imageWidth = 0
    var picture: (url: String, width: Int)?
    var commentsPage = Ranked<String>()
    var commentsFeed = Ranked<String>()
    var commentsCount = Ranked<Int>()
    var inReplyTo: String?
    var source = Ranked<EntrySource>()
    var rights = Ranked<String>()
    var duration: Int?
    /// The file itself, if the enclosure leads through a service that counts downloads.
    var originalEnclosure: String?
  }

  var fields = Fields()
  var content = Body()
  /// RSS's description, Atom's and JSON Feed's summary, and their substitutes.
  var lead = Body()
  /// The longest text weaker than the lead: the body if that sums it up and there is no content.
  var fuller = Body()
  /// Descriptions by the addresses of the pictures (Media RSS).
  var pictureTexts: [String: String] = [:]
  var line: Int?
  var isOfExtension = false

  /// Keeps the capacity of the bodies.
  mutating func clear() {
    fields = Fields()
    content.clear()
    lead.clear()
    fuller.clear()
    pictureTexts = [:]
    line = nil
    isOfExtension = false
  }

  /// Maximum number of authors, of categories and of enclosures.
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

  /// Replaces the address of a counted file by its own (FeedBurner's `origEnclosureLink`).
  mutating func useOriginalEnclosure() {
    guard let original = fields.originalEnclosure else { return }
    let known = fields.enclosures.firstIndex { $0.url == original }
    guard let counted = countedEnclosure(of: original, isKnown: known != nil) else {
      if known == nil {
        addEnclosure(Enclosure(url: original, type: FileKind.type(nil, of: original)))
      }
      return
    }
    let enclosure = fields.enclosures[counted]
    if fields.picture?.url == enclosure.url { fields.picture?.url = original }
    if let known {
      fields.enclosures[known].complete(from: enclosure)
      fields.enclosures.remove(at: counted)
    } else {
      fields.enclosures[counted].url = original
    }
  }

  /// The enclosure whose address ends in the name of the original file, else the first of its kind.
  private func countedEnclosure(of original: String, isKnown: Bool) -> Int? {
    func name(_ url: String) -> Substring {
      url.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").last ?? ""
    }
    let candidates = fields.enclosures.indices.filter { place in
      fields.enclosures[place].role == .media && fields.enclosures[place].url != original
    }
    let wanted = name(original)
    if let place = candidates.first(where: { name(fields.enclosures[$0].url) == wanted }) {
      return place
    }
    if isKnown { return nil }
    let isImage = FileKind.type(nil, of: original)?.hasPrefix("image/") ?? false
    return candidates.first { fields.enclosures[$0].isImage == isImage }
  }

  /// Whether an id or address distinguishes it from other entries.
  var isIdentified: Bool {
    fields.id.value != nil || fields.about != nil || fields.url.value != nil
  }

  /// Nil for an entry with neither content nor identity.
  ///
  /// - Parameter sites: addresses of the feed's page and document. If the entry's page is on the
  ///   same host, relative addresses in its texts refer to that page, as in page bundles; link
  ///   blogs link elsewhere.
  func entry(of sites: [String?] = []) -> Entry? {
    let about = fields.about.map(WebAddress.textWithoutUser)
    let url = fields.url.value ?? about.flatMap { WebAddress.isWeb($0) ? $0 : nil }
    var (content, lead, fuller) = (content, lead, fuller)
    if let page = fields.url.value, Self.isBeside(page, sites.compactMap(\.self)) {
      if !content.hasOwnBase { content.base = page }
      if !lead.hasOwnBase { lead.base = page }
      if !fuller.hasOwnBase { fuller.base = page }
    }
    let title = fields.title.value
    let hidesLead = content.showsNothing && lead.kind != .none && !lead.showsNothing
    var contentHTML = hidesLead ? nil : html(of: content)
    var summary: String?
    if lead.kind != .none {
      let isSummedUp = contentHTML == nil && sumsUp(lead, fuller)
      if isSummedUp { contentHTML = html(of: fuller) }
      let hasContent = contentHTML != nil
      if !hasContent, fields.leadIsBody || lead.kind == .html { contentHTML = html(of: lead) }
      // A body of pictures only must not hide the words.
      let (body, other) = hasContent ? (content, lead) : (lead, fuller)
      if !isSummedUp, let pictures = contentHTML, isWordless(body), !isWordless(other),
        let words = html(of: other)
      {
        contentHTML = "\(pictures)<div>\(words)</div>"
      }
      if hasContent || !fields.leadIsBody { summary = plain(of: lead) }
    }
    guard
      fields.id.value != nil || url != nil || title != nil || contentHTML != nil || summary != nil
        || !fields.enclosures.isEmpty
    else { return nil }
    var entry = Entry(
      id: fields.id.value.map(WebAddress.textWithoutUser) ?? about ?? url ?? "", url: url,
      title: title,
      authors: fields.authors.list.isEmpty ? fields.sourceAuthors : fields.authors.list,
      published: fields.published.value, updated: fields.updated.value, contentHTML: contentHTML,
      summary: summary, enclosures: enclosures, categories: categories)
    entry.language = fields.language.value
    entry.image =
      fields.image.value ?? fields.picture?.url ?? fields.enclosures.first(where: \.isImage)?.url
    entry.comments = comments
    entry.source = source(of: url)
    entry.rights = fields.rights.value
    entry.inReplyTo = fields.inReplyTo.map(WebAddress.textWithoutUser)
    if entry.id.isEmpty { entry.id = EntryIdentity.derived(from: entry) }
    return entry
  }

  /// Whether the page is on the host of a feed, or no host is known.
  private static func isBeside(_ page: String, _ sites: [String]) -> Bool {
    func host(_ url: String) -> Substring? {
      let host = WebAddress.host(of: url)?.lowercased()
      return host.map { $0.hasPrefix("www.") ? $0.dropFirst(4) : $0[...] }
    }
    return sites.isEmpty || sites.contains { host($0) == host(page) }
  }

  /// `itunes:duration` belongs to the file that is played.
  private var enclosures: [Enclosure] {
    var enclosures = fields.enclosures
    for (index, file) in enclosures.enumerated() where file.title == nil {
      enclosures[index].title = pictureTexts[file.url]
    }
    guard let duration = fields.duration,
      let played = fields.enclosures.firstIndex(where: { $0.role == .media && !$0.isImage }),
      fields.enclosures[played].duration == nil
    else { return enclosures }
    enclosures[played].duration = duration
    return enclosures
  }

  /// Dublin Core's source may be the entry's own page.
  private func source(of url: String?) -> EntrySource? {
    fields.source.value.flatMap { $0 == EntrySource(url: url) ? nil : $0 }
  }

  private var categories: [News.Category] {
    guard fields.categories.isEmpty else { return fields.categories }
    var draft = EntryDraft()
    for word in fields.keywords { draft.addCategory(Category(word)) }
    return draft.fields.categories
  }

  private var comments: CommentLinks? {
    let links = CommentLinks(
      page: fields.commentsPage.value, feed: fields.commentsFeed.value,
      count: fields.commentsCount.value)
    return links.isEmpty ? nil : links
  }
}

extension Enclosure {
  /// Takes missing values from another mention of the file.
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
    case _ where MarkdownReader.isMarkdown(text):
      let source = PlainText.sanitizedMarkup(bytes: text)
      let html = MarkdownReader.html(
        body.kind == .text ? source.replacing("&", with: "&amp;") : source)
      return MarkupLinks.absolutized(html, base: body.base)
    case .text: return BodyText.paragraphs(PlainText.sanitizedMarkup(bytes: text))
    case .html:
      if text.firstIndex(of: 0x3C, from: 0) == nil, BodyText.hasParts(text) {
        return BodyText.paragraphs(PlainText.sanitizedMarkup(bytes: text), areEscaped: true)
      }
      var html: String
      if let absolute = MarkupLinks.absolutized(bytes: text, base: body.base) {
        html = absolute.withUnsafeBufferPointer { PlainText.sanitizedMarkup(wellFormed: $0) }
      } else {
        html = PlainText.sanitizedMarkup(wellFormed: text)
      }
      return html.isEmpty ? nil : html
    }
  }
}

private func isWordless(_ body: EntryDraft.Body) -> Bool {
  body.kind == .html && body.bytes.withUnsafeBufferPointer(BodyText.isWordless)
}

/// Whether a text without pictures is less than half as long as the other.
private func sumsUp(_ lead: EntryDraft.Body, _ fuller: EntryDraft.Body) -> Bool {
  guard fuller.kind != .none,
    lead.kind != .html || !lead.bytes.withUnsafeBufferPointer(BodyText.showsMedia),
    let short = plain(of: lead), let long = plain(of: fuller)
  else { return false }
  return long.utf8.count > 2 * short.utf8.count
}

private func plain(of body: EntryDraft.Body) -> String? {
  let text = body.bytes.withUnsafeBufferPointer { bytes in
    body.kind == .html ? PlainText.stripped(bytes: bytes) : PlainText.sanitized(bytes: bytes)
  }
  return text.isEmpty ? nil : text
}
