internal import Text

extension Substring {
  /// Around the first http or https address.
  ///
  /// It ends at white space, at a quotation mark, and at the punctuation of East Asian texts, which have no space behind
  /// it. Punctuation at its end belongs to the sentence. Letters of any script are a part of it.
  func splitAtAddress() -> (before: Substring, address: Substring, after: Substring)? {
    var from = utf8.startIndex
    while let start = utf8[from...].firstIndex(of: UInt8(ascii: "h")) {
      let rest = utf8[start...]
      if rest.starts(with: "http://".utf8) || rest.starts(with: "https://".utf8) {
        var address = unicodeScalars[start...].prefix { !$0.endsAddress }
        let opened = address.count { $0 == "(" }
        var closed = address.count { $0 == ")" }
        while let last = address.last, last.endsSentence {
          if last == ")" {
            // A parenthesis that the address has opened belongs to it.
            if opened >= closed { break }
            closed -= 1
          }
          address.removeLast()
        }
        return (self[..<start], Substring(address), self[address.endIndex...])
      }
      from = utf8.index(after: start)
    }
    return nil
  }
}

extension Unicode.Scalar {
  /// Whether no address has it in it.
  fileprivate var endsAddress: Bool {
    if value < 0x80 { return value <= 0x20 || self == "<" || self == ">" || self == "\"" }
    return switch self {
    case "«", "»", "‹", "›", "“", "”", "„", "‟", "‚", "‛", "…", "‥": true
    // ZERO WIDTH SPACE, and the signs of the direction of a text.
    case "\u{200B}", "\u{200E}", "\u{200F}", "\u{202A}"..."\u{202E}", "\u{2060}"..."\u{2069}",
      "\u{FEFF}":
      true
    // 、。〈〉《》「」『』【】〔〕〖〗〘〙〚〛〜〝〞〟
    case "\u{3001}"..."\u{3003}", "\u{3008}"..."\u{3011}", "\u{3014}"..."\u{301F}": true
    // ！＂＇（），．：；＜＞？［］｛｝｡｢｣､
    case "！", "＂", "＇", "（", "）", "，", "．", "：", "；", "＜", "＞", "？", "［", "］", "｛", "｝",
      "\u{FF5F}"..."\u{FF64}":
      true
    default: properties.isWhitespace
    }
  }

  /// Whether it belongs to the sentence where it stands at the end of an address.
  fileprivate var endsSentence: Bool {
    switch self {
    case ".", ",", ":", ";", "!", "?", ")", "]", "}", "'": true
    case "‘", "’", "–", "—", "・", "·", "،", "؛", "؟", "۔", "।", "॥": true
    default: false
    }
  }
}
