internal import Foundation
internal import Synchronization

/// A name and a password for a server that asks for Digest (RFC 7616), which curl works out.
struct DigestSignIn: Sendable, Hashable {
  var user: String
  var password: String

  /// The name and password of a Basic header (RFC 7617); nil for another.
  init?(basic value: String?) {
    guard let value, value.lowercased().hasPrefix("basic "),
      let data = Data(base64Encoded: value.dropFirst(6).trimmingCharacters(in: .whitespaces))
    else { return nil }
    let pair = String(decoding: data, as: UTF8.self)
    guard let colon = pair.firstIndex(of: ":") else { return nil }
    (user, password) = (String(pair[..<colon]), String(pair[pair.index(after: colon)...]))
  }
}

extension DigestSignIn: Redacted {
  var description: String { "a Digest sign-in" }
}

extension HTTPHeaders {
  /// Whether a 401 asks for Digest, among others (RFC 9110 §11.6.1).
  var asksForDigest: Bool {
    values(of: "WWW-Authenticate").contains { value in
      value.split(separator: ",").contains { part in
        let word = part.drop { $0 == " " }.prefix { $0 != " " }
        return HTTPHeaders.isSame(String(word), "Digest")
      }
    }
  }
}

/// The origins that have asked for Digest: they are not sent the password itself again. For the life of
/// a client.
final class DigestOrigins: Sendable {
  private static let most = 512
  private let origins = Mutex<Set<String>>([])

  func contains(_ origin: String) -> Bool { origins.withLock { $0.contains(origin) } }

  func note(_ origin: String, asks: Bool) {
    origins.withLock { origins in
      if !asks {
        origins.remove(origin)
      } else if origins.count < Self.most {
        origins.insert(origin)
      }
    }
  }
}
