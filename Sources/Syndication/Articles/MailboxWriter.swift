internal import Foundation
internal import News
internal import Text

/// Articles as a mailbox (RFC 4155): a message for each (RFC 5322), with its text as Markdown and as HTML (RFC 2046).
///
/// All bytes are ASCII: headers are encoded by RFC 2047, bodies are quoted-printable (RFC 2045). A line of a body that
/// begins like a message has its first letter encoded.
package struct MailboxWriter: ArticleWriter {
  package init() {}

  package let hasContents = false
  package let endOfContents = ""
  package let end = ""

  package func beginning(of list: WrittenList) -> String { "" }
  package func contents(of article: WrittenArticle) -> String { "" }

  package func text(of article: WrittenArticle) -> String {
    // Years of four digits.
    let seconds = min(
      max(article.published.timeIntervalSince1970, -62_135_596_800), 253_402_300_799)
    let time = CivilTime(seconds: Int(seconds))
    let boundary = "=_\(article.key)"
    var head = "From telex@localhost \(Self.asctime(time))\n"
    func add(_ name: String, _ value: String) { head += "\(name): \(value)\n" }
    add("From", Self.sender(of: article))
    add("Subject", Self.encoded(article.title, after: "Subject: ".utf8.count))
    add("Date", time.rfc5322 + " +0000")
    add("Message-ID", "<\(article.key)@\(Self.host(of: article))>")
    // RFC 5064.
    if let page = article.page, page.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
      page.utf8.count < 900
    {
      add("Archived-At", "<\(page)>")
    }
    if !article.listed.tags.isEmpty {
      add(
        "Keywords", article.listed.tags.map { Self.phrase($0, after: 12) }.joined(separator: ",\n ")
      )
    }
    if article.listed.row.status.isRead { add("Status", "RO") }
    if article.listed.row.status.isStarred { add("X-Status", "F") }
    add("MIME-Version", "1.0")
    add("Content-Type", "multipart/alternative;\n boundary=\"\(boundary)\"")
    let feed = PlainText.sanitized(article.listed.row.feedTitle)
    let files = article.files.map { file in
      "\(file.url)\(file.type.map { " (\($0))" } ?? "")"
    }
    let lines = [feed, article.authors, article.page ?? ""].filter { !$0.isEmpty } + files
    let plain = lines.map(PlainText.sanitized).joined(separator: "\n") + "\n\n" + article.markdown
    return head + "\n" + Self.part("text/plain", plain, boundary)
      + Self.part("text/html", Self.page(of: article), boundary) + "--\(boundary)--\n\n"
  }

  private static func page(of article: WrittenArticle) -> String {
    let title = XMLText.line(article.title)
    let link = article.page.map { "<a href=\"\(XMLText.line($0))\">\(title)</a>" } ?? title
    let files = article.files.map {
      "<li><a href=\"\(XMLText.line($0.url))\">\(XMLText.line($0.title ?? $0.url))</a></li>\n"
    }
    return "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"></head><body>\n<h2>\(link)</h2>\n"
      + article.html + (files.isEmpty ? "" : "<ul>\n\(files.joined())</ul>\n") + "</body></html>\n"
  }

  private static func part(_ type: String, _ text: String, _ boundary: String) -> String {
    "--\(boundary)\nContent-Type: \(type); charset=utf-8\n"
      + "Content-Transfer-Encoding: quoted-printable\n\n\(quotedPrintable(text))\n"
  }

  // MARK: Headers

  private static func asctime(_ time: CivilTime) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let day = time.day
    return "\(day.weekdayName) \(day.monthName) \(day.day < 10 ? " " : "")\(day.day) "
      + "\(two(time.hour)):\(two(time.minute)):\(two(time.second)) \(day.year)"
  }

  private static func sender(of article: WrittenArticle) -> String {
    let author = article.entry.authors.first
    let feed = article.listed.row.feedTitle
    let name = author.map { "\($0.name) (\(feed))" } ?? feed
    let address = author?.email.flatMap { isMailAddress($0) ? $0 : nil } ?? "unknown@telex.invalid"
    return "\(phrase(name, after: 6))\n <\(address)>"
  }

  private static func isMailAddress(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    return text.utf8.count < 255 && parts.count == 2
      && parts.allSatisfy { part in
        !part.isEmpty && !part.hasPrefix(".") && !part.hasSuffix(".") && !part.contains("..")
          && part.utf8.allSatisfy {
            $0.isASCIILetter || $0.isASCIIDigit || "._+-".utf8.contains($0)
          }
      }
  }

  private static func host(of article: WrittenArticle) -> String {
    let host = WebAddress.host(of: article.listed.feedURL) ?? ""
    let isName =
      !host.isEmpty && host.utf8.count < 200
      && host.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == 0x2E || $0 == 0x2D }
    return isName ? host : "telex.invalid"
  }

  /// A name as a phrase (RFC 5322 §3.2.5).
  private static func phrase(_ text: String, after used: Int) -> String {
    let text = PlainText.sanitized(text)
    guard isPlain(text), used + text.utf8.count < 70 else { return words(of: text, after: used) }
    let quoted = text.flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] }
    return "\"\(String(quoted))\""
  }

  /// A text without a structure (RFC 5322 §3.2.5).
  private static func encoded(_ text: String, after used: Int) -> String {
    let text = PlainText.sanitized(text)
    return isPlain(text) && used + text.utf8.count <= 76 ? text : words(of: text, after: used)
  }

  /// Whether a text stands for itself: ASCII, and nothing that looks like an encoded word.
  private static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { (0x20...0x7E).contains($0) } && !text.contains("=?")
  }

  /// Encoded words (RFC 2047 §2: 75 characters at most, 76 in a line), each of whole characters.
  private static func words(of text: String, after used: Int) -> String {
    var words: [String] = []
    var bytes: [UInt8] = []
    // In base64 45 bytes are 60 characters; the first word shares its line with the name of the header.
    var room = max(9, 45 - (used * 3 + 3) / 4)
    func word() -> String { "=?utf-8?B?\(Data(bytes).base64EncodedString())?=" }
    for scalar in text.unicodeScalars {
      let more = Array(String(scalar).utf8)
      if bytes.count + more.count > room {
        words.append(word())
        bytes = []
        room = 45
      }
      bytes += more
    }
    if !bytes.isEmpty { words.append(word()) }
    return words.joined(separator: "\n ")
  }

  // MARK: Bodies

  /// Lines of at most 76 characters (RFC 2045 §6.7).
  private static func quotedPrintable(_ text: String) -> String {
    var output: [UInt8] = []
    for line in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false) {
      var column = 0
      let bytes = Array(line)
      let isLikeMessage = bytes.starts(with: "From ".utf8)
      for (index, byte) in bytes.enumerated() {
        let isLast = index == bytes.count - 1
        let isSpace = byte == 0x20 || byte == 0x09
        let isText = (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "=")
        let staysPlain = (isText || isSpace && !isLast) && !(index == 0 && isLikeMessage)
        let length = staysPlain ? 1 : 3
        // One column is kept for the mark of a soft line end.
        if column + length > 75 {
          output += "=\n".utf8
          column = 0
          // What follows a soft line end begins a line of the file.
        }
        if staysPlain, !(column == 0 && bytes[index...].starts(with: "From ".utf8)) {
          output.append(byte)
          column += 1
        } else {
          output.append(UInt8(ascii: "="))
          output += hexadecimal(byte)
          column += 3
        }
      }
      output.append(0x0A)
    }
    output.removeLast()
    return String(decoding: output, as: UTF8.self)
  }

  private static func hexadecimal(_ byte: UInt8) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    return [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }
}
