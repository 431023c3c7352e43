internal import News
internal import Store
internal import Text

/// Names and passwords of feeds, which are kept with the secrets: the store has only a reference.
package struct FeedCredentials: Sendable {
  let context: RepositoryContext

  /// Stores the name and password of a feed with the secrets, and the feed without them by `body`.
  @discardableResult
  func keeping<Value: Sendable>(
    _ located: LocatedFeed,
    _ body: @escaping @Sendable (StoreEdit, _ url: String, FeedSignIn?) throws -> Value
  ) async throws -> Value {
    let url = WebAddress.withoutUser(located.url)
    guard let user = located.user else {
      return try await context.store.edit { try body($0, url, nil) }
    }
    return try await keeping(user, header: located.secretHeader) { try body($0, url, $1) }
  }

  /// Stores the secret of a feed with the secrets, and a reference to it by `body`.
  @discardableResult
  func keeping<Value: Sendable>(
    _ user: AddressUser, header: String?,
    _ body: @escaping @Sendable (StoreEdit, FeedSignIn) throws -> Value
  ) async throws -> Value {
    let signIn = try await context.sources.keep(user, header: header)
    do {
      return try await context.store.edit { try body($0, signIn) }
    } catch {
      try? await context.sources.forget(signIn)
      throw error
    }
  }

  /// Deletes the passwords of removed and moved feeds. A failure is repeated by the next call.
  package func forgetDiscarded() async {
    guard let discarded = try? await context.store.view({ try $0.signIns.discarded() }) else {
      return
    }
    for signIn in discarded {
      do {
        try await context.sources.forget(signIn)
        try await context.store.edit { try $0.signIns.removeDiscarded(signIn) }
      } catch { return }
    }
  }
}
