internal import News
internal import Text

package import struct Foundation.Date

/// A mail of its own (RFC 5322) with many articles, as text and as HTML.
package struct DigestMail: Sendable {
  /// The address that it comes from.
  package var sender: String
  /// The address that it goes to; nil where the program that sends it knows.
  package var recipient: String?
  package var subject: String
  package var date: Date
  /// The identity of the mail: that of its articles.
  private let key: String

  /// - Parameter sender: as `MailText.isAddress` has it; the recipient as well.
  package init(
    from sender: String, to recipient: String?, subject: String, date: Date,
    articles: [WrittenArticle]
  ) {
    self.sender = sender
    self.recipient = recipient
    self.subject = subject
    self.date = date
    key = WrittenArticle.key(of: articles.map(\.key))
  }

  /// Unique in the world, as `Message-ID` and `Content-ID` are.
  var name: String { "\(key).\(Int(date.timeIntervalSince1970))@telex.invalid" }

  /// The mail, with lines that end as RFC 5322 §2.3 has it.
  package func text(plain: String, html: String, pictures: [MailPicture] = []) -> String {
    let seconds = Int(date.timeIntervalSince1970)
    let time = CivilTime(seconds: seconds)
    let boundary = MailText.boundary(key)
    var head = "From: Telex <\(sender)>\n"
    if let recipient { head += "To: \(recipient)\n" }
    head += "Subject: \(MailText.line(subject, after: "Subject: ".utf8.count))\n"
    head += "Date: \(time.rfc5322) +0000\n"
    head += "Message-ID: <\(name)>\n"
    // RFC 3834: no answer by a machine.
    head += "Auto-Submitted: auto-generated\n"
    head += MailText.alternativeHeaders(boundary: boundary) + "\n"
    let text =
      head
      + MailText.alternatives(plain: plain, html: html, pictures: pictures, boundary: boundary)
    return text.replacing("\n", with: "\r\n")
  }
}
