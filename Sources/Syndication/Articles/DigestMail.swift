internal import News
internal import Text

package import struct Foundation.Date

/// Mail (RFC 5322) with several articles, as text and as HTML.
package struct DigestMail: Sendable {
  package var sender: String
  /// Nil if the sending program knows the recipient.
  package var recipient: String?
  package var subject: String
  package var date: Date
  /// Identity of the mail, made of those of its articles.
  private let key: String

  /// - Parameter sender: valid for `MailText.isAddress`, and so is the recipient.
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

  /// Globally unique, for `Message-ID` and `Content-ID`.
  var name: String { "\(key).\(Int(date.timeIntervalSince1970))@telex.invalid" }

  /// The mail with line ends of RFC 5322 §2.3.
  package func text(plain: String, html: String, pictures: [MailPicture] = []) -> String {
    let seconds = Int(date.timeIntervalSince1970)
    let time = CivilTime(seconds: seconds)
    let boundary = MailText.boundary(key)
    var head = "From: Telex <\(sender)>\n"
    if let recipient { head += "To: \(recipient)\n" }
    head += "Subject: \(MailText.line(subject, after: "Subject: ".utf8.count))\n"
    head += "Date: \(time.rfc5322) +0000\n"
    head += "Message-ID: <\(name)>\n"
    // RFC 3834: asks for no automatic reply.
    head += "Auto-Submitted: auto-generated\n"
    head += MailText.alternativeHeaders(boundary: boundary) + "\n"
    let text =
      head
      + MailText.alternatives(plain: plain, html: html, pictures: pictures, boundary: boundary)
    return text.replacing("\n", with: "\r\n")
  }
}

/// Inline picture of a mail.
package struct MailPicture: Hashable, Sendable {
  /// `Content-ID`, also for `cid:` addresses (RFC 2392).
  package let id: String
  package let type: String
  package let bytes: [UInt8]

  /// - Parameter number: unique within the mail.
  package init(number: Int, of mail: DigestMail, type: String, bytes: [UInt8]) {
    id = "picture\(number).\(mail.name)"
    self.type = type
    self.bytes = bytes
  }

  package var address: String { "cid:\(id)" }
}
