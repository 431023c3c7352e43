/// What the products answer to those who look for a server and have no credentials yet.
extension GoogleReaderDesk {
  /// Nil where the request is none of these.
  func reply(toProbe request: WireRequest) -> WireReply? {
    let path = String(request.path)
    func text(_ text: String) -> WireReply { WireReply(type: Self.textType, text: text) }
    switch quirks.product {
    case .plain: return nil
    case .freshRSS:
      switch path {
      case quirks.basePath, quirks.basePath + "/": return text("OK\n")
      case quirks.basePath + "/check/compatibility":
        guard isEnabled else { return WireReply(status: 503, type: Self.textType, text: "Off\n") }
        let isSeen =
          !losesAuthorization && request.header("Authorization")?.hasPrefix("GoogleLogin") == true
        return text(
          isSeen
            ? "PASS\n"
            : "FAIL get HTTP Authorization header! Wrong Web server configuration.\n")
      case "/api/fever.php": return .feverRefusal
      default: return nil
      }
    case .miniflux:
      switch path {
      case "/v1/version":
        return WireReply(
          status: 401, type: Self.jsonType, text: #"{"error_message":"Access Unauthorized"}"#)
      case "/fever/", "/fever": return .feverRefusal
      default: return nil
      }
    case .theOldReader:
      return path == "/reader/api/0/status"
        ? WireReply(type: Self.jsonType, text: #"{"status":"up"}"#) : nil
    case .bazQux:
      return path == "/reader/ping" && request.header("Authorization") == nil
        ? WireReply(status: 401, type: Self.textType, text: "Unauthorized\n") : nil
    case .commaFeed:
      return path == quirks.basePath || path == quirks.basePath + "/"
        ? text("This is the Google Reader API endpoint.") : nil
    }
  }
}

extension WireReply {
  /// What Fever says without a key.
  static let feverRefusal = WireReply(
    type: GoogleReaderDesk.jsonType, text: #"{"api_version":3,"auth":0}"#)
}

/// A sync server of another protocol, as far as those see it who ask which one it is.
package enum SyncServerProbe: String, Sendable, CaseIterable {
  case nextcloudNews
  case tinyTinyRSS
  case newsBlur
  case feedbin
  case fever
  /// No sync server: a site that answers everything with a page.
  case website

  /// The answer to one request. The server lies below `base`, a path without a slash at its end.
  package func reply(to request: WireRequest, base: String = "") -> WireReply {
    let notFound = WireReply(status: 404, type: "text/html", text: "<!DOCTYPE html><p>Not here.")
    func json(_ text: String, status: Int = 200) -> WireReply {
      WireReply(status: status, type: "application/json", text: text)
    }
    guard request.path.hasPrefix(base) else { return notFound }
    let path = String(request.path.dropFirst(base.utf8.count))
    switch (self, request.method, path) {
    case (.website, _, _):
      return WireReply(type: "text/html", text: "<!DOCTYPE html><title>Welcome</title>")
    case (.nextcloudNews, "GET", "/index.php/apps/news/api"):
      return json(#"{"apiLevels":["v1-2","v1-3"]}"#)
    case (.tinyTinyRSS, "POST", "/api/"):
      return json(#"{"seq":0,"status":1,"content":{"error":"NOT_LOGGED_IN"}}"#)
    case (.newsBlur, "GET", "/api/login"):
      return json(#"{"code":-1,"authenticated":false,"result":"ok"}"#)
    case (.feedbin, "GET", "/v2/authentication.json"): return WireReply(status: 401)
    case (.fever, "POST", "/fever/"): return .feverRefusal
    default: return notFound
    }
  }
}
