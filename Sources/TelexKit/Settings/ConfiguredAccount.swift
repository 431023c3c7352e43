internal import News
internal import Secrets
internal import Services

/// Sign-in from the configuration, with the command that prints its password.
struct ConfiguredAccount: Sendable {
  var user = ""
  var scheme = "basic"
  /// The base of the Feed API; the origin where it is nil.
  var base: String?
  var header: String?
  var passwordCommand: PasswordCommand?

  func account(at origin: String) -> SignIn {
    SignIn(
      origin: origin, user: user,
      scheme: SignIn.Scheme(named: scheme, base: base ?? origin, header: header))
  }
}
