internal import Foundation
internal import HTTP
internal import News
internal import Secrets

/// Passwords of the proxies of single feeds, each bound to the scheme, host and port of the proxy,
/// its user and the feed.
extension Vault {
  /// The password of a feed's proxy; nil where that has no user, or none was kept.
  func proxyPassword(of feed: Feed) async throws -> String? {
    guard let name = try Self.proxySecret(of: feed) else { return nil }
    return try await Self.explained {
      let early = try Self.proxySecret(feed.proxy, ofFeed: .address(feed.url))
      guard let (secret, place) = try await self.secret(for: name, else: early) else { return nil }
      guard let early, place == early else { return secret.text }
      // Whoever subscribed to the feed was ended before it was kept under the feed's number. Where that
      // fails again, it stays where it is.
      try? await move(secret, from: early, to: name)
      return secret.text
    }
  }

  /// Deletes the password of a feed's proxy; a missing one is no error.
  func forgetProxyPassword(of feed: Feed) async throws {
    guard let name = try Self.proxySecret(of: feed),
      let early = try Self.proxySecret(feed.proxy, ofFeed: .address(feed.url))
    else { return }
    try await Self.explained {
      try await secrets.remove(name)
      try await secrets.remove(early)
    }
  }

  /// Deletes the password of a feed's former proxy, unless the feed still has that proxy and user.
  func forgetProxyPassword(_ former: FeedProxy?, of feed: Feed) async throws {
    var past = feed
    past.proxy = former
    guard try Self.proxySecret(of: past) != Self.proxySecret(of: feed) else { return }
    try await forgetProxyPassword(of: past)
  }

  /// Changes the proxy of a feed. The new password is stored before, and the old one deleted after
  /// the change, so that the feed has the right one even after a kill.
  ///
  /// - Parameters:
  ///   - password: for the user in the proxy's address; nil keeps the stored one.
  ///   - known: the subscription; nil for one that is about to be added.
  ///   - change: stores the proxy with the feed.
  /// - Throws: `SourceError`, and errors of `change`; the new password is deleted then.
  func give(
    _ proxy: FeedProxy?, _ password: String?, toFeedAt url: String, known: Feed?,
    by change: () async throws -> Feed
  ) async throws -> Feed {
    let old = try known.flatMap { try Self.proxySecret(of: $0) }
    let new = try Self.proxySecret(
      proxy, ofFeed: known.map { .number($0.id) } ?? .address(url))
    let feed: Feed
    if let password, let new {
      try await Self.explained { try await secrets.store(Secret(password), for: new) }
      do { feed = try await change() } catch {
        if new != old { try? await secrets.remove(new) }
        throw error
      }
      if known == nil, let name = try Self.proxySecret(of: feed) {
        // It is found where it is as well.
        try? await move(Secret(password), from: new, to: name)
      }
    } else {
      feed = try await change()
    }
    if let known, new != old { try await forgetProxyPassword(of: known) }
    return feed
  }

  private func move(_ secret: Secret, from old: SecretName, to new: SecretName) async throws {
    try await secrets.store(secret, for: new)
    try await secrets.remove(old)
  }

  private enum Owner {
    case number(FeedID)
    /// A feed that is not stored yet.
    case address(String)
  }

  private static func proxySecret(of feed: Feed) throws -> SecretName? {
    try proxySecret(feed.proxy, ofFeed: .number(feed.id))
  }

  /// Nil where it is no proxy with a user.
  private static func proxySecret(_ proxy: FeedProxy?, ofFeed owner: Owner) throws -> SecretName? {
    guard case .via(let text) = proxy, let proxy = try? ProxyAddress(text), let user = proxy.user
    else { return nil }
    let feed =
      switch owner {
      case .number(let id): "\(id.rawValue)"
      case .address(let url): "at \(url)"
      }
    // Secrets lie under origins of the web; what kind of proxy it is stands beside the user.
    return try SecretName(
      origin: "http://\(proxy.host):\(proxy.port)",
      account: "proxy \(proxy.scheme.rawValue) of feed \(feed): \(user)", kind: .password)
  }
}
