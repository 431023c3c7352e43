internal import Text

/// Address of a sync server, one of its pages or its API, as a user types it.
enum ServerAddress {
  /// Paths below a server's own path.
  private static let marks: [[String]] = [
    ["api", "greader.php"], ["api", "fever.php"], ["reader", "api"], ["accounts", "clientlogin"],
    ["rest", "googlereader"], ["rest", "fever"], ["index.php", "apps", "news"], ["apps", "news"],
    ["v1", "version"], ["v1", "entries"], ["v1", "feeds"], ["v1", "me"],
    ["v2", "authentication.json"],
  ]
  /// Last segments of such paths.
  private static let ends: Set<String> = [
    "api", "fever", "v1", "i", "index.php", "unread", "login",
  ]

  /// Where to look for a server, without a slash at the end: at the given path without known parts
  /// of APIs and pages, and at the root.
  ///
  /// - Parameter address: in its normal form (`WebAddress.normalized`).
  static func bases(of address: String) -> [String] {
    let bare = String(bare(address))
    guard let origin = WebAddress.origin(of: bare) else { return [] }
    var parts = WebAddress.path(of: bare).split(separator: "/").map(String.init)
    let names = parts.map { $0.lowercased() }
    let cut = names.indices.first { index in
      marks.contains { names[index...].starts(with: $0) }
    }
    if let cut { parts.removeSubrange(cut...) }
    while let last = parts.last, ends.contains(last.lowercased()) { parts.removeLast() }
    let base = ([origin] + parts).joined(separator: "/")
    return base == origin ? [origin] : [base, origin]
  }

  /// Whether an address is a part of a server's API or pages, rather than the server.
  static func isOfAPI(_ address: String) -> Bool {
    bases(of: address).first.map { $0 != bare(address) } ?? false
  }

  /// Without user, query, fragment and final slash.
  static func bare(_ address: String) -> Substring {
    var bare = WebAddress.withoutUser(address).prefix { $0 != "?" && $0 != "#" }
    while bare.hasSuffix("/"), !bare.hasSuffix("//") { bare.removeLast() }
    return bare
  }
}
