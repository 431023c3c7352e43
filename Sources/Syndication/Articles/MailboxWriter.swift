internal import Foundation
internal import News
internal import Text

/// Articles as a mailbox (RFC 4155): a message each (RFC 5322), as Markdown and as HTML (RFC 2046),
/// in ASCII. Body lines that begin with `From ` have the first letter encoded.
package struct MailboxWriter: ArticleWriter {
  package init() {}

  package func beginning(of list: WrittenList) -> String { "" }

  package func text(of article: WrittenArticle) -> String {
    // The date has four digits for the year.
    let seconds = min(
      max(article.published.timeIntervalSince1970, -62_135_596_800), 253_402_300_799)
    let time = CivilTime(seconds: Int(seconds))
    let boundary = MailText.boundary(article.key)
    var head = "From telex@localhost \(Self.asctime(time))\n"
    func add(_ name: String, _ value: String) { head += "\(name): \(value)\n" }
    add("From", Self.sender(of: article))
    add("Subject", MailText.line(article.title, after: "Subject: ".utf8.count))
    add("Date", time.rfc5322 + " +0000")
    add("Message-ID", "<\(article.key)@\(Self.host(of: article))>")
    if let page = article.page, page.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
      page.utf8.count < 900
    {
      add("Archived-At", "<\(page)>")
    }
    if !article.listed.tags.isEmpty {
      let tags = article.listed.tags.map { MailText.phrase($0, after: 12) }
      add("Keywords", tags.joined(separator: ",\n "))
    }
    if article.listed.row.status.isRead { add("Status", "RO") }
    if article.listed.row.status.isStarred { add("X-Status", "F") }
    head += MailText.alternativeHeaders(boundary: boundary)
    let feed = PlainText.sanitized(article.listed.row.feedTitle)
    let files = article.files.map { file in
      "\(file.url)\(file.type.map { " (\($0))" } ?? "")"
    }
    let lines = [feed, article.authors, article.page ?? ""].filter { !$0.isEmpty } + files
    let plain = lines.map(PlainText.sanitized).joined(separator: "\n") + "\n\n" + article.markdown
    return head + "\n"
      + MailText.alternatives(plain: plain, html: Self.page(of: article), boundary: boundary) + "\n"
  }

  private static func page(of article: WrittenArticle) -> String {
    let link = XMLText.link(XMLText.line(article.title), to: article.page)
    let files = article.files.map {
      "<li>\(XMLText.link(XMLText.line($0.title ?? $0.url), to: $0.url))</li>\n"
    }
    return "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"></head><body>\n<h2>\(link)</h2>\n"
      + article.html + (files.isEmpty ? "" : "<ul>\n\(files.joined())</ul>\n") + "</body></html>\n"
  }

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
    let address =
      author?.email.flatMap { MailText.isAddress($0) ? $0 : nil } ?? "unknown@telex.invalid"
    return "\(MailText.phrase(name, after: 6))\n <\(address)>"
  }

  private static func host(of article: WrittenArticle) -> String {
    let host = WebAddress.host(of: article.listed.feedURL) ?? ""
    let isName =
      !host.isEmpty && host.utf8.count < 200
      && host.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == 0x2E || $0 == 0x2D }
    return isName ? host : "telex.invalid"
  }
}
