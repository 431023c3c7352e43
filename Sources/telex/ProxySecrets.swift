internal import Foundation
internal import HTTP
internal import News
internal import Secrets

/// The passwords of proxies that single feeds have. Each is bound to the scheme, host and port of the
/// proxy, its user and the feed: another proxy, or another feed, does not get it.
extension Vault {
  /// The password of a feed's proxy; nil where that has no user, or none was kept.
  func proxyPassword(of feed: Feed) async throws -> String? {
    guard let name = try Self.secretName(of: feed) else { return nil }
    return try await explaining { try await secrets.secret(for: name)?.text }
  }

  func keep(_ password: String, forProxyOf feed: Feed) async throws {
    guard let name = try Self.secretName(of: feed) else { return }
    try await explaining { try await secrets.store(Secret(password), for: name) }
  }

  /// Takes the password of a feed's proxy away; one that is not there is no error.
  func forgetProxyPassword(of feed: Feed) async throws {
    guard let name = try Self.secretName(of: feed) else { return }
    try await explaining { try await secrets.remove(name) }
  }

  /// Nil where the feed has no proxy with a user.
  private static func secretName(of feed: Feed) throws -> SecretName? {
    guard case .via(let text) = feed.proxy, let proxy = try? ProxyAddress(text),
      let user = proxy.user
    else { return nil }
    // Secrets lie under origins of the web; what kind of proxy it is stands beside the user.
    return try SecretName(
      origin: "http://\(proxy.host):\(proxy.port)",
      account: "proxy \(proxy.scheme.rawValue) of feed \(feed.id.rawValue): \(user)",
      kind: .password)
  }

  private func explaining<Value>(_ work: () async throws -> Value) async throws -> Value {
    do {
      return try await work()
    } catch let error as SecretError {
      throw SourceError(
        .secret, stage: .config, subject: error.subject, message: error.message, next: error.next)
    }
  }
}
