internal import Text

extension Substring {
  /// Around the first http or https address.
  ///
  /// It ends at white space, at a quotation mark, and at the punctuation of East Asian texts, which have no space behind
  /// it. Punctuation at its end belongs to the sentence. Letters of any script are a part of it, but for Chinese,
  /// Japanese and Korean ones that follow a word of Latin letters: texts in these scripts go on behind an address without
  /// a space.
  func splitAtAddress() -> (before: Substring, address: Substring, after: Substring)? {
    var from = utf8.startIndex
    while let start = utf8[from...].firstIndex(of: UInt8(ascii: "h")) {
      let rest = utf8[start...]
      if rest.starts(with: "http://".utf8) || rest.starts(with: "https://".utf8) {
        var address = unicodeScalars[start...].prefix { !$0.endsAddress }.beforeText()
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

extension Substring.UnicodeScalarView {
  /// An address without the East Asian text that goes on behind it.
  fileprivate func beforeText() -> Self {
    guard let slashes = firstIndex(of: "/") else { return self }
    let host = self[slashes...].drop { $0 == "/" }.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    // The last part of a name is of one script: `例え.jp`, `例え.テスト`, and `example.com` before a text.
    let part = host.lastIndex { $0 == "." }.map { host[index(after: $0)...] } ?? host
    if part.first?.isASCII == true, let text = part.firstIndex(where: \.isEastAsian) {
      return self[..<text]
    }
    // A path with such letters has them behind a sign: `/wiki/日本`. Behind the first slash they may be the text.
    let path = self[host.endIndex...]
    guard let other = path.firstIndex(where: { !$0.isASCII }), path[other].isEastAsian,
      other > path.startIndex
    else { return self }
    let isRoot = path[..<other].elementsEqual("/".unicodeScalars)
    let belongs = !isRoot && path[path.index(before: other)].joinsAddress
    return belongs ? self : self[..<other]
  }
}

extension Unicode.Scalar {
  /// Whether it is a letter of a script in which words have no spaces around them, or whose particles follow a word.
  fileprivate var isEastAsian: Bool {
    switch value {
    case 0x1100...0x11FF, 0x2E80...0x2FDF, 0x3005...0x3007, 0x3031...0x3035, 0x303B...0x312F,
      0x3130...0x318F, 0x31A0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA960...0xA97F,
      0xAC00...0xD7FF, 0xF900...0xFAFF, 0xFF66...0xFFDC, 0x20000...0x3FFFF:
      true
    default: false
    }
  }

  /// Whether a part of an address begins behind it.
  fileprivate var joinsAddress: Bool { "/=-_+&(:#?~.@|".unicodeScalars.contains(self) }

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
