/// Tells whether two links lead to the same article.
package enum LinkIdentity {
  /// A form of an http(s) address that is the same for all its spellings: without scheme and `www.`,
  /// without the port that goes with the scheme, a slash at the end of the path, and what newsletters
  /// and networks append to see where a reader comes from. Not an address to be asked.
  ///
  /// Nil for other addresses, and for those of a site's front page, which feeds give to any article.
  package static func key(of address: String) -> String? {
    guard WebAddress.isWeb(address) else { return nil }
    return address.withBytes { bytes in
      let parts = AddressParts(bytes, bytes.trimmed(0..<bytes.count))
      guard let authority = parts.authority else { return nil }
      let host = AddressHost(bytes, authority)
      var name = bytes.string(host.name).lowercased()
      if name.hasPrefix("www.") { name.removeFirst(4) }
      let port = host.port.map { bytes.string($0) } ?? ""
      if !port.isEmpty, port != "80", port != "443" { name += ":" + port }
      var path = bytes.string(parts.path)
      while path.hasSuffix("/") { path.removeLast() }
      let query = parts.query.map { meaningful(bytes.string($0)) } ?? ""
      let fragment = parts.fragment.map { bytes.string($0) } ?? ""
      if path.isEmpty, query.isEmpty, fragment.isEmpty { return nil }
      return name + path + (query.isEmpty ? "" : "?" + query)
        + (fragment.isEmpty ? "" : "#" + fragment)
    }
  }

  private static func meaningful(_ query: String) -> String {
    query.split(separator: "&").filter { pair in
      let name = pair.prefix { $0 != "=" }.lowercased()
      return !trackers.contains(name) && !trackerPrefixes.contains(where: name.hasPrefix)
    }.joined(separator: "&")
  }

  private static let trackers: Set<String> = [
    "fbclid", "gclid", "dclid", "msclkid", "igshid", "yclid", "mkt_tok", "_hsenc", "_hsmi",
  ]
  private static let trackerPrefixes = ["utm_", "mc_"]
}
