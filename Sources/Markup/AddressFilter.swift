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
      // What no text may hold is percent-encoded, or refused in a host.
      let absolute = resolve?(trimmed) ?? WebAddress.resolve(trimmed, against: nil)
      return absolute.flatMap(AddressFilter.followable)
    }
    if WebAddress.scheme(of: trimmed) != nil { return AddressFilter.followable(trimmed) }
    guard let absolute = resolve?(trimmed) else { return nil }
    return AddressFilter.followable(AddressFilter.stripped(absolute))
  }

  private static func followable(_ address: String) -> String? {
    switch WebAddress.scheme(of: address) {
    case "http", "https", "mailto": address
    default: nil
    }
  }

  /// Without spaces around it and without the controls that browsers ignore, which is how
  /// `java&#10;script:` would get by (WHATWG URL §4.4).
  private static func stripped(_ reference: String) -> String {
    let visible = reference.utf8.filter { $0 >= 0x20 && $0 != 0x7F }
    let trimmed = visible.drop { $0 == 0x20 }.reversed().drop { $0 == 0x20 }.reversed()
    return String(decoding: Array(trimmed), as: UTF8.self)
  }
}
