internal import Text

/// The address of a picture, wherever a page keeps it.
struct PagePicture {
  /// Attributes in which scripts keep the address of a picture that they load when it is seen.
  static let lazyAttributes = [
    "data-src", "data-original", "data-lazy-src", "data-lazy", "data-url", "data-original-src",
    "data-full-src", "data-hi-res-src", "data-image", "data-img-src", "data-echo",
  ]
  static let lazySets = ["data-srcset", "data-lazy-srcset"]
  /// Parts of the names of files that stand where a picture will be.
  private static let placeholders = [
    "placeholder", "spacer.", "blank.", "1x1", "transparent", "pixel.", "lazyload", "loading.",
    "grey.", "gray.",
  ]
  /// Wider pictures are taken only where there is no other, in pixels.
  private static let widest = 2_048

  /// As it stands in the page; nil for a placeholder, and for what counts its readers.
  static func address(of node: HTMLPage.Node) -> String? {
    func value(_ name: String) -> String? {
      node.attributes.first { $0.name == name }?.value.trimmed
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
  static func isPlaceholder(_ address: String) -> Bool {
    let lower = address.lowercased()
    return placeholders.contains(where: lower.contains)
  }

  static func isAddress(_ text: String) -> Bool {
    !text.isEmpty && !text.hasPrefix("data:") && !text.hasPrefix("{") && !text.contains("<")
      && !text.contains(" ")
  }

  /// The best address of `srcset` (WHATWG HTML §4.8.4.2.1): the widest that is not too wide.
  static func best(of set: String) -> String? {
    var best: (address: String, size: Double)?
    var rest = set[...]
    while let start = rest.firstIndex(where: { !$0.isWhitespace && $0 != "," }) {
      rest = rest[start...]
      var address = rest.prefix { !$0.isWhitespace }
      rest = rest[address.endIndex...]
      var descriptor = ""
      if address.hasSuffix(",") {
        while address.hasSuffix(",") { address = address.dropLast() }
      } else {
        let text = rest.prefix { $0 != "," }
        rest = rest[text.endIndex...]
        descriptor = String(text).trimmed
      }
      guard isAddress(String(address)) else { continue }
      var size = Double(descriptor.dropLast()) ?? 1
      if descriptor.hasSuffix("x") { size *= 1_000 }
      if size > Double(widest) { size = 1 / size }
      if size > best?.size ?? 0 { best = (String(address), size) }
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
