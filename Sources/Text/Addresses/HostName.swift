#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Normal form of a host: the ASCII form of international names (UTS #46), and IPv4 addresses in all forms
/// that `inet_aton` reads.
///
/// libcurl does the same when it connects. It is done here so that credentials, proxies, the circuit
/// breaker and `ConnectionPolicy` apply to the host that is connected to.
package enum HostName {
  /// The host as it is sent: a name in the ASCII form of UTS #46, an IPv4 address in whatever form as four
  /// decimal numbers, an IPv6 address in its shortest form within brackets. Nil where it can be none.
  package static func normalized(_ text: String) -> String? {
    if text.hasPrefix("["), text.hasSuffix("]") {
      return shortest(ipv6: text.dropFirst().dropLast()).map { "[\($0)]" }
    }
    // Refused rather than removed: the address as it is read would name another host.
    guard !text.unicodeScalars.contains(where: \.steersTerminals) else { return nil }
    guard let name = WebAddress.asciiHost(text) else { return nil }
    let isLegal = name.utf8.allSatisfy { $0 > 0x20 && !"\"#%/:<>?@[\\]^`{|}".utf8.contains($0) }
    guard isLegal, !name.isEmpty else { return nil }
    return ipv4(withoutDot(name)) ?? name
  }

  /// The form for comparing two hosts: without a trailing full stop.
  package static func comparable(_ host: String) -> String {
    let name = host.lowercased()
    guard name.hasSuffix(".") else { return name }
    let bare = withoutDot(name)
    return ipv4(bare) ?? bare
  }

  private static func withoutDot(_ name: String) -> String {
    var name = name[...]
    while name.hasSuffix(".") { name = name.dropLast() }
    return String(name)
  }

  // MARK: Numbers

  /// Forms that `inet_aton` reads: one to four numbers, each decimal, octal (`0177`) or hexadecimal
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
