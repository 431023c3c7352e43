internal import HTTP
package import News
internal import Text

/// Access to the stored passwords of single feeds.
package struct FeedSecrets: Sendable {
  /// Nil where no password is stored; throws `SourceError` of kind `secret` where one cannot be
  /// read now.
  package var read: @Sendable (FeedSignIn) async throws -> String?
  package var write: @Sendable (String, FeedSignIn) async throws -> Void
  package var remove: @Sendable (FeedSignIn) async throws -> Void

  package init(
    read: @escaping @Sendable (FeedSignIn) async throws -> String?,
    write: @escaping @Sendable (String, FeedSignIn) async throws -> Void,
    remove: @escaping @Sendable (FeedSignIn) async throws -> Void
  ) {
    self.read = read
    self.write = write
    self.remove = remove
  }

  /// No storage, for feeds that are fetched without a store: reads find nothing and writes fail.
  package static let none = FeedSecrets(
    read: { _ in nil }, write: { _, signIn in throw FeedSecrets.unkept(signIn) }, remove: { _ in })

  /// Writes a password and reads it back, so that the caller may discard its own copy.
  ///
  /// - Throws: `SourceError`.
  package func keep(_ password: String, _ signIn: FeedSignIn) async throws {
    try await write(password, signIn)
    guard try await read(signIn) == password else { throw Self.unkept(signIn) }
  }

  private static func unkept(_ signIn: FeedSignIn) -> SourceError {
    SourceError(
      .secret, stage: .config, subject: signIn.origin, message: "the password cannot be kept",
      next: "see what telex doctor says of the keyring")
  }
}

/// Name and password for requests to one origin.
enum FeedSignature: Sendable {
  /// - Parameter header: the header for the password; nil for Basic credentials.
  case typed(AddressUser, header: String? = nil)
  case kept(FeedSignIn, FeedSecrets)

  var origin: String {
    switch self {
    case .typed(let user, _): user.origin
    case .kept(let signIn, _): signIn.origin
    }
  }

  /// The header with the stored secret of a feed; nil for Basic credentials.
  var keptHeader: String? {
    if case .kept(let signIn, _) = self { signIn.header } else { nil }
  }

  /// Nil where the stored password is gone.
  func credential() async throws -> Credential? {
    switch self {
    case .typed(let user, let header):
      Self.credential(user: user.user, secret: user.password, header: header)
    case .kept(let signIn, let secrets):
      try await secrets.read(signIn).map {
        Self.credential(user: signIn.user, secret: $0, header: signIn.header)
      }
    }
  }

  private static func credential(user: String, secret: String, header: String?) -> Credential {
    guard let header else { return .basic(user: user, password: secret) }
    let isBearer = header.lowercased() == "authorization"
    return .apiKey(header: header, key: isBearer ? "Bearer \(secret)" : secret)
  }
}

extension Fetcher {
  /// Adds the name and password of the feed to a request to their origin. They precede a sign-in at
  /// that origin. The client removes them where a redirect leads elsewhere.
  ///
  /// - Throws: `SourceError` where they would be sent over plain http, or cannot be read now and
  ///   there is no sign-in.
  func sign(_ request: inout HTTPRequest) async throws {
    guard let signature, request.headers["Authorization"] == nil,
      let url = try? HTTPURL(request.url), url.userInfo == nil, url.origin == signature.origin
    else { return }
    guard url.isSecure || url.isLoopback else {
      throw SourceError(
        .secret, stage: .connect, subject: url.host,
        message: "a password is not sent to \(url.host) over plain http",
        next: "give its https address: c in Health (H), or telex add")
    }
    do {
      try await signature.credential()?.add(to: &request)
    } catch let error as SourceError where error.kind == .secret {
      guard await hasSignIn(at: url) else { throw error }
    }
  }

  /// Whether a request refused with the feed's own password can be repeated with the sign-in at the
  /// origin, which the user may have added since.
  func hasOtherSignIn(than request: HTTPRequest) async -> Bool {
    guard case .kept = signature, request.headers["Authorization"] != nil,
      let url = try? HTTPURL(request.url)
    else { return false }
    return await hasSignIn(at: url)
  }

  /// Whether the whole origin has a name and password.
  private func hasSignIn(at url: HTTPURL) async -> Bool {
    guard let found = try? await client.authorizer?.authorization(for: url) else { return false }
    if case .credential = found { return true }
    return false
  }
}
