internal import HTTP

/// The two tokens of a sign-in: the one that every call bears, and the one that writes bear beside it. Each
/// is fetched once at a time, whoever asks, and again when the server has refused it.
struct GoogleReaderSession: Sendable {
  /// The code of a refused name or password, in `ServerError`.
  static let refusal = "BadAuthentication"

  private let signIn: SyncToken
  private let write: SyncToken

  /// - Parameter password: what the user has given; nil where it is not to be found any more.
  init(
    _ transfer: GoogleReaderTransfer, password: @escaping @Sendable () async throws -> String?,
    store: SyncTokenStore
  ) {
    let signIn = SyncToken(host: transfer.host, store: store) {
      try await transfer.signIn(password)
    }
    self.signIn = signIn
    write = SyncToken(host: transfer.host, store: .inMemory()) {
      try await signIn.signing { token in
        try await transfer.send(GoogleReaderCatalogue.token(), token: token)
      }
    }
  }

  /// Reads something, and once more with another sign-in where the first was refused.
  ///
  /// - Throws: `HTTPError` with status 401 where that does not help, and what `body` throws.
  func reading<Value: Sendable>(
    _ body: (_ token: String) async throws -> Value
  ) async throws -> Value {
    try await signIn.signing(body)
  }

  /// Writes something. Where it is refused, once more with another write token, and then once more with
  /// another sign-in: servers do not say which of the two they mean.
  func writing<Value: Sendable>(
    _ body: (_ token: String, _ writeToken: String) async throws -> Value
  ) async throws -> Value {
    let first = try await write.token()
    let token = try await signIn.token()
    do { return try await body(token, first) } catch let error as HTTPError
      where error.isUnauthorized
    {}
    // To fetch it may already have taken another sign-in.
    let second = try await write.token(insteadOf: first)
    let current = try await signIn.token()
    do {
      return try await body(current, second)
    } catch let error as HTTPError where error.isUnauthorized {}
    let another = try await signIn.token(insteadOf: current)
    return try await body(another, try await write.token(insteadOf: second))
  }
}

extension GoogleReaderTransfer {
  /// The token that the server gives for the password.
  ///
  /// - Throws: `HTTPError` with status 401 and the code `GoogleReaderSession.refusal` where it does not
  ///   take it; some servers say so with 403.
  fileprivate func signIn(
    _ password: @Sendable () async throws -> String?
  ) async throws -> String {
    guard let password = try await password() else {
      throw HTTPError.missingPassword(at: host)
    }
    do {
      return try await send(
        GoogleReaderCatalogue.signIn(user: settings.server.user, password: password), token: nil)
    } catch var error as HTTPError where error.status == 401 || error.status == 403 {
      if !error.message.contains("does not let you in") {
        error.message = "\(host) does not take this name and password."
      }
      error.status = 401
      error.serverError = ServerError(code: GoogleReaderSession.refusal, message: error.message)
      throw error
    }
  }
}
