internal import Foundation

/// Credential of one origin: a name with a password, or an API key. `BearerSession` has bearer tokens.
///
/// It is added to requests to its origin only.
package enum Credential: Hashable, Sendable {
  /// RFC 7617.
  case basic(user: String, password: String)
  /// A header that the server defines, such as `X-API-Key`.
  case apiKey(header: String, key: String)

  package func add(to request: inout HTTPRequest) {
    switch self {
    case .basic(let user, let password):
      let pair = Data("\(user):\(password)".utf8).base64EncodedString()
      request.headers["Authorization"] = "Basic \(pair)"
    case .apiKey(let header, let key):
      request.headers[header] = key
      request.credentialHeaders.append(header)
    }
  }
}

extension Credential: Redacted {
  package var description: String {
    switch self {
    case .basic(let user, _): "Basic credentials of \(user)"
    case .apiKey(let header, _): "an API key in \(header)"
    }
  }
}

/// How requests to an origin are authorised.
package enum Authorization: Sendable {
  case credential(Credential)
  case bearer(BearerSession)
}

/// Source of credentials by address, asked for each request.
package protocol Authorizer: Sendable {
  /// The authorisation of a request to `url`. Where an origin has several services, the path tells them apart.
  ///
  /// - Throws: the error of reading a stored secret.
  func authorization(for url: HTTPURL) async throws -> Authorization?

  /// The server has refused the credential of an origin (401).
  func refused(at origin: String)
}

extension Authorizer {
  package func refused(at origin: String) {}
}
