extension WebAddress {
  /// The ASCII form of a host's name, in which it is looked up: UTS #46, ToASCII, as browsers have it
  /// (CheckBidi and CheckJoiners on; CheckHyphens, UseSTD3ASCIIRules and transitional processing off).
  ///
  /// Nil for a name that is none by that standard: with characters that no name has, with a label that is
  /// longer than 63 bytes (RFC 1035 §2.3.4), or with `xn--` and what no name becomes. Other ASCII passes,
  /// whether a host may have it or not.
  package static func asciiHost(_ name: String) -> String? {
    let lowercased = name.lowercased()
    if name.utf8.allSatisfy({ $0 < 0x80 }), !hasCodedLabel(lowercased) { return lowercased }
    return InternationalName(name)?.ascii
  }

  /// The address with its host in that form; as it is where the host has none.
  package static func withASCIIHost(_ address: String) -> String {
    address.withBytes { bytes in
      guard bytes.firstNonASCII(from: 0) < bytes.count,
        let authority = AddressParts(bytes, 0..<bytes.count).authority
      else { return address }
      let name = AddressHost(bytes, authority).name
      guard name.contains(where: { bytes[$0] >= 0x80 }),
        let host = asciiHost(bytes.string(name))
      else { return address }
      return bytes.string(0..<name.lowerBound) + host
        + bytes.string(name.upperBound..<bytes.count)
    }
  }

  /// Whether a label of an ASCII name, in lower case, is the coded form of another.
  private static func hasCodedLabel(_ name: String) -> Bool {
    name.hasPrefix("xn--") || name.contains(".xn--")
  }
}

/// A name of a host by UTS #46: mapped, in NFC, and with every label valid.
struct InternationalName {
  private var labels: [[Unicode.Scalar]]

  /// Names of hosts have 253 bytes at most (RFC 1035 §2.3.4). What is left out by the mapping may make
  /// them longer.
  private static let longest = 1_024

  /// Nil where the standard has an error.
  init?(_ name: String) {
    guard name.utf8.count <= Self.longest else { return nil }
    var mapped: [Unicode.Scalar] = []
    for scalar in name.unicodeScalars {
      guard InternationalCharacter.map(scalar, into: &mapped) else { return nil }
    }
    let composed = UnicodeComposition.composed(mapped)
    labels = composed.split(separator: ".", omittingEmptySubsequences: false).map(Array.init)
    var codedLabels: Set<Int> = []
    for (index, label) in labels.enumerated() where label.starts(with: "xn--".unicodeScalars) {
      // What decodes to nothing but ASCII is coded for no reason.
      guard let decoded = Punycode.decoded(label.dropFirst(4)),
        decoded.contains(where: { $0.value >= 0x80 })
      else { return nil }
      labels[index] = decoded
      codedLabels.insert(index)
    }
    let hasRightToLeft = labels.contains { $0.contains { LabelRules.isRightToLeft($0) } }
    for (index, label) in labels.enumerated() {
      // What was mapped is in NFC and valid already, but for where it begins.
      guard LabelRules.isValid(label, isDecoded: codedLabels.contains(index)),
        !hasRightToLeft || LabelRules.keepsDirection(label)
      else { return nil }
    }
  }

  var ascii: String? {
    var coded: [String] = []
    for label in labels {
      if label.allSatisfy(\.isASCII) {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: label)
        coded.append(String(text))
      } else {
        guard let code = Punycode.encoded(label), code.utf8.count <= 59 else { return nil }
        coded.append("xn--" + code)
      }
    }
    return coded.allSatisfy({ $0.utf8.count <= 63 }) ? coded.joined(separator: ".") : nil
  }
}
