internal import Text

/// The address that a page without an article leads to by itself: with `<meta http-equiv="refresh">`, or with a script
/// that sets its location.
enum PageRedirect {
  /// Bytes at the beginning of a page that are looked at.
  private static let looked = 64 << 10
  /// Seconds after which a page that refreshes itself is one that is renewed, and leads nowhere.
  private static let longestDelay = 30.0

  /// - Parameters:
  ///   - html: the page, in UTF-8.
  ///   - base: what its relative addresses refer to.
  /// - Returns: an http(s) address other than the base; nil for none.
  static func target(in html: [UInt8], base: String?) -> String? {
    let found = html.prefix(looked).withUnsafeBufferPointer { refresh(in: $0) ?? script(in: $0) }
    guard let found, let url = WebAddress.resolve(found, against: base), WebAddress.isWeb(url),
      url != base
    else { return nil }
    // RFC 9110 §7.4: what came over https leads to nothing less.
    return base?.hasPrefix("https:") == true && !url.hasPrefix("https:") ? nil : url
  }

  private static func refresh(in html: ByteBuffer) -> String? {
    var tokenizer = MarkupTokenizer(html, skipsRawText: true)
    while let tag = tokenizer.nextTag() {
      guard tag.kind == .open, html.isWord("meta", in: tag.name) else { continue }
      var (isRefresh, content) = (false, "")
      for attribute in MarkupAttributes(html, of: tag) {
        if html.isWord("http-equiv", in: attribute.name) {
          isRefresh = html.isWord("refresh", in: attribute.value)
        } else if html.isWord("content", in: attribute.name) {
          content = CharacterReference.decoded(html.string(attribute.value))
        }
      }
      if isRefresh, let match = content.wholeMatch(of: form),
        Double(match.1).map({ $0 <= longestDelay }) ?? true
      {
        return String(match.2)
      }
    }
    return nil
  }

  private static var form: Regex<(Substring, Substring, Substring)> {
    #/\s*([0-9.]*)\s*[;,]?\s*[uU][rR][lL]\s*=\s*["']?([^"']+?)["']?\s*/#
  }

  private static func script(in html: ByteBuffer) -> String? {
    let text = html.string(0..<html.count)
    let place =
      #/<script[^>]*>[^<]{0,400}?location(?:\.href)?\s*(?:=|\.(?:replace|assign|href\s*=)\s*\()\s*(?:"([^"]+)"|'([^']+)')/#
    guard let match = text.firstMatch(of: place.ignoresCase()) else { return nil }
    return (match.1 ?? match.2).map(String.init)
  }
}
