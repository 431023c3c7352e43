internal import Text

internal import struct Foundation.Data
internal import class Foundation.JSONDecoder

/// One call of an API as a value: the request to send, and how to decode the response.
///
/// The calls of an API are static factories on `Endpoint where Response == …`, so that call sites
/// need no cast.
package struct Endpoint<Response: Sendable>: Sendable {
  package var method: HTTPMethod
  /// Segments, not yet percent-encoded: an id with `/`, `?` or `..` stays one segment.
  package var path: [String]
  /// Sent in the order of their keys; nil values are left out.
  package var query: [String: String?]
  package var headers: HTTPHeaders
  package var body: HTTPBody?
  package var requiresAuth: Bool
  /// Called for responses with a status of success only.
  package var decode: @Sendable (HTTPResponse) throws -> Response

  package init(
    _ method: HTTPMethod = .get, _ path: [String], query: [String: String?] = [:],
    headers: HTTPHeaders = [:], body: HTTPBody? = nil, requiresAuth: Bool = true,
    decode: @escaping @Sendable (HTTPResponse) throws -> Response
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
    self.requiresAuth = requiresAuth
    self.decode = decode
  }

  /// - Parameter base: the address of the API; the path is added to its own.
  /// - Throws: `HTTPError` of kind `badURL`.
  package func request(base: String) throws -> HTTPRequest {
    var request = HTTPRequest(method, try url(base: base), headers: headers, body: body?.bytes)
    if let body { request.headers["Content-Type"] = body.contentType }
    request.sendsID = true
    return request
  }

  /// The decoded response, or the error that its status or body is.
  package func value(of response: HTTPResponse) throws -> Response {
    let response = try response.validated()
    do {
      return try decode(response)
    } catch let error as DecodingError {
      throw HTTPError.decoding(error, host: response.head.host)
    }
  }

  /// Decodes the response, and logs where that fails.
  package func value(
    of response: HTTPResponse, to request: HTTPRequest, through client: HTTPClient
  ) throws -> Response {
    do { return try value(of: response) } catch let error as HTTPError where error.kind == .decoding
    {
      client.note(error, of: request)
      throw error
    }
  }

  private func url(base: String) throws -> String {
    let base = try HTTPURL(base)
    let prefix = base.path.hasSuffix("/") ? String(base.path.dropLast()) : base.path
    guard !path.contains("") else {
      throw HTTPError(.badURL, "A part of the address is empty.", host: base.host)
    }
    let pairs = query.compactMapValues { $0 }.sorted { $0.key < $1.key }
    return base.origin + prefix + path.map { "/" + segment($0) }.joined()
      + (pairs.isEmpty ? "" : "?")
      + pairs.map { "\(percentEncoded($0.key))=\(percentEncoded($0.value))" }
      .joined(separator: "&")
  }

  /// Dots alone would climb out of the path, though they need no encoding anywhere else.
  private func segment(_ text: String) -> String {
    text == "." || text == ".."
      ? text.utf8.map { _ in "%2E" }.joined() : percentEncoded(text)
  }
}

extension Endpoint where Response: Decodable {
  /// An endpoint that answers in JSON, read with `HTTPCoding.decoder`.
  package init(
    json method: HTTPMethod = .get, _ path: [String], query: [String: String?] = [:],
    headers: HTTPHeaders = [:], body: HTTPBody? = nil, requiresAuth: Bool = true
  ) {
    self.init(
      method, path, query: query, headers: headers, body: body, requiresAuth: requiresAuth
    ) { response in
      try HTTPCoding.decoder.decode(Response.self, from: Data(response.body))
    }
    self.headers.setDefault("Accept", "application/json")
  }
}

extension Endpoint where Response == Void {
  /// An endpoint of which only the success matters.
  package init(
    empty method: HTTPMethod, _ path: [String], headers: HTTPHeaders = [:], body: HTTPBody? = nil
  ) {
    self.init(method, path, headers: headers, body: body) { _ in }
  }
}
