internal import Text

struct PagePicture {
  /// Attributes in which scripts keep the address of a picture that they load when it is seen.
  static let lazyAttributes = [
    "data-src", "data-original", "data-lazy-src", "data-lazy", "data-url", "data-original-src",
    "data-full-src", "data-hi-res-src", "data-image", "data-img-src", "data-echo",
  ]
  static let lazySets = ["data-srcset", "data-lazy-srcset"]
  /// Parts of the names of files that stand where a picture will be.
  private static let placeholders = WordSearch([
    "placeholder", "spacer.", "blank.", "1x1", "transparent", "pixel.", "lazyload", "loading.",
    "grey.", "gray.",
  ])
  /// Wider pictures are taken only where there is no other, in pixels.
  private static let widest = 2_048

  /// As it stands in the page; nil for a placeholder, and for what counts its readers.
  static func address(of node: HTMLPage.Node) -> String? {
    func value(_ name: String) -> String? {
      node[name]?.trimmed
    }
    func isSmall(_ name: String) -> Bool {
      value(name).flatMap { Int($0) }.map { $0 <= 2 } ?? false
    }
    if isSmall("width"), isSmall("height") { return nil }
    for name in lazyAttributes {
      if let address = value(name), isAddress(address) { return address }
    }
    for name in lazySets + ["srcset"] {
      if let set = value(name), let best = best(of: set) { return best }
    }
    guard let address = value("src"), isAddress(address) else { return nil }
    return isPlaceholder(address) ? nil : address
  }

  /// Whether the name of a file is one of those that stand where a picture will be.
  static func isPlaceholder(_ address: String) -> Bool { placeholders.isAny(in: address) }

  static func isAddress(_ text: some StringProtocol) -> Bool {
    guard let first = text.utf8.first, first != UInt8(ascii: "{") else { return false }
    return !text.utf8.contains { $0 == UInt8(ascii: "<") || $0 == 0x20 }
      && !text.utf8.starts(with: "data:".utf8)
  }

  /// The best address of `srcset` (WHATWG HTML §4.8.4.2.1): the widest that is not too wide.
  static func best(of set: String) -> String? {
    var best: (address: String, size: Double)?
    let comma = UInt8(ascii: ",")
    var rest = set[...].utf8
    while let start = rest.firstIndex(where: { !$0.isASCIISpace && $0 != comma }) {
      rest = rest[start...]
      var address = rest.prefix { !$0.isASCIISpace }
      rest = rest[address.endIndex...]
      var descriptor = ""
      if address.last == comma {
        while address.last == comma { address = address.dropLast() }
      } else {
        let text = rest.prefix { $0 != comma }
        rest = rest[text.endIndex...]
        descriptor = String(decoding: text, as: UTF8.self).trimmed
      }
      guard isAddress(Substring(address)) else { continue }
      var size = Double(descriptor.dropLast()) ?? 1
      if descriptor.utf8.last == UInt8(ascii: "x") { size *= 1_000 }
      if size > Double(widest) { size = 1 / size }
      if size > best?.size ?? 0 { best = (String(Substring(address)), size) }
    }
    return best?.address
  }
}

extension String {
  fileprivate var trimmed: String {
    var text = self[...]
    while let first = text.first, first.isWhitespace { text = text.dropFirst() }
    while let last = text.last, last.isWhitespace { text = text.dropLast() }
    return String(text)
  }
}
