/// The name and password that stand in an address (RFC 3986 §3.2.1), to be kept apart from it.
///
/// Prints without the password.
package struct AddressUser: Hashable, Sendable {
  /// Scheme, host and port of the address: the password goes nowhere else.
  package let origin: String
  /// Decoded.
  package let user: String
  /// Decoded; empty where there is none.
  package let password: String
  /// As both stand before the `@`.
  private let written: String

  fileprivate init(origin: String, written: String) {
    self.origin = origin
    self.written = written
    let parts = written.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    user = percentDecoded(String(parts[0]))
    password = parts.count > 1 ? percentDecoded(String(parts[1])) : ""
  }

  /// A secret for an origin that stands in no address, such as a token.
  ///
  /// - Parameter origin: scheme, host and port in lower case.
  package init(origin: String, user: String, secret: String) {
    self.origin = origin
    self.user = user
    password = secret
    written = ""
  }

  /// Forms of name and password in texts that repeat the address, and their replacements. A name without
  /// a password is looked for at the beginning of an authority only: it may be part of other words.
  package var replacements: [(text: String, by: String)] {
    let forms = [written, user + (password.isEmpty ? "" : ":" + password)]
    var found: [(text: String, by: String)] = []
    for form in forms where !found.contains(where: { $0.text == "//\(form)@" }) {
      // The second is how JSON may write the first.
      found += [("//\(form)@", "//"), ("\\/\\/\(form)@", "\\/\\/")]
      if !password.isEmpty { found.append(("\(form)@", "")) }
    }
    return found
  }

  /// A text that may repeat the address, without name and password.
  package func removed(from text: String) -> String {
    replacements.reduce(text) { $0.replacing($1.text, with: $1.by) }
  }
}

extension AddressUser: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "a name and password at \(origin)" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

extension WebAddress {
  /// The name and password in a web address; nil where there is neither.
  package static func user(in address: String) -> AddressUser? {
    guard isWeb(address), let range = rangeOfUser(in: address) else { return nil }
    let written = String(address[range].dropLast())
    guard !written.isEmpty, written != ":" else { return nil }
    guard let origin = origin(of: withoutUser(address)) else { return nil }
    return AddressUser(origin: origin.lowercased(), written: written)
  }

  /// The address without name and password.
  package static func withoutUser(_ address: String) -> String {
    guard let range = rangeOfUser(in: address) else { return address }
    return String(address[..<range.lowerBound] + address[range.upperBound...])
  }

  /// A text from a document that may be a web address, such as an id or a title, without the name and
  /// password of one.
  package static func textWithoutUser(_ text: String) -> String {
    text.contains(byte: 0x40) && isWeb(text) ? withoutUser(text) : text
  }

  /// With the `@`.
  private static func rangeOfUser(in address: String) -> Range<String.Index>? {
    guard address.contains(byte: 0x40) else { return nil }
    let range = address.withBytes { bytes -> Range<Int>? in
      let whole = 0..<bytes.count
      // Browsers take a backslash for a slash.
      return straightened(bytes, whole).map { straight in
        straight.withUnsafeBufferPointer { Self.rangeOfUser(in: $0, whole) }
      } ?? Self.rangeOfUser(in: bytes, whole)
    }
    guard let range else { return nil }
    let lower = address.utf8.index(address.startIndex, offsetBy: range.lowerBound)
    let upper = address.utf8.index(address.startIndex, offsetBy: range.upperBound)
    return lower..<upper
  }

  private static func rangeOfUser(in bytes: ByteBuffer, _ range: Range<Int>) -> Range<Int>? {
    guard let authority = AddressParts(bytes, range).authority,
      let at = authority.last(where: { bytes[$0] == 0x40 })
    else { return nil }
    return authority.lowerBound..<at + 1
  }
}
