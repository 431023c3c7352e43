internal import Text

/// Decides which addresses of a document can be followed.
struct AddressFilter {
  var resolve: ((String) -> String?)?

  /// The absolute http, https or mailto address that `reference` stands for.
  func address(_ reference: String) -> String? {
    let trimmed = AddressFilter.stripped(reference)
    // A place in the same document is nowhere to go.
    guard !trimmed.isEmpty, !trimmed.utf8.starts(with: "#".utf8) else { return nil }
    if PlainText.sanitizedBlock(trimmed) != trimmed {
      // Control characters are percent-encoded, or refused in a host.
      let absolute = resolve?(trimmed) ?? WebAddress.resolve(trimmed, against: nil)
      return absolute.flatMap(AddressFilter.followable)
    }
    if WebAddress.scheme(of: trimmed) != nil { return AddressFilter.followable(trimmed) }
    guard let absolute = resolve?(trimmed) else { return nil }
    return AddressFilter.followable(AddressFilter.stripped(absolute))
  }

  /// The name of the place in the same document that a reference is to: `#note`, or the document's own address with it.
  /// Nil for any other.
  func fragment(of reference: String) -> String? {
    let trimmed = AddressFilter.stripped(reference)
    guard let sign = trimmed.utf8.firstIndex(of: UInt8(ascii: "#")) else { return nil }
    let name = String(trimmed[trimmed.utf8.index(after: sign)...])
    guard !name.isEmpty else { return nil }
    if sign == trimmed.startIndex { return name }
    guard let own = resolve?("") else { return nil }
    let document = own.prefix { $0 != "#" }
    return !document.isEmpty && resolve?(String(trimmed[..<sign])) == String(document) ? name : nil
  }

  private static func followable(_ address: String) -> String? {
    switch WebAddress.scheme(of: address) {
    case "http", "https": WebAddress.withoutUser(address)
    case "mailto": address
    default: nil
    }
  }

  /// Without spaces around it and without the controls that browsers ignore, which is how
  /// `java&#10;script:` would get by (WHATWG URL §4.4).
  private static func stripped(_ reference: String) -> String {
    let isClean = reference.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
    if isClean { return reference }
    let visible = reference.utf8.filter { $0 >= 0x20 && $0 != 0x7F }
    let trimmed = visible.drop { $0 == 0x20 }.reversed().drop { $0 == 0x20 }.reversed()
    return String(decoding: Array(trimmed), as: UTF8.self)
  }
}
