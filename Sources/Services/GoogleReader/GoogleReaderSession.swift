internal import HTTP

/// The token of every call, and the additional one of writes. Each is fetched once at a time, and
/// again when the server has refused it.
struct GoogleReaderSession: Sendable {
  /// The code of a refused name or password, in `ServerError`.
  static let refusal = "BadAuthentication"

  let signIn: SyncToken
  private let write: SyncToken

  /// - Parameter password: nil where it is missing.
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

  /// Writes; after a refusal once more with another write token, and then once more with another
  /// sign-in: servers do not say which of the two they mean.
  func writing<Value: Sendable>(
    _ body: (_ token: String, _ writeToken: String) async throws -> Value
  ) async throws -> Value {
    let first = try await write.token()
    let token = try await signIn.token()
    do { return try await body(token, first) } catch let error as HTTPError
      where error.isUnauthorized
    {}
    // Fetching it may already have renewed the sign-in.
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
  /// The token for the password.
  ///
  /// - Throws: `HTTPError` with status 401 and the code `GoogleReaderSession.refusal` for a wrong
  ///   password; some servers say so with 403.
  fileprivate func signIn(_ password: @Sendable () async throws -> String?) async throws -> String {
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
