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

    mutating func clear() {
      kind = .none
      bytes.removeAll(keepingCapacity: true)
      base = nil
    }
  }

  var id: String?
  /// The address that `rdf:about` gives an RSS 1.0 item.
  var about: String?
  var permalink: String?
  var url: String?
  var urlIsHTML = false
  var title: String?
  var authors: [String] = []
  var published: Date?
  var updated: Date?
  var content = Body()
  /// RSS's description, Atom's and JSON Feed's summary.
  var lead = Body()
  /// Whether the lead is the body where there is no other (RSS).
  var leadIsBody = false
  var fallback = Body()
  var enclosures: [Enclosure] = []
  var categories: [String] = []

  /// Keeps the memory of the bodies for the next entry.
  mutating func clear() {
    id = nil
    about = nil
    permalink = nil
    url = nil
    urlIsHTML = false
    title = nil
    authors = []
    published = nil
    updated = nil
    content.clear()
    lead.clear()
    leadIsBody = false
    fallback.clear()
    enclosures = []
    categories = []
  }

  mutating func addAuthor(_ name: String?) {
    guard let name, !name.isEmpty, !authors.contains(name), authors.count < Self.listLimit else {
      return
    }
    authors.append(name)
  }

  mutating func addCategory(_ name: String) {
    guard !name.isEmpty, !categories.contains(name), categories.count < Self.listLimit else {
      return
    }
    categories.append(name)
  }

  mutating func addEnclosure(_ enclosure: Enclosure) {
    guard enclosures.count < Self.listLimit else { return }
    if let same = enclosures.firstIndex(where: { $0.url == enclosure.url }) {
      if enclosures[same].type == nil { enclosures[same].type = enclosure.type }
      if enclosures[same].length == nil { enclosures[same].length = enclosure.length }
    } else {
      enclosures.append(enclosure)
    }
  }

  /// Authors, categories and enclosures of one entry.
  private static let listLimit = 256

  /// The entry; nil where there is nothing to show and nothing to tell it by.
  func entry(inheritedAuthors: [String]) -> Entry? {
    let url = url ?? permalink ?? about.flatMap { WebAddress.isWeb($0) ? $0 : nil }
    var contentHTML = html(of: content)
    var summary: String?
    if let contentHTML, lead.kind != .none {
      summary = plain(of: lead)
      _ = contentHTML
    } else if lead.kind != .none {
      if leadIsBody || lead.kind == .html { contentHTML = html(of: lead) }
      if !leadIsBody { summary = plain(of: lead) }
    }
    if contentHTML == nil, summary == nil { contentHTML = html(of: fallback) }
    guard
      id != nil || url != nil || title != nil || contentHTML != nil || summary != nil
        || !enclosures.isEmpty
    else { return nil }
    return Entry(
      id: id ?? about ?? url ?? digest(contentHTML ?? summary), url: url, title: title,
      authors: authors.isEmpty ? inheritedAuthors : authors, published: published,
      updated: updated, contentHTML: contentHTML, summary: summary, enclosures: enclosures,
      categories: categories)
  }

  /// Stable between runs: the same text and date give the same name.
  private func digest(_ body: String?) -> String {
    var low: UInt64 = 0xCBF2_9CE4_8422_2325
    var high: UInt64 = 0x6C62_272E_07BB_0142
    func mix(_ byte: UInt8) {
      low = (low ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
      high = (high ^ UInt64(byte)) &* 0x9E37_79B9_7F4A_7C15
    }
    let date = published ?? updated
    for part in [title, body, date.map(FeedDate.iso8601), enclosures.first?.url] {
      part?.utf8.forEach(mix)
      mix(0xFF)
    }
    func hex(_ value: UInt64) -> String {
      let digits = String(value, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
    return "telex:" + hex(low) + hex(high)
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
      if let base = body.base, let absolute = MarkupLinks.absolutized(bytes: text, base: base) {
        return absolute.withUnsafeBufferPointer { PlainText.sanitizedMarkup(bytes: $0) }
      }
      return PlainText.sanitizedMarkup(bytes: text)
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
  /// Blank lines part paragraphs, line ends lines.
  static func paragraphs(_ text: String) -> String {
    var output: [UInt8] = Array("<p>".utf8)
    output.reserveCapacity(text.utf8.count + 16)
    var lineEnds = 0
    for byte in text.utf8 {
      if byte == 0x0A {
        lineEnds += 1
        continue
      }
      if byte == 0x20 || byte == 0x09, lineEnds > 0 { continue }
      if lineEnds > 0 {
        output.append(contentsOf: (lineEnds > 1 ? "</p><p>" : "<br>").utf8)
        lineEnds = 0
      }
      appendEscaped(byte, to: &output)
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
