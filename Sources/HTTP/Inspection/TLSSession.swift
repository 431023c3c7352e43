/// The parameters of a TLS connection.
package struct TLSSession: Sendable, Hashable {
  /// As in `TLSv1.3`; empty where the library does not say.
  package var version = ""
  /// As in `TLS_AES_256_GCM_SHA384`.
  package var cipher = ""
  /// The server's own; nil where the library cannot show it.
  package var certificate: Certificate?

  package init() {}
}

/// Reader of libcurl's messages about a connection, which it reports nowhere else. Pure.
struct ConnectionWords {
  var isConnected = false
  var session = TLSSession()

  /// Reads a line such as `Connected to example.org (192.0.2.1) port 443` (newer: `Established
  /// connection to …`) or `SSL connection using TLSv1.3 / TLS_AES_256_GCM_SHA384 / …`.
  mutating func read(_ words: String) {
    if ["Connected to ", "Established connection to "].contains(where: words.hasPrefix) {
      isConnected = true
    }
    let prefix = "SSL connection using "
    guard words.hasPrefix(prefix) else { return }
    let parts = words.dropFirst(prefix.count).split(separator: "/").map { part in
      String(part.drop { $0 == " " }.prefix { !$0.isWhitespace })
    }
    session.version = parts.first ?? ""
    session.cipher = parts.dropFirst().first ?? ""
  }
}
