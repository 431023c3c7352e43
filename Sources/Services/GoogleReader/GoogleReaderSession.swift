internal import Foundation
package import HTTP

/// Where the token of a sign-in is kept between runs.
package struct GoogleReaderTokenStore: Sendable {
  package var load: @Sendable () async throws -> String?
  /// Nil takes it away.
  package var save: @Sendable (String?) async throws -> Void
  /// Runs the work while no other process signs in at the same account.
  package var exclusively: BearerSession.Backing.Exclusion

  package init(
    load: @escaping @Sendable () async throws -> String?,
    save: @escaping @Sendable (String?) async throws -> Void,
    exclusively: @escaping BearerSession.Backing.Exclusion = { try await $0() }
  ) {
    self.load = load
    self.save = save
    self.exclusively = exclusively
  }

  /// For as long as somebody has it.
  package static func inMemory() -> GoogleReaderTokenStore {
    let token = Locked<String?>(nil)
    return GoogleReaderTokenStore(load: { token.value }, save: { token.value = $0 })
  }
}

/// The two tokens of a sign-in: the one that every call bears, and the one that writes bear beside it. Each
/// is fetched once at a time, whoever asks, and again when the server has refused it.
struct GoogleReaderSession: Sendable {
  /// The code of a refused name or password, in `ServerError`.
  static let refusal = "BadAuthentication"

  private let signIn: Signature
  private let write: Signature

  /// - Parameter password: what the user has given; nil where it is not to be found any more.
  init(
    _ transfer: GoogleReaderTransfer, password: @escaping @Sendable () async throws -> String?,
    store: GoogleReaderTokenStore
  ) {
    let signIn = Signature(host: transfer.host, store: store) {
      try await transfer.signIn(password)
    }
    self.signIn = signIn
    write = Signature(host: transfer.host, store: .inMemory()) {
      try await Self.signed(by: signIn) { token in
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
    try await Self.signed(by: signIn, body)
  }

  /// Writes something. Where it is refused, once more with another write token, and then once more with
  /// another sign-in: servers do not say which of the two they mean.
  func writing<Value: Sendable>(
    _ body: (_ token: String, _ writeToken: String) async throws -> Value
  ) async throws -> Value {
    let first = try await write.token()
    let token = try await signIn.token()
    do { return try await body(token, first) } catch let error as HTTPError where error.isRefusal {}
    // To fetch it may already have taken another sign-in.
    let second = try await write.token(insteadOf: first)
    let current = try await signIn.token()
    do {
      return try await body(current, second)
    } catch let error as HTTPError where error.isRefusal {}
    let another = try await signIn.token(insteadOf: current)
    return try await body(another, try await write.token(insteadOf: second))
  }

  private static func signed<Value: Sendable>(
    by signature: Signature, _ body: (_ token: String) async throws -> Value
  ) async throws -> Value {
    let token = try await signature.token()
    do { return try await body(token) } catch let error as HTTPError where error.isRefusal {}
    return try await body(try await signature.token(insteadOf: token))
  }

  /// One of the two tokens.
  private struct Signature: Sendable {
    private let session: BearerSession
    /// Why the last attempt to get one was refused: `BearerSession` says only that it was.
    private let refusal = Locked<HTTPError?>(nil)

    init(
      host: String, store: GoogleReaderTokenStore,
      fetch: @escaping @Sendable () async throws -> String
    ) {
      let refusal = refusal
      session = BearerSession(
        backing: BearerSession.Backing(
          load: {
            // Where there is none, one that has ended is renewed: what fails then is tried again by the
            // next who asks, and only a refusal means that nobody is signed in.
            try await store.load().map { TokenPair(lasting: $0) } ?? .ended
          },
          save: { try await store.save($0?.accessToken) },
          renew: { _ in
            do {
              let token = try await fetch()
              refusal.value = nil
              return TokenPair(lasting: token)
            } catch let error as HTTPError where error.isRefusal {
              refusal.value = error
              throw error
            }
          },
          exclusively: store.exclusively),
        host: host)
    }

    /// - Parameter refused: the one that was answered with 401.
    func token(insteadOf refused: String? = nil) async throws -> String {
      do { return try await session.accessToken(insteadOf: refused) } catch let error as HTTPError
        where error.isRefusal
      {
        throw refusal.value ?? error
      }
    }
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
      var error = HTTPError(
        .status, "The password for \(host) is not in the keyring any more.", host: host)
      error.status = 401
      throw error
    }
    do {
      return try await send(
        GoogleReaderCatalogue.signIn(user: settings.user, password: password), token: nil)
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

extension TokenPair {
  /// A token of which nobody knows when it ends, and that the password renews.
  fileprivate init(lasting token: String) {
    self.init(accessToken: token, refreshToken: "", expires: .distantFuture)
  }

  fileprivate static let ended = TokenPair(
    accessToken: "", refreshToken: "", expires: .distantPast)
}

extension HTTPError {
  fileprivate var isRefusal: Bool { kind == .status && status == 401 }
}
