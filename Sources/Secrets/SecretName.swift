/// Name of a secret: the account, the server and the role.
package struct SecretName: Sendable, Hashable, Codable {
  package enum Kind: String, Sendable, Hashable, Codable {
    /// A token of OAuth's kind, or the pair of an access and a refresh token in one text.
    case bearer
    case password
    case apiKey = "api-key"
  }

  /// `scheme://host:port`, lowercase, the port always written: a secret is bound to all three.
  package let origin: String
  package let account: String
  package let kind: Kind

  /// - Parameter origin: scheme, host and port; the scheme's own port may be left out.
  /// - Throws: `SecretError` of kind `name` where it is no origin of http or https.
  package init(origin: String, account: String, kind: Kind) throws {
    self.origin = try Self.normalized(origin)
    self.account = account
    self.kind = kind
  }

  /// An origin as secrets are filed under it.
  private static func normalized(_ origin: String) throws -> String {
    // What was given may hold a password, so that it is not repeated.
    let refusal = SecretError(
      .name, subject: "origin", message: "a secret is kept for a scheme, host and port only",
      next: "leave out user, path and query")
    let text = origin.lowercased()
    guard let scheme = ["https", "http"].first(where: { text.hasPrefix($0 + "://") }) else {
      throw refusal
    }
    let authority = text.dropFirst(scheme.count + 3)
    var host = authority
    var port: Substring = scheme == "https" ? "443" : "80"
    // The colons of an IPv6 address stand within its brackets.
    if let colon = authority.lastIndex(of: ":"), !authority.hasSuffix("]") {
      host = authority[..<colon]
      port = authority[authority.index(after: colon)...]
    }
    let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
    let isHost = host.unicodeScalars.allSatisfy { scalar in
      scalar.value > 0x20 && scalar.value != 0x7F && !"/?#@\\".unicodeScalars.contains(scalar)
    }
    guard !host.isEmpty, isHost, isBracketed || !host.contains(":"),
      port.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let number = UInt16(port), number > 0
    else { throw refusal }
    return "\(scheme)://\(host):\(number)"
  }
}
