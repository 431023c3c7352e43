#if canImport(_FoundationICU)
  internal import _FoundationICU
#else
  internal import Foundation
#endif

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
    guard name.utf8.count <= longestName else { return nil }
    return asciiForm(name)
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

  /// Names of hosts have 253 bytes at most (RFC 1035 §2.3.4). What is left out by the mapping may make
  /// them longer.
  private static let longestName = 1_024

  #if canImport(_FoundationICU)
    private static func asciiForm(_ name: String) -> String? {
      let options = UIDNA_CHECK_BIDI | UIDNA_CHECK_CONTEXTJ | UIDNA_NONTRANSITIONAL_TO_ASCII
      let passing =
        UIDNA_ERROR_EMPTY_LABEL | UIDNA_ERROR_DOMAIN_NAME_TOO_LONG | UIDNA_ERROR_LEADING_HYPHEN
        | UIDNA_ERROR_TRAILING_HYPHEN | UIDNA_ERROR_HYPHEN_3_4
      var status = U_ZERO_ERROR
      guard let standard = swift_uidna_openUTS46(UInt32(options), &status) else { return nil }
      defer { swift_uidna_close(standard) }
      var info = UIDNAInfo()
      info.size = Int16(MemoryLayout<UIDNAInfo>.size)
      let form = String(unsafeUninitializedCapacity: 4 * longestName) { output in
        output.withMemoryRebound(to: CChar.self) { output in
          let count = swift_uidna_nameToASCII_UTF8(
            standard, name, Int32(name.utf8.count), output.baseAddress, Int32(output.count),
            &info, &status)
          return status.rawValue <= U_ZERO_ERROR.rawValue ? Int(count) : 0
        }
      }
      let isValid = status.rawValue <= U_ZERO_ERROR.rawValue && info.errors & ~UInt32(passing) == 0
      return isValid ? form : nil
    }
  #else
    private static func asciiForm(_ name: String) -> String? {
      guard !name.utf8.contains(where: "/?#@:[]\\% ".utf8.contains) else { return nil }
      return URL(string: "http://\(name)/")?.host(percentEncoded: false)
    }
  #endif
}
