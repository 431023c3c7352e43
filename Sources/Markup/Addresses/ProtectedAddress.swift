internal import Text

/// Addresses of e-mail that Cloudflare encodes in pages, which a script of theirs decodes.
enum ProtectedAddress {
  /// The address that an element stands for: `data-cfemail`, or a link to `/cdn-cgi/l/email-protection#`; nil for none.
  static func address(_ input: ByteBuffer, of token: MarkupTokenizer.Tag) -> String? {
    for attribute in MarkupAttributes(input, of: token) where attribute.hasValue {
      if input.isWord("data-cfemail", in: attribute.name) {
        return decoded(input[attribute.value])
      }
      if input.isWord("href", in: attribute.name) {
        let value = input.string(attribute.value)
        let parts = value.split(
          separator: "/cdn-cgi/l/email-protection#", omittingEmptySubsequences: false)
        if parts.count == 2 { return decoded(parts[1].utf8) }
      }
    }
    return nil
  }

  /// The text in the place of an element: the address, behind the element's own words where it has any.
  static func shown(_ address: String, for content: Slice<ByteBuffer>) -> String {
    let text = PlainText.stripped(bytes: ByteBuffer(rebasing: content))
    let isPlaceholder =
      text.isEmpty || text.contains("protected") && text.contains("[") || text.contains(address)
    return isPlaceholder ? address : "\(HTMLPage.escaped(text)) (\(address))"
  }

  /// Each byte in two hexadecimal digits; the first is the key of the others.
  private static func decoded(_ digits: some Collection<UInt8>) -> String? {
    let digits = Array(digits)
    guard digits.count >= 8, digits.count.isMultiple(of: 2), digits.count <= 1_024 else {
      return nil
    }
    var bytes: [UInt8] = []
    for place in stride(from: 0, to: digits.count, by: 2) {
      guard let byte = UInt8(String(decoding: digits[place..<place + 2], as: UTF8.self), radix: 16)
      else { return nil }
      bytes.append(byte)
    }
    let text = String(decoding: bytes.dropFirst().map { $0 ^ bytes[0] }, as: UTF8.self)
    let isAddress = text.contains("@") && !text.contains { "<>\"&".contains($0) || $0.isWhitespace }
    return isAddress ? text : nil
  }
}
