internal import HTTP
package import News
internal import Text

/// Where the passwords of single feeds lie.
package struct FeedSecrets: Sendable {
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

  /// Nowhere: for who reads feeds without a store.
  package static let none = FeedSecrets(
    read: { _ in nil },
    write: { _, signIn in throw FeedSecrets.unkept(signIn) }, remove: { _ in })

  /// Writes a password, and reads it again: what it stood in may be thrown away then.
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

/// The name and password that go with the requests to one origin, and nowhere else.
enum FeedSignature: Sendable {
  case typed(AddressUser)
  case kept(FeedSignIn, FeedSecrets)

  var origin: String {
    switch self {
    case .typed(let user): user.origin
    case .kept(let signIn, _): signIn.origin
    }
  }

  /// nil where the password is not there any more.
  func credential() async throws -> Credential? {
    switch self {
    case .typed(let user): .basic(user: user.user, password: user.password)
    case .kept(let signIn, let secrets):
      try await secrets.read(signIn).map { .basic(user: signIn.user, password: $0) }
    }
  }
}

extension Fetcher {
  /// Adds the name and password of the feed where a request goes to their origin. They are tried
  /// before a sign-in at that origin. The client takes them off where a redirect leads elsewhere.
  ///
  /// - Throws: `SourceError` where they would go over plain http.
  func sign(_ request: inout HTTPRequest) async throws {
    guard let signature, request.headers["Authorization"] == nil,
      let url = try? HTTPURL(request.url), url.userInfo == nil, url.origin == signature.origin
    else { return }
    guard url.isSecure || url.isLoopback else {
      throw SourceError(
        .secret, stage: .connect, subject: url.host,
        message: "a password is not sent to \(url.host) over plain http",
        next: "give its https address: e in the health view (H), or telex add")
    }
    try await signature.credential()?.add(to: &request)
  }

  /// Whether a request that the feed's own password does not open may go again with the sign-in at the
  /// origin: somebody has signed in there since.
  func hasOtherSignIn(than request: HTTPRequest) async -> Bool {
    guard case .kept = signature, request.headers["Authorization"] != nil,
      let origin = try? HTTPURL(request.url).origin,
      let found = try? await client.authorizer?.authorization(for: origin)
    else { return false }
    if case .credential = found { return true }
    return false
  }
}
