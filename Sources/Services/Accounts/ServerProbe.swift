package import Foundation
package import HTTP
package import News

/// Request without credentials that detects a sync server.
package struct ServerProbe: Hashable, Sendable {
  enum Kind: Hashable, Sendable, CaseIterable {
    case freshRSS
    case freshRSSBelowP
    case miniflux
    case nextcloudNews
    case tinyTinyRSS
    case tinyTinyRSSBelow
    case commaFeed
    case newsBlur
    case feedbin
    case fever
    case feverWithoutSlash
    case googleReader

    /// Sent to the entered address.
    case feedAPI

    /// These distinguish products once a server was found.
    case freshRSSCompatibility
    case theOldReader
    case bazQux

    /// The probes at each base, in order.
    static let search: [Kind] = Array(allCases.prefix { $0 != .feedAPI })

    /// Whether a refusal is the sign of the server, which a closed site gives too.
    var isOfRefusal: Bool { self == .feedbin || self == .googleReader }
  }

  let kind: Kind
  let base: String

  init(_ kind: Kind, at base: String) {
    self.kind = kind
    self.base = base
  }

  package var url: String {
    switch kind {
    case .freshRSS: base + "/api/greader.php"
    case .freshRSSBelowP: base + "/p/api/greader.php"
    case .freshRSSCompatibility: base + "/api/greader.php/check/compatibility"
    case .miniflux: base + "/v1/version"
    case .nextcloudNews: base + "/index.php/apps/news/api"
    case .tinyTinyRSS: base + "/api/"
    case .tinyTinyRSSBelow: base + "/tt-rss/api/"
    case .commaFeed: base + "/rest/googlereader/"
    case .newsBlur: base + "/api/login"
    case .feedbin: base + "/v2/authentication.json"
    case .fever: base + "/fever/?api"
    case .feverWithoutSlash: base + "/fever?api"
    case .googleReader: base + "/reader/api/0/user-info"
    case .theOldReader: base + "/reader/api/0/status?output=json"
    case .bazQux: base + "/reader/ping"
    case .feedAPI: base
    }
  }

  package var request: HTTPRequest {
    var request = HTTPRequest(.get, url, headers: ["Accept": "application/json, text/plain"])
    switch kind {
    case .tinyTinyRSS, .tinyTinyRSSBelow:
      request.method = .post
      request.headers["Content-Type"] = "application/json"
      request.body = Array(#"{"op":"isLoggedIn"}"#.utf8)
    case .fever, .feverWithoutSlash:
      request.method = .post
      request.headers["Content-Type"] = "application/x-www-form-urlencoded"
      request.body = []
    case .freshRSSCompatibility:
      // A token of nobody: the server checks whether such a header reaches it.
      request.headers["Authorization"] = "GoogleLogin auth=test/1"
    default: break
    }
    return request
  }
}

package enum ServerProbeAnswer: Sendable {
  /// - Parameter retryAfter: the time of the next attempt that the server asks for.
  case response(status: Int, body: [UInt8], retryAfter: Date? = nil)
  /// - Parameter isUnanswered: whether nothing has answered over TLS.
  case failure(SourceError, isUnanswered: Bool)
}

enum ServerFinding: Hashable {
  case nothing
  case found(RecognisedServer)
  /// Another probe distinguishes the product.
  case ask(ServerProbe)
}

extension ServerProbe {
  /// Interprets an answer. A page for browsers means nothing, whatever its status.
  func finding(status: Int, body: [UInt8]) -> ServerFinding {
    let text = String(decoding: body.prefix(4_096), as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    guard !text.hasPrefix("<") || kind == .theOldReader || kind == .bazQux else { return .nothing }
    let isSuccess = (200..<300).contains(status)
    let json = Members(body)
    switch kind {
    case .freshRSS: return isSuccess && text == "OK" ? .ask(compatibility(of: base)) : .nothing
    case .freshRSSBelowP:
      return isSuccess && text == "OK" ? .ask(compatibility(of: base + "/p")) : .nothing
    case .freshRSSCompatibility:
      if status == 503 { return .found(.freshRSS(at: base, trouble: .isSwitchedOff)) }
      let isLost = text.hasPrefix("FAIL")
      return .found(.freshRSS(at: base, trouble: isLost ? .losesAuthorization : nil))
    case .miniflux:
      return status == 401 && json.error_message != nil ? .found(.miniflux(at: base)) : .nothing
    case .nextcloudNews:
      return isSuccess && json.apiLevels != nil
        ? found(.nextcloudNews, "/index.php/apps/news/api") : .nothing
    case .tinyTinyRSS, .tinyTinyRSSBelow:
      return isSuccess && json.hasContent && json.hasStatus
        ? found(.tinyTinyRSS, kind == .tinyTinyRSS ? "/api" : "/tt-rss/api") : .nothing
    case .commaFeed:
      return isSuccess && text.contains("Google Reader API")
        ? found(.googleReader, "/rest/googlereader", .commaFeed) : .nothing
    case .newsBlur:
      return isSuccess && json.code == -1 ? found(.newsBlur, "") : .nothing
    case .feedbin: return status == 401 ? found(.feedbin, "/v2") : .nothing
    case .fever, .feverWithoutSlash:
      return isSuccess && json.hasAPIVersion ? found(.fever, "/fever") : .nothing
    case .googleReader:
      return status == 401 || status == 403 ? .ask(ServerProbe(.theOldReader, at: base)) : .nothing
    case .theOldReader:
      return isSuccess && json.hasStatus
        ? found(.googleReader, "", .theOldReader) : .ask(ServerProbe(.bazQux, at: base))
    case .bazQux:
      return found(.googleReader, "", text == "Unauthorized" ? .bazQux : .other)
    case .feedAPI:
      return isSuccess && json.api == FeedAPICatalogue.About.name
        ? found(.feedAPI, "") : .nothing
    }
  }

  private func compatibility(of base: String) -> ServerProbe {
    ServerProbe(.freshRSSCompatibility, at: base)
  }

  private func found(
    _ kind: SyncProtocol, _ path: String, _ product: GoogleReaderProduct? = nil
  ) -> ServerFinding {
    .found(RecognisedServer(kind, base: base + path, product))
  }

  /// Members that distinguish servers; all nil where the body is no JSON object.
  private struct Members: Decodable {
    var error_message: String?
    var apiLevels: [String]?
    var code: Int?
    var api: String?
    var hasStatus = false
    var hasContent = false
    var hasAPIVersion = false

    private enum CodingKeys: String, CodingKey {
      case error_message, apiLevels, code, api, status, content, api_version
    }

    init(_ body: [UInt8]) {
      guard let members = try? HTTPCoding.decoder.decode(Members.self, from: Data(body)) else {
        return
      }
      self = members
    }

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      error_message = try? values.decode(String.self, forKey: .error_message)
      apiLevels = try? values.decode([String].self, forKey: .apiLevels)
      code = try? values.decode(Int.self, forKey: .code)
      api = try? values.decode(String.self, forKey: .api)
      hasStatus = values.contains(.status)
      hasContent = values.contains(.content)
      hasAPIVersion = values.contains(.api_version)
    }
  }
}
