internal import Foundation
package import HTTP
internal import News

/// Storage of a sign-in's token between runs.
package struct SyncTokenStore: Sendable {
  package var load: @Sendable () async throws -> String?
  /// Nil removes it.
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

  /// For the lifetime of the value.
  package static func inMemory() -> SyncTokenStore {
    let token = Locked<String?>(nil)
    return SyncTokenStore(load: { token.value }, save: { token.value = $0 })
  }
}

/// Token that a server gives for the password. It is fetched once at a time, and again when the
/// server has refused it.
struct SyncToken: Sendable {
  private let session: BearerSession
  /// The last refusal, which `BearerSession` does not keep.
  private let refusal = Locked<HTTPError?>(nil)

  init(host: String, store: SyncTokenStore, fetch: @escaping @Sendable () async throws -> String) {
    let refusal = refusal
    session = BearerSession(
      backing: BearerSession.Backing(
        load: {
          // A missing token is an expired one to be renewed: failures are retried by the next
          // caller, and only a refusal means that nobody is signed in.
          try await store.load().map { TokenPair(lasting: $0) } ?? .ended
        },
        save: { try await store.save($0?.accessToken) },
        renew: { _ in
          do {
            let token = try await fetch()
            refusal.value = nil
            return TokenPair(lasting: token)
          } catch let error as HTTPError where error.isUnauthorized {
            refusal.value = error
            throw error
          }
        },
        exclusively: store.exclusively),
      host: host)
  }

  /// A token that is not stored between runs.
  ///
  /// - Parameters:
  ///   - password: looks the password up when it is needed; nil where there is none.
  ///   - refusals: statuses of `fetch` that mean a wrong name or password.
  init(
    at host: String, for password: @escaping PasswordLookup, refusedBy refusals: Set<Int>,
    fetch: @escaping @Sendable (_ password: String) async throws -> String
  ) {
    self.init(host: host, store: .inMemory()) {
      guard let password = try await password() else { throw HTTPError.missingPassword(at: host) }
      let token = try await SourceError.passing(refusals) { try await fetch(password) }
      guard let token else { throw HTTPError.refusedPassword(at: host) }
      return token
    }
  }

  /// - Parameter refused: the token that was answered with 401.
  func token(insteadOf refused: String? = nil) async throws -> String {
    do { return try await session.accessToken(insteadOf: refused) } catch let error as HTTPError
      where error.isUnauthorized
    {
      throw refusal.value ?? error
    }
  }

  /// Runs a signed call, and once more with another token where the first was refused.
  ///
  /// - Parameter body: throws an error with status 401 for a refused token.
  func signing<Value: Sendable>(
    _ body: (_ token: String) async throws -> Value
  ) async throws -> Value {
    let token = try await token()
    do {
      return try await body(token)
    } catch let error as HTTPError where error.isUnauthorized {
    } catch let error as SourceError where error.status == 401 {}
    return try await body(try await self.token(insteadOf: token))
  }
}

extension TokenPair {
  /// A token without a known end, which the password renews.
  fileprivate init(lasting token: String) {
    self.init(accessToken: token, refreshToken: "", expires: .distantFuture)
  }

  fileprivate static let ended = TokenPair(accessToken: "", refreshToken: "", expires: .distantPast)
}

extension HTTPError {
  var isUnauthorized: Bool { kind == .status && status == 401 }
}
