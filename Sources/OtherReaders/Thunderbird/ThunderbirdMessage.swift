internal import Foundation
package import News
internal import Text

/// An article as Thunderbird keeps it: a message of mail, with the page's address in `Content-Base` and the marks in
/// `X-Mozilla-Status`.
package struct ThunderbirdMessage: Sendable {
  /// The id of the article as Thunderbird has it.
  package let id: String
  private let headers: [String: String]
  private let body: String

  /// - Parameter bytes: the message, its headers first.
  /// - Returns: nil where it has no id.
  package init?(_ bytes: some Collection<UInt8>) {
    let text = String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
    let head = text.range(of: "\n\n")
    headers = Self.headers(text[..<(head?.lowerBound ?? text.endIndex)])
    body = head.map { String(text[$0.upperBound...]) }?.replacing("\n>From ", with: "\nFrom ") ?? ""
    guard var id = headers["message-id"] else { return nil }
    if id.hasPrefix("<") { id.removeFirst() }
    if id.hasSuffix(">") { id.removeLast() }
    if id.hasSuffix(Self.host) { id.removeLast(Self.host.count) }
    guard !id.isEmpty else { return nil }
    self.id = id
  }

  private static let host = "@localhost.localdomain"

  /// Values by names in lower case; of several of a name, the first counts.
  private static func headers(_ text: Substring) -> [String: String] {
    var headers: [String: String] = [:]
    var name = ""
    for line in text.split(separator: "\n") {
      if line.first == " " || line.first == "\t" {
        headers[name]? += " " + line.trimmed
        continue
      }
      guard let colon = line.firstIndex(of: ":") else { continue }
      name = line[..<colon].lowercased()
      if headers[name] == nil { headers[name] = line[line.index(after: colon)...].trimmed }
    }
    return headers
  }

  // MARK: The article

  /// The article of the message.
  ///
  /// - Parameters:
  ///   - feed: the feed's address.
  ///   - title: that of the feed, which stands for an author who is not known.
  package func article(of feed: String, titled title: String?) -> ImportedArticle {
    let address = headers["content-base"].flatMap { $0 == "null" || $0.isEmpty ? nil : $0 }
    let url = address.flatMap {
      WebAddress.isBlank($0) ? nil : WebAddress.resolve($0, against: feed)
    }
    var entry = Entry(
      id: "", url: url, title: ForeignText.line(headers["subject"].map(MailWord.decoded)),
      authors: author(of: title).map { [$0] } ?? [],
      published: headers["date"].flatMap(ForeignText.date(ofMail:)))
    let parts = parts
    if let html = parts.first?.body { entry.contentHTML = Self.content(html, base: url ?? feed) }
    for part in parts.dropFirst() {
      guard let file = part.headers["x-mozilla-external-attachment-url"],
        let address = WebAddress.resolve(file, against: feed)
      else { continue }
      let type = part.headers["content-type"] ?? ""
      let size = type.firstMatch(of: #/;\s*size=(\d+)/#).flatMap { Int64($0.1) }
      entry.enclosures.append(
        Enclosure(
          url: address, type: ForeignText.line(String(type.prefix { $0 != ";" })), length: size))
    }
    entry.categories = (headers["keywords"] ?? "").split(separator: ",").compactMap {
      ForeignText.line(MailWord.decoded($0.trimmed)).map { Category($0) }
    }
    entry.id = identity(entry, address: address ?? feed)
    let flags = headers["x-mozilla-status"].flatMap { Int($0, radix: 16) } ?? 0
    return ImportedArticle(
      entry, isRead: flags & 0x1 != 0, isStarred: flags & 0x4 != 0, tags: tags,
      isDeleted: flags & 0x8 != 0)
  }

  /// The id that Telex gives the entry when it fetches the feed. Where an entry of RSS has none, Thunderbird joins the
  /// address, the title and the beginning of the text by `#`.
  private func identity(_ entry: Entry, address: String) -> String {
    let isJoined =
      id.hasPrefix(address + "#") && id.dropFirst(address.count + 1).contains("#")
      && (entry.title.map { id.dropFirst(address.count + 1).hasPrefix($0.prefix(20)) } ?? true)
    return isJoined
      ? entry.url ?? EntryIdentity.derived(from: entry) : PlainText.sanitized(id)
  }

  private func author(of title: String?) -> Author? {
    guard var name = headers["from"].map(MailWord.decoded) else { return nil }
    if name.hasPrefix("<"), name.hasSuffix(">") { name = String(name.dropFirst().dropLast()) }
    guard let line = ForeignText.line(name), line != "anonymous", line != title else { return nil }
    return Author(line)
  }

  /// Tags by their keys; the five that Thunderbird brings have keys of their own.
  private var tags: [String] {
    let own = [
      "$label1": "important", "$label2": "work", "$label3": "personal", "$label4": "to-do",
      "$label5": "later",
    ]
    return (headers["x-mozilla-keys"] ?? "").split(separator: " ").compactMap { key in
      if let name = own[String(key)] { return name }
      let isOfMail = ["nonjunk", "junk", "notjunk"].contains(key.lowercased())
      return key.hasPrefix("$") || isOfMail ? nil : PlainText.sanitizedName(String(key))
    }
  }

  // MARK: Parts

  private var parts: [(headers: [String: String], body: String)] {
    let type = headers["content-type"] ?? ""
    guard type.lowercased().hasPrefix("multipart/"),
      let boundary = type.firstMatch(of: #/boundary="?([^";]+)"?/#)?.1
    else { return [(headers, body)] }
    // What stands before the first boundary is no part.
    return ("\n" + body).split(separator: "\n--\(boundary)", omittingEmptySubsequences: false)
      .dropFirst().compactMap { part in
        guard !part.hasPrefix("--") else { return nil }
        let text = part.drop { $0 == "\n" }
        guard let end = text.range(of: "\n\n") else { return (Self.headers(text), "") }
        return (Self.headers(text[..<end.lowerBound]), String(text[end.upperBound...]))
      }
  }

  /// The text of the page that Thunderbird writes around an article.
  private static func content(_ page: String, base: String) -> String? {
    let named = page.firstMatch(of: #/<base href="([^"]*)"/#)
    let base =
      named.flatMap { WebAddress.resolve(CharacterReference.decoded(String($0.1)), against: base) }
      ?? base
    var html = page[...]
    if let begin = page.firstMatch(of: #/<body id="msgFeedSummaryBody"[^>]*>/#) {
      html = page[begin.range.upperBound...]
      if let end = html.ranges(of: "</body>").last { html = html[..<end.lowerBound] }
    }
    // A page that Thunderbird loads in place of the text.
    guard html.firstMatch(of: #/<iframe id="_mailrssiframe"/#) == nil else { return nil }
    return ForeignText.body(html.trimmed, base: base)
  }
}

/// Words of a header that are not ASCII (RFC 2047).
private enum MailWord {
  static func decoded(_ text: String) -> String {
    guard text.contains("=?") else { return text }
    return text.replacing(#/\?=\s+=\?/#, with: "?==?").replacing(
      #/=\?([^?]+)\?([BbQq])\?([^?]*)\?=/#
    ) { match in
      let isBase64 = match.2.lowercased() == "b"
      let bytes =
        isBase64
        ? Data(base64Encoded: String(match.3)).map(Array.init) ?? [] : quotedPrintable(match.3)
      let isUTF8 = match.1.lowercased() == "utf-8"
      return isUTF8
        ? String(decoding: bytes, as: UTF8.self)
        : String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
  }

  private static func quotedPrintable(_ text: Substring) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = text.replacing("_", with: " ").utf8.map { $0 }[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "="), rest.count >= 2, let high = rest.first?.hexValue,
        let low = rest.dropFirst().first?.hexValue
      {
        bytes.append(UInt8(truncatingIfNeeded: high << 4 | low))
        rest.removeFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }
}
