internal import News
internal import Store
internal import Text

/// The names and passwords of feeds on their way between the store, which knows whose they are, and the
/// secrets, which hold them.
struct FeedSecrets: Sendable {
  let context: RepositoryContext

  /// Keeps the name and password of a feed with the secrets, and then stores the feed without them.
  @discardableResult
  func keeping<Value: Sendable>(
    _ located: LocatedFeed,
    _ body: @escaping @Sendable (StoreEdit, _ url: String, FeedSignIn?) throws -> Value
  ) async throws -> Value {
    // Those in an address that a page names count as well: nothing else would open it.
    let user = located.user ?? WebAddress.user(in: located.url)
    let url = WebAddress.withoutUser(located.url)
    guard let user else { return try await context.store.edit { try body($0, url, nil) } }
    let signIn = try await context.sources.keep(user)
    do {
      return try await context.store.edit { try body($0, url, signIn) }
    } catch {
      try? await context.sources.forget(signIn)
      throw error
    }
  }

  /// Takes away the passwords of feeds that are gone or have moved to another server. What cannot be
  /// taken away now is when the next one is.
  func forgetDiscarded() async {
    guard let discarded = try? await context.store.view({ try $0.discardedSignIns() }) else {
      return
    }
    for signIn in discarded {
      do {
        try await context.sources.forget(signIn)
        try await context.store.edit { try $0.removeDiscarded(signIn) }
      } catch { return }
    }
  }
}
