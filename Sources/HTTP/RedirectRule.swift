/// Where a redirect leads, and with what request (RFC 9110 §15.4). Pure.
struct RedirectRule {
  /// What is known before the first hop.
  init(_ request: HTTPRequest, at url: HTTPURL) {
    self.request = request
    self.url = url
    visited = [Step(method: request.method, url: url)]
  }

  /// The request to send next, and where to.
  private(set) var request: HTTPRequest
  private(set) var url: HTTPURL
  private(set) var count = 0
  private(set) var permanentURL: String?

  private var visited: Set<Step>
  private var isPermanentSoFar = true
  /// The host that has redirected here over plain http.
  private var plainRedirect: String?

  private struct Step: Hashable {
    let method: HTTPMethod
    let url: HTTPURL
  }

  /// True if `head` redirects and the request now stands for the next hop; false if it is the answer.
  ///
  /// From https to http is not followed: the same address is asked for over https.
  ///
  /// - Throws: `HTTPError`: `tooManyRedirects`, `redirectLoop`, `insecureRedirect` (from https to http
  ///   where https has been asked already, or with a body), `badURL`.
  mutating func follow(_ head: HTTPResponseHead) throws -> Bool {
    guard [301, 302, 303, 307, 308].contains(head.status), let location = head.headers["Location"]
    else { return false }
    guard count < request.limits.maxRedirects else {
      throw HTTPError(
        .tooManyRedirects, "\(url.host) redirects more than \(count) times.", host: url.host)
    }
    let target = try secured(url.resolving(location))
    rewriteMethod(after: head.status)
    if target.origin != url.origin {
      // What was written for one server is not another's to read: a password, a token, a comment.
      guard request.body == nil else {
        throw HTTPError(
          .insecureRedirect, "\(url.host) redirects what it was sent to another server.",
          host: url.host)
      }
      dropCredentials()
    }
    guard visited.insert(Step(method: request.method, url: target)).inserted else {
      throw HTTPError(.redirectLoop, "\(url.host) redirects in a circle.", host: url.host)
    }
    isPermanentSoFar = isPermanentSoFar && (head.status == 301 || head.status == 308)
    if isPermanentSoFar { permanentURL = target.description }
    url = target
    request.url = target.description
    count += 1
    return true
  }

  /// A failure of the request that is sent now, with the redirect where that has led to plain http.
  func explained(_ error: HTTPError) -> HTTPError {
    guard let plainRedirect else { return error }
    switch error.kind {
    case .tls, .refused, .cutShort, .timeout(.connect), .protocolError:
      var told = HTTPError(
        .insecureRedirect,
        "\(plainRedirect) redirects from https to plain http, and over https: \(error.message)",
        host: plainRedirect, detail: error.detail)
      told.metrics = error.metrics
      return told
    default: return error
    }
  }

  private mutating func secured(_ target: HTTPURL) throws -> HTTPURL {
    plainRedirect = nil
    guard url.isSecure, !target.isSecure else { return target }
    guard request.body == nil, let secure = target.overHTTPS,
      !visited.contains(where: { $0.url == secure })
    else {
      throw HTTPError(
        .insecureRedirect, "\(url.host) redirects from https to plain http.", host: url.host)
    }
    plainRedirect = url.host
    return secure
  }

  /// 303 means "look there"; 301 and 302 after a POST mean the same, by long custom.
  private mutating func rewriteMethod(after status: Int) {
    let becomesGet =
      status == 303
      ? request.method != .head : (status == 301 || status == 302) && request.method == .post
    guard becomesGet else { return }
    request.method = .get
    request.body = nil
    for field in request.headers.fields where field.name.lowercased().hasPrefix("content-") {
      request.headers[field.name] = nil
    }
  }

  private mutating func dropCredentials() {
    for name in HTTPRequest.usualCredentialHeaders + request.credentialHeaders {
      request.headers[name] = nil
    }
  }
}
