internal import Text

/// The address of a sync server, as a user may give it: that of the server, of its pages or of its API.
enum ServerAddress {
  /// Paths where something of a server begins: what lies before is the server's own path.
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

  /// Where to look for a server, without a slash at the end: below the path that was given, without what is
  /// known to be a part of an API or of a page, and then at the root of its origin.
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

  /// Whether an address names a part of a server's API or of its pages, rather than the server.
  static func isOfAPI(_ address: String) -> Bool {
    bases(of: address).first.map { $0 != bare(address) } ?? false
  }

  /// Without user, query and fragment, and without a slash at its end.
  static func bare(_ address: String) -> Substring {
    var bare = WebAddress.withoutUser(address).prefix { $0 != "?" && $0 != "#" }
    while bare.hasSuffix("/"), !bare.hasSuffix("//") { bare.removeLast() }
    return bare
  }
}
