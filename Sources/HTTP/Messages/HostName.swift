internal import CCurl
internal import Foundation

/// What the spelling of a host comes to before it is looked up: the mapping of international names
/// (UTS #46), the numbers that `inet_aton` reads, and the names that are nobody's on the Internet.
///
/// curl makes the same of a host when it connects. It is done here as well, so that credentials,
/// proxies, the circuit breaker and `ConnectionPolicy` are about the host that is asked in the end.
enum HostName {
  /// The host as it is sent: in lower case, full-width and other compatibility forms mapped, an IPv4
  /// address in whatever form as four decimal numbers, an IPv6 address in its shortest form within
  /// brackets. Nil where it can be none.
  static func normalized(_ text: Substring) -> String? {
    if text.hasPrefix("["), text.hasSuffix("]") {
      return shortest(ipv6: text.dropFirst().dropLast()).map { "[\($0)]" }
    }
    // Refused rather than left out: who reads the address would see another host.
    guard !text.unicodeScalars.contains(where: \.steersTerminals) else { return nil }
    let name = mapped(text)
    let isLegal = name.utf8.allSatisfy { $0 > 0x20 && !"\"#%/:<>?@[\\]^`{|}".utf8.contains($0) }
    guard isLegal, !name.isEmpty else { return nil }
    return ipv4(withoutDot(name)) ?? name
  }

  /// The form in which two hosts are compared: without a full stop at the end, and without the
  /// joiners that a lookup may leave out.
  static func comparable(_ host: String) -> String {
    let name = host.lowercased()
    guard name.hasSuffix(".") || name.utf8.contains(where: { $0 >= 0x80 }) else { return name }
    let joiners: Set<Unicode.Scalar> = ["\u{200C}", "\u{200D}"]
    let scalars = String.UnicodeScalarView(name.unicodeScalars.filter { !joiners.contains($0) })
    let bare = withoutDot(String(scalars))
    return ipv4(bare) ?? bare
  }

  /// Whether a host that somebody else has written can be one on the Internet: an address that anyone
  /// can reach, or a name of several labels that is not set aside for other uses.
  ///
  /// - Parameter isLookedUpByProxy: the name goes to a proxy as it is, which may be Tor's.
  static func isPublic(_ host: String, isLookedUpByProxy: Bool) -> Bool {
    let name = comparable(host)
    if let address = IPAddress(name) { return address.isPublic }
    let labels = name.split(separator: ".", omittingEmptySubsequences: false)
    guard labels.count > 1, !labels.contains(""), let last = labels.last, !isNumber(last) else {
      return false
    }
    if last == "onion" { return isLookedUpByProxy }
    return !specialUse.contains(String(last))
  }

  /// Top-level names that are no part of the global name space: the registry of special-use names
  /// (RFC 6761, 6762, 8375, 9476; `.onion` of RFC 7686 is looked at by itself), `.internal` (reserved
  /// by ICANN), what RFC 6762 appendix G and ICANN name as used in private networks, and what
  /// `/etc/hosts` calls this machine. `example.com` and its like are ordinary names.
  private static let specialUse: Set = [
    "alt", "arpa", "corp", "example", "home", "internal", "intranet", "invalid", "lan", "local",
    "localdomain", "localdomain4", "localdomain6", "localhost", "mail", "private", "test",
  ]

  /// A name whose last label is a number is an address or nothing: no top-level name is one.
  private static func isNumber(_ label: Substring) -> Bool {
    if label.hasPrefix("0x") { return label.dropFirst(2).utf8.allSatisfy { digit($0) != nil } }
    return label.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
  }

  private static func withoutDot(_ name: String) -> String {
    var name = name[...]
    while name.hasSuffix(".") { name = name.dropLast() }
    return String(name)
  }

  // MARK: International names

  /// Of UTS #46 what can make another host of one: compatibility forms (`１２７` is 127), the other
  /// full stops, and what is left out. Joiners stay, for some names differ by them.
  private static func mapped(_ text: Substring) -> String {
    guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text.lowercased() }
    var scalars = String.UnicodeScalarView()
    for scalar in String(text).precomposedStringWithCompatibilityMapping.lowercased().unicodeScalars
    {
      if scalar == "\u{3002}" {
        scalars.append(".")
      } else if !scalar.properties.isDefaultIgnorableCodePoint || isJoiner(scalar) {
        scalars.append(scalar)
      }
    }
    return String(scalars)
  }

  private static func isJoiner(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\u{200C}" || scalar == "\u{200D}"
  }

  // MARK: Numbers

  /// What `inet_aton` reads: one to four numbers, each decimal, octal (`0177`) or hexadecimal
  /// (`0x7f`), of which the last fills the bytes that are left. Nil for a name.
  private static func ipv4(_ text: String) -> String? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...4).contains(parts.count) else { return nil }
    var numbers: [UInt32] = []
    for part in parts {
      guard let number = number(part) else { return nil }
      numbers.append(number)
    }
    let last = numbers.removeLast()
    guard numbers.allSatisfy({ $0 < 256 }),
      numbers.isEmpty || UInt64(last) < 1 << (8 * (4 - UInt64(numbers.count)))
    else { return nil }
    var value = last
    for (place, number) in numbers.enumerated() { value |= number << UInt32(24 - 8 * place) }
    return [24, 16, 8, 0].map { String(value >> $0 & 255) }.joined(separator: ".")
  }

  private static func number(_ part: Substring) -> UInt32? {
    var digits = part.utf8[...]
    var radix: UInt64 = 10
    if part.hasPrefix("0x") {
      (radix, digits) = (16, digits.dropFirst(2))
    } else if part.utf8.count > 1, part.hasPrefix("0") {
      (radix, digits) = (8, digits.dropFirst())
    }
    guard !digits.isEmpty else { return nil }
    var value: UInt64 = 0
    for byte in digits {
      guard let digit = digit(byte), digit < radix else { return nil }
      value = value * radix + digit
      guard value <= UInt32.max else { return nil }
    }
    return UInt32(value)
  }

  private static func digit(_ byte: UInt8) -> UInt64? {
    switch byte {
    case 0x30...0x39: UInt64(byte - 0x30)
    case 0x61...0x66: UInt64(byte - 0x61 + 10)
    default: nil
    }
  }

  private static func shortest(ipv6 text: Substring) -> String? {
    var bytes = [UInt8](repeating: 0, count: 16)
    guard inet_pton(AF_INET6, String(text), &bytes) == 1 else { return nil }
    var output = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard inet_ntop(AF_INET6, bytes, &output, socklen_t(output.count)) != nil else { return nil }
    return String(
      decoding: output.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
