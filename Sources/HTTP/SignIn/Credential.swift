internal import Foundation

/// What opens a web feed or an API, beside the bearer tokens of `BearerSession`.
///
/// Belongs to one origin and is added to no request that goes elsewhere.
package enum Credential: Hashable, Sendable {
  /// RFC 7617.
  case basic(user: String, password: String)
  /// A header of the server's choice, such as `X-API-Key`.
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

extension Credential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Without the secret: what is printed by mistake gives nothing away.
  package var description: String {
    switch self {
    case .basic(let user, _): "Basic credentials of \(user)"
    case .apiKey(let header, _): "an API key in \(header)"
    }
  }

  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

/// How requests to an origin are signed.
package enum Authorization: Sendable {
  case credential(Credential)
  case bearer(BearerSession)
}

/// Who is signed in where. Asked for each request, by the origin it goes to.
package protocol Authorizer: Sendable {
  /// - Throws: what keeps a stored secret from being read.
  func authorization(for origin: String) async throws -> Authorization?

  /// What was given for an origin has been answered with 401.
  func refused(at origin: String)
}

extension Authorizer {
  package func refused(at origin: String) {}
}
