internal import News
internal import Reader
internal import TelexKit
internal import Text

/// Signs in.
struct AccountPerformer: EffectPerformer {
  nonisolated let context: EffectContext

  func perform(_ effect: Effect.Accounts) {
    let logins = Logins(composition)
    switch effect {
    case .reach(let address):
      start(effect.id, { .accounts(.notReached(address, $0)) }) {
        try await logins.reach(WebAddress.entered(address))
        return .accounts(.reached(address))
      }
    case .signIn(let address, let name, let secret):
      start(effect.id, { .accounts(.notSignedIn(address, $0)) }) {
        _ = try await logins.signIn(
          at: WebAddress.entered(address), user: name, secret: secret.text)
        // A sign-in that was cancelled meanwhile counts.
        inbox.send(.accounts(.signedIn(address)))
        return nil
      }
    case .joinFolder(let typed):
      start(effect.id, { .accounts(.notSignedIn(typed, $0)) }) {
        if let folder = try Logins.folder(typed) { _ = try await logins.join(folder) }
        return .accounts(.signedIn(typed))
      }
    }
  }
}
