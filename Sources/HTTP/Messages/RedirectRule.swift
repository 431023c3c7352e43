internal import Text

/// Rules for redirects: the next address and request (RFC 9110 §15.4). Pure.
struct RedirectRule {
  init(_ request: HTTPRequest, at url: HTTPURL, jar: CookieJar = CookieJar()) {
    bare = request
    self.url = url
    self.jar = jar
    conditionURL = request.condition?.url ?? url.description
    visited = []
    visited.insert(Step(method: request.method, url: url, cookies: cookies))
  }

  /// The request to send next, with its cookies and, to their address, its validators.
  var request: HTTPRequest {
    var request = bare
    request.headers.addCookies(cookies)
    if let condition = bare.condition, url.description == conditionURL {
      request.headers["If-None-Match"] = condition.etag
      request.headers["If-Modified-Since"] = condition.lastModified
    }
    return request
  }

  private(set) var url: HTTPURL
  private(set) var jar: CookieJar
  private var bare: HTTPRequest
  private let conditionURL: String
  private(set) var count = 0
  /// As of `HTTPResponseHead`.
  private(set) var becameGet = false
  private(set) var permanentURL: String?
  /// As of `HTTPResponseHead`.
  private(set) var unstoredURL: String?

  private var visited: Set<Step>
  private var isPermanentSoFar = true
  /// Whether headers were left behind, so that the stored address must not change.
  private var keepsAddress = false
  /// The host that redirected to plain http.
  private var plainRedirect: String?

  /// A hop; the same address with other cookies is another one.
  private struct Step: Hashable {
    let method: HTTPMethod
    let url: HTTPURL
    let cookies: [UInt8]?
  }

  private var cookies: [UInt8]? { cookies(for: url) }

  private func cookies(for url: HTTPURL) -> [UInt8]? {
    bare.keepsCookies ? jar.header(for: url) : nil
  }

  /// Updates the request to the next hop; false where `head` is no redirect.
  ///
  /// A redirect from https to http is not followed: the same address is requested over https.
  ///
  /// - Throws: `HTTPError`: `tooManyRedirects`, `redirectLoop`, `insecureRedirect` (from https to http
  ///   where https has been asked already or with a body, with a body to another origin, or to another
  ///   origin where the request stays at its own), `badURL`, and `protocolError` for a part that nobody
  ///   has asked for.
  mutating func follow(_ head: HTTPResponseHead) throws -> Bool {
    // A partial response would be taken for the whole document (RFC 9110 §15.3.7, RFC 3229).
    if [206, 226].contains(head.status), bare.headers["Range"] == nil,
      bare.headers["A-IM"] == nil
    {
      throw HTTPError(
        .protocolError, "\(url.host) sent a part of the document (\(head.status)) instead of all.",
        host: url.host)
    }
    if bare.keepsCookies { jar.store(head.headers, from: url) }
    guard [301, 302, 303, 307, 308].contains(head.status), let location = head.headers.location
    else { return false }
    guard count < bare.limits.maxRedirects else {
      throw HTTPError(
        .tooManyRedirects, "\(url.host) redirects more than \(count) times.", host: url.host)
    }
    let target = try secured(url.resolving(location))
    guard target.origin == url.origin || !bare.staysAtOrigin else {
      throw HTTPError(
        .insecureRedirect, "\(url.host) redirects to another server, \(target.origin).",
        host: url.host)
    }
    rewriteMethod(after: head.status)
    if target.origin != url.origin {
      // A body may contain a password, a token or a comment for the first server.
      guard bare.body == nil else {
        throw HTTPError(
          .insecureRedirect, "\(url.host) redirects what it was sent to another server.",
          host: url.host)
      }
      dropCredentials()
      keepsAddress = keepsAddress || bare.keepsAddress
    }
    if !bare.serverHeaders.isEmpty,
      !WebAddress.isAtServer(of: url.description, target.description)
    {
      for name in bare.serverHeaders { bare.headers[name] = nil }
      bare.serverHeaders = []
      keepsAddress = true
    }
    let source = url
    url = target
    guard visited.insert(Step(method: bare.method, url: url, cookies: cookies)).inserted else {
      throw HTTPError(
        .redirectLoop,
        "\(source.host) redirects in a circle, as bot checks do with programs that they do not know.",
        host: source.host)
    }
    isPermanentSoFar = isPermanentSoFar && (head.status == 301 || head.status == 308)
    if isPermanentSoFar, keepsAddress { unstoredURL = target.description }
    if isPermanentSoFar, !keepsAddress { permanentURL = target.description }
    bare.url = target.description
    count += 1
    return true
  }

  /// A failure of the current request, with the redirect to plain http that led to it.
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
    guard bare.body == nil, let secure = target.overHTTPS,
      !visited.contains(where: { $0.url == secure && $0.cookies == cookies(for: secure) })
    else {
      throw HTTPError(
        .insecureRedirect, "\(url.host) redirects from https to plain http.", host: url.host)
    }
    plainRedirect = url.host
    return secure
  }

  /// Whether the next request is a GET: after 303, and by convention after a POST with 301 or 302, unless
  /// it is a query.
  private mutating func rewriteMethod(after status: Int) {
    let becomesGet =
      status == 303
      ? request.method != .head
      : (status == 301 || status == 302) && request.method == .post
        && !request.isQuery
    guard becomesGet else { return }
    becameGet = becameGet || bare.method != .get
    bare.method = .get
    bare.body = nil
    for field in bare.headers.fields where field.name.lowercased().hasPrefix("content-") {
      bare.headers[field.name] = nil
    }
  }

  /// Switches to Digest for this origin; false where there is no name and password.
  mutating func switchToDigest() -> Bool {
    guard bare.digest == nil, url.isSecure || url.isLoopback,
      let signIn = DigestSignIn(basic: bare.headers["Authorization"])
    else { return false }
    bare.headers["Authorization"] = nil
    bare.digest = signIn
    return true
  }

  private mutating func dropCredentials() {
    bare.digest = nil
    for name in HTTPRequest.usualCredentialHeaders + bare.credentialHeaders {
      bare.headers[name] = nil
    }
  }
}

extension HTTPHeaders {
  /// Beside those that the caller sends.
  fileprivate mutating func addCookies(_ cookies: [UInt8]?) {
    guard let cookies else { return }
    let own = bytes(of: "Cookie").map { $0 + Array("; ".utf8) } ?? []
    self["Cookie"] = nil
    append(Field(name: "Cookie", bytes: own + cookies))
  }

  /// The target of a redirect. Bytes that are not UTF-8 are percent-encoded unchanged.
  fileprivate var location: String? {
    guard let bytes = bytes(of: "Location") else { return nil }
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    return bytes.withUnsafeBufferPointer { WebAddress.encoded($0, 0..<$0.count) }
  }
}
