internal import HTTP
package import News
internal import Services

/// The way to one feed, as a user asks for it: a proxy, none, or that of the settings.
package struct ProxyChange: Sendable {
  /// nil for that of the settings.
  package let proxy: FeedProxy?
  /// The scheme, host and port of a proxy that has a user, and so takes a password; nil for any other.
  package let originWithUser: String?
  /// nil leaves a password that is kept.
  package var password: String?

  /// - Parameters:
  ///   - text: the address of a proxy, `direct`, or `default` for that of the settings.
  ///   - subject: named in errors, such as `--proxy`.
  /// - Throws: `SourceError` of stage `.arguments` for any other text.
  package init(_ text: String, subject: String) throws {
    switch text {
    case "default": (proxy, originWithUser) = (nil, nil)
    case "direct": (proxy, originWithUser) = (.direct, nil)
    default:
      let address: ProxyAddress
      do { address = try ProxyAddress(text) } catch {
        throw SourceError.argument(
          subject, error.message,
          next: "give one such as socks5h://localhost:9050, or direct, or default")
      }
      proxy = .via(address.withoutPassword)
      originWithUser = address.user == nil ? nil : address.origin
      password = address.user == nil ? nil : address.password
    }
  }

  /// The route of requests; nil for that of the settings.
  ///
  /// - Throws: `HTTPError`.
  var route: ProxyChoice? {
    get throws { try proxy.map { try ProxyChoice($0, password: password) } }
  }
}
