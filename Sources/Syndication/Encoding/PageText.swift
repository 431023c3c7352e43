internal import Text

package enum PageText {
  /// Returns a page in UTF-8 without a byte order mark. The bytes overrule the declarations (HTML,
  /// "prescan a byte stream to determine its encoding").
  package static func utf8(_ bytes: [UInt8], contentType: String?) -> [UInt8] {
    let head = DocumentHead(bytes.prefix(headSize), contentType: MediaType(contentType ?? ""))
    var claims = head.encoding
    let isSettled =
      claims.shown != nil
      || [claims.first, claims.second].contains { $0?.source == .document }
    if !isSettled, let label = bytes.prefix(headSize).withUnsafeBufferPointer(metaCharset) {
      let shown = String(PlainText.sanitized(label).prefix(40))
      // A tag that can be read as ASCII proves that the page is not UTF-16.
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

  /// In bytes. Browsers search 1024; some pages begin with long scripts.
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
