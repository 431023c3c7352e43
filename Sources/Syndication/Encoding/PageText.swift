internal import Text

/// The text of web pages.
package enum PageText {
  /// A page in UTF-8, whatever encoding it came in, without a byte order mark.
  ///
  /// What is claimed comes from the byte order mark, the media type, and the page's own
  /// `<meta charset>` (HTML, "prescan a byte stream to determine its encoding"); the bytes have the
  /// last word, as they have with feeds.
  ///
  /// - Parameter contentType: the `Content-Type` it came with.
  package static func utf8(_ bytes: [UInt8], contentType: String?) -> [UInt8] {
    let head = DocumentHead(bytes.prefix(headSize), contentType: MediaType(contentType ?? ""))
    var claims = head.encoding
    let isSettled =
      claims.shown != nil
      || [claims.first, claims.second].contains { $0?.source == .document }
    if !isSettled, let label = bytes.prefix(headSize).withUnsafeBufferPointer(metaCharset) {
      let shown = String(PlainText.sanitized(label).prefix(40))
      // Whoever can read the tag reads no UTF-16.
      var encoding = TextEncoding(label: label)
      if encoding?.isASCIICompatible == false { encoding = .utf8 }
      let claim = EncodingClaims.Claim(source: .document, label: shown, encoding: encoding)
      if claims.first == nil { claims.first = claim } else { claims.second = claim }
    }
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    var decoder = TextDecoder(claims)
    bytes.withUnsafeBufferPointer { decoder.decode($0, isLast: true, into: &text) }
    if text.starts(with: mark) { text.removeFirst(mark.count) }
    return text
  }

  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Browsers look at the first 1024 bytes; pages that begin with much script are read as well.
  private static let headSize = 4096

  private static func metaCharset(_ bytes: ByteBuffer) -> String? {
    var tokenizer = MarkupTokenizer(bytes)
    while let tag = tokenizer.nextTag() {
      guard tag.kind == .open, bytes.isWord("meta", in: tag.name) else { continue }
      var content: String?
      var isContentType = false
      for attribute in MarkupAttributes(bytes, of: tag) {
        if bytes.isWord("charset", in: attribute.name) { return bytes.string(attribute.value) }
        if bytes.isWord("content", in: attribute.name) { content = bytes.string(attribute.value) }
        if bytes.isWord("http-equiv", in: attribute.name) {
          isContentType = bytes.isWord("content-type", in: bytes.trimmed(attribute.value))
        }
      }
      if isContentType, let charset = content.flatMap({ MediaType($0).charset }) { return charset }
    }
    return nil
  }
}
