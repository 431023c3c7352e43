/// Check for bots that stands before a server and takes news readers for bots.
package enum BotCheck: Sendable, Hashable {
  /// The answer is the check itself.
  case certain(Provider)
  /// The answer comes from where such checks stand, and may be the server's own.
  case possible(Provider)

  package enum Provider: String, Sendable, Hashable {
    case cloudflare = "Cloudflare"
    case vercel = "Vercel"
    case anubis = "Anubis"
    case ddosGuard = "DDoS-Guard"
    case sucuri = "Sucuri"
    case akamai = "Akamai"
    case incapsula = "Incapsula"
  }

  /// Nil for an answer that shows no check.
  package init?(_ response: HTTPResponse) {
    let (status, headers) = (response.head.status, response.head.headers)
    let page = String(decoding: response.body.prefix(Self.headSize), as: UTF8.self).lowercased()
    let server = headers["Server"]?.lowercased() ?? ""
    if headers["cf-mitigated"]?.lowercased() == "challenge" {
      self = .certain(.cloudflare)
    } else if let action = headers["x-vercel-mitigated"]?.lowercased(),
      ["challenge", "deny"].contains(action)
    {
      self = .certain(.vercel)
    } else if let provider = Self.provider(ofPage: page) {
      self = .certain(provider)
    } else if server.hasPrefix("cloudflare"),
      [403, 503].contains(status) || status == 429 && page.contains("error code: 1015")
    {
      self = .possible(.cloudflare)
    } else {
      return nil
    }
  }

  /// How far into a page its marks are looked for, in bytes.
  private static let headSize = 16_384

  /// The check whose page this is, in whose place a script puts the real page.
  private static func provider(ofPage page: String) -> Provider? {
    if page.contains("_incapsula_resource") || page.contains("incapsula incident id") {
      return .incapsula
    }
    switch title(of: page) {
    case "just a moment...", "attention required! | cloudflare": return .cloudflare
    case "vercel security checkpoint": return .vercel
    case "making sure you're not a bot!": return .anubis
    case "ddos-guard": return .ddosGuard
    case "sucuri website firewall - access denied": return .sucuri
    case "access denied" where page.contains("errors.edgesuite.net"): return .akamai
    default: return nil
    }
  }

  /// The title of a page in lower case, with the quotation marks and dots of a keyboard.
  private static func title(of page: String) -> String? {
    guard let start = page.firstRange(of: "<title")?.upperBound,
      let tagEnd = page[start...].firstIndex(of: ">"),
      let end = page[tagEnd...].firstRange(of: "</title")?.lowerBound
    else { return nil }
    let words = page[page.index(after: tagEnd)..<end].split(whereSeparator: \.isWhitespace)
    return words.joined(separator: " ")
      .replacing("…", with: "...").replacing("&hellip;", with: "...")
      .replacing("’", with: "'").replacing("&#39;", with: "'").replacing("&#x27;", with: "'")
  }

  func message(host: String, status: Int) -> String {
    switch self {
    case .certain(let provider):
      "The bot check of \(provider.rawValue) at \(host) takes Telex for a bot (\(status))."
    case .possible(let provider):
      "The bot check of \(provider.rawValue) before \(host) may take Telex for a bot."
    }
  }
}

extension HTTPResponse {
  /// The failure that this page is, where it is a bot check and no document; nil for any other.
  package var botCheck: HTTPError? {
    guard let check = BotCheck(self), case .certain = check else { return nil }
    let message = check.message(host: head.host, status: head.status)
    var error = HTTPError(.status, message, host: head.host, status: head.status)
    error.botCheck = check
    return error
  }
}
