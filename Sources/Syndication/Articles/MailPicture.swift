/// Inline picture of a mail.
package struct MailPicture: Hashable, Sendable {
  /// `Content-ID`, also for `cid:` addresses (RFC 2392).
  package let id: String
  /// Media type.
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
