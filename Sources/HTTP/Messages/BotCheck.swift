/// Check for bots that stands before a server and takes news readers for bots.
///
/// All that are known here are Cloudflare's.
package enum BotCheck: Sendable, Hashable {
  /// The answer is the check itself.
  case certain
  /// The answer comes from where such checks stand, and may be the server's own.
  case possible

  /// Nil for an answer that shows no check.
  package init?(_ response: HTTPResponse) {
    let headers = response.head.headers
    if headers["cf-mitigated"]?.lowercased() == "challenge" || Self.isTitledSo(response.body) {
      self = .certain
    } else if [403, 503].contains(response.head.status),
      headers["Server"]?.lowercased() == "cloudflare"
    {
      self = .possible
    } else {
      return nil
    }
  }

  /// How far into a page its title is looked for, in bytes.
  private static let headSize = 4_096

  /// Whether a page has the title of the check, in whose place a script puts the real page.
  private static func isTitledSo(_ body: [UInt8]) -> Bool {
    String(decoding: body.prefix(headSize), as: UTF8.self).lowercased()
      .contains("<title>just a moment...</title>")
  }

  /// A sentence about an answer.
  func message(host: String, status: Int) -> String {
    switch self {
    case .certain: "The bot check of Cloudflare at \(host) takes Telex for a bot (\(status))."
    case .possible: "The bot check of Cloudflare before \(host) may take Telex for a bot."
    }
  }
}

extension HTTPResponse {
  /// The failure that this page is, where it is a bot check and no document; nil for any other.
  package var botCheck: HTTPError? {
    guard BotCheck(self) == .certain else { return nil }
    let host = (try? HTTPURL(head.url).host) ?? ""
    var error = HTTPError(
      .status, BotCheck.certain.message(host: host, status: head.status), host: host)
    error.status = head.status
    error.botCheck = .certain
    return error
  }
}
