internal import News
internal import Secrets

/// Sign-in from the configuration, with the command that prints its password.
struct ConfiguredAccount: Sendable {
  var user = ""
  var scheme = "basic"
  /// The base of the Feed API; the origin where it is nil.
  var base: String?
  var header: String?
  var passwordCommand: PasswordCommand?

  func account(at origin: String) -> SignIn {
    let scheme: SignIn.Scheme =
      switch scheme {
      case "feed-api": .bearer(base: base ?? origin)
      case "api-key": .apiKey(header: header ?? "X-API-Key")
      default: .basic
      }
    return SignIn(origin: origin, user: user, scheme: scheme)
  }
}
