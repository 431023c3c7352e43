internal import Text

struct SitePage {
  /// `https://example.org`, with an unusual port.
  let origin: String
  /// In lower case and without `www.`.
  let host: String
  /// Non-empty segments of the path, percent-encoded.
  let segments: [String]
  private let query: String

  init?(_ address: String) {
    guard WebAddress.isWeb(address), let host = WebAddress.host(of: address) else { return nil }
    let bare = address.prefix { $0 != "#" }
    let path = bare.prefix { $0 != "?" }
    let rest = path.drop { $0 != ":" }.dropFirst(3)
    let authority = rest.prefix { $0 != "/" }
    let port = authority.split(separator: "@").last.map { $0.drop { $0 != ":" } } ?? ""
    origin =
      (WebAddress.scheme(of: address) ?? "https") + "://" + host
      + (host.hasPrefix("[") ? "" : String(port))
    self.host = host.hasPrefix("www.") ? String(host.dropFirst(4)) : host
    segments = rest.dropFirst(authority.count).split(separator: "/").map(String.init)
    query = String(bare.dropFirst(path.count + 1))
  }

  /// Percent-encoded.
  func parameter(_ name: String) -> String? {
    for part in query.split(separator: "&") {
      let pair = part.split(separator: "=", maxSplits: 1)
      if pair.count == 2, pair[0] == name { return String(pair[1]) }
    }
    return nil
  }

  func path(_ count: Int? = nil) -> String {
    segments.prefix(count ?? segments.count).map { "/" + $0 }.joined()
  }

  subscript(index: Int) -> String? { segments.indices.contains(index) ? segments[index] : nil }

  func isAt(_ domain: String) -> Bool { host == domain || host.hasSuffix("." + domain) }

  /// `ada` in `ada.example.org`; nil for the domain itself and `www`.
  func name(below domain: String) -> String? {
    guard host.hasSuffix("." + domain) else { return nil }
    let name = host.dropLast(domain.count + 1)
    return name.isEmpty || name.contains(".") ? nil : String(name)
  }
}
