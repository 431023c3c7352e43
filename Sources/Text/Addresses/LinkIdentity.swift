/// Keys of links: two links with the same key lead to the same article.
package enum LinkIdentity {
  /// The key of an http(s) address: without scheme, `www.`, default port, trailing slash, session number
  /// and tracking parameters. Not an address to request.
  ///
  /// Digests of it are stored with the articles: a change for any address needs a migration that rebuilds
  /// them.
  ///
  /// Nil for other addresses, and for the front page of a site, which some feeds give to any article.
  package static func key(of address: String) -> String? {
    parts(of: address).map { $0.host + $0.page }
  }

  package struct Parts: Hashable, Sendable {
    /// With its port, where that is not the scheme's own.
    package var host: String
    package var page: String

    package init(host: String, page: String) {
      self.host = host
      self.page = page
    }
  }

  package static func parts(of address: String) -> Parts? {
    guard WebAddress.isWeb(address) else { return nil }
    return address.withBytes { bytes in
      let parts = AddressParts(bytes, bytes.trimmed(0..<bytes.count))
      guard let authority = parts.authority else { return nil }
      let host = AddressHost(bytes, authority)
      var name = bytes.string(host.name).lowercased()
      if name.hasPrefix("www.") { name.removeFirst(4) }
      let port = host.port.map { bytes.string($0) } ?? ""
      if !port.isEmpty, port != "80", port != "443" { name += ":" + port }
      var path = bytes.string(parts.path.lowerBound..<endBeforeSession(bytes, parts.path))
      while path.hasSuffix("/") { path.removeLast() }
      let query = parts.query.map { meaningful(bytes.string($0)) } ?? ""
      let fragment = parts.fragment.map { meaningful(bytes.string($0), isFragment: true) } ?? ""
      if path.isEmpty, query.isEmpty, fragment.isEmpty { return nil }
      return Parts(
        host: name,
        page: path + (query.isEmpty ? "" : "?" + query)
          + (fragment.isEmpty ? "" : "#" + fragment))
    }
  }

  /// The spellings of an address: with either scheme, with and without `www.` and a trailing slash. Only
  /// the address itself where it has a query or is not http(s).
  package static func spellings(of address: String) -> [String] {
    guard WebAddress.isWeb(address), !address.contains("?"), !address.contains("#")
    else { return [address] }
    var bare = WebAddress.withoutScheme(address)[...]
    if bare.hasPrefix("www.") { bare = bare.dropFirst(4) }
    if bare.hasSuffix("/") { bare = bare.dropLast() }
    return ["http://", "https://", "http://www.", "https://www."].flatMap { beginning in
      [beginning + bare, beginning + bare + "/"]
    }
  }

  /// Where a path ends before the `;jsessionid=…` of a Java server.
  private static func endBeforeSession(_ bytes: ByteBuffer, _ path: Range<Int>) -> Int {
    guard let mark = bytes.firstIndex(of: 0x3B, in: path) else { return path.upperBound }
    let isSession = bytes.string(mark..<path.upperBound).lowercased().hasPrefix(";jsessionid=")
    return isSession ? mark : path.upperBound
  }

  /// A query, or a fragment in the form of one, without tracking parameters.
  private static func meaningful(_ query: String, isFragment: Bool = false) -> String {
    query.split(separator: "&").filter { pair in
      guard let equals = pair.firstIndex(of: "=") else {
        return isFragment || !isTracker(pair.lowercased(), "")
      }
      return !isTracker(
        pair[..<equals].lowercased(), pair[pair.index(after: equals)...].lowercased())
    }.joined(separator: "&")
  }

  /// Parameters that never select the content of a page: two articles must not become one link.
  private static func isTracker(_ name: String, _ value: String) -> Bool {
    if trackers.contains(name) || trackerPrefixes.contains(where: name.hasPrefix) { return true }
    if feedMarks.contains(name) { return feedMarkValues.contains(value) }
    if campaigns.contains(name) { return !value.utf8.allSatisfy(\.isASCIIDigit) }
    return name == "feature" && value.hasPrefix("youtube_gdata")
  }

  private static let trackers: Set<String> = [
    "fbclid", "gclid", "gbraid", "wbraid", "dclid", "msclkid", "igshid", "yclid", "twclid",
    "mkt_tok", "_hsenc", "_hsmi", "xtor", "cmpid", "wt_mc", "wt_zmc", "wt.mc_id", "ns_campaign",
    "ns_mchannel", "ns_source", "ns_linkname", "ns_fee", "pk_campaign", "pk_kwd", "pk_keyword",
    "pk_source", "pk_medium", "pk_content", "pk_cid", "piwik_campaign", "piwik_kwd",
    "piwik_keyword", "jsessionid", "phpsessid",
  ]
  private static let trackerPrefixes = ["utm_", "mc_", "at_", "mtm_"]
  /// Names of campaign parameters; with a number as their value they may identify an article.
  private static let campaigns: Set<String> = ["ocid", "icid", "smid"]
  /// Ambiguous parameters with the values that only serve tracking.
  private static let feedMarks: Set<String> = ["ref", "partner", "source", "cmp", "emc"]
  private static let feedMarkValues: Set<String> = [
    "rss", "rss2", "feed", "feeds", "rssfeed", "rss_feed", "rss-feed", "rssnyt",
  ]
}
