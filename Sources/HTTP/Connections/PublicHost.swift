package import Text

extension HostName {
  /// Whether a host that somebody else has written can be one on the Internet: an address that anyone
  /// can reach, or a name of several labels that is not set aside for other uses.
  ///
  /// - Parameter isLookedUpByProxy: the name goes to a proxy as it is, which may be Tor's.
  package static func isPublic(_ host: String, isLookedUpByProxy: Bool) -> Bool {
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
    if label.hasPrefix("0x") { return label.dropFirst(2).utf8.allSatisfy { $0.hexValue != nil } }
    return label.utf8.allSatisfy(\.isASCIIDigit)
  }
}
