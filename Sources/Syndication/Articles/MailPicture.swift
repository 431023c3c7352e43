/// A picture that a mail has with it.
package struct MailPicture: Hashable, Sendable {
  /// The id in `Content-ID` and `cid:` addresses (RFC 2392): an address of letters, digits, dots and hyphens.
  package let id: String
  /// Its media type.
  package let type: String
  package let bytes: [UInt8]

  /// - Parameter number: of the picture in its mail.
  package init(number: Int, of mail: DigestMail, type: String, bytes: [UInt8]) {
    id = "picture\(number).\(mail.name)"
    self.type = type
    self.bytes = bytes
  }

  /// Its address within the mail.
  package var address: String { "cid:\(id)" }
}
