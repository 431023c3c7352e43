internal import Foundation
internal import News
internal import Repository
internal import Services
internal import Store
internal import Text

extension Composition {
  /// Moves names and passwords from stored addresses, where versions before schema 7 kept them, to the
  /// secrets. Costs one query where there are none.
  ///
  /// The order for each feed loses nothing at a kill and can be resumed: the name of the secret is stored
  /// with the feed, the password is written to the secrets and read back, and only then it is removed from
  /// the address. Where it cannot be stored as a secret, the address stays as it is and still signs in.
  package func moveUsersToSecrets() async {
    guard store.mayHoldUsers else { return }
    do {
      let (found, accounts) = try await store.view { view in
        (
          try view.addressesWithUser(),
          try view.accounts().filter { WebAddress.withoutUser($0.base) != $0.base }
        )
      }
      guard !found.isEmpty || !accounts.isEmpty else { return }
      // Nothing is lost with these: the tokens of the sign-in are kept elsewhere.
      for account in accounts {
        try await store.edit {
          try $0.setBase(WebAddress.withoutUser(account.base), of: account.id)
        }
      }
      var isChanged = !accounts.isEmpty
      for address in found {
        do {
          try await moveUser(of: address)
          isChanged = true
        } catch let error as SourceError {
          tell(.passwordInAddress(url: address.url, error))
        }
      }
      if isChanged {
        await repository.forgetSignIns()
        try await store.erase()
        tellOfDamaged()
      }
    } catch {
      tell(.failure(SourceError(describing: error)))
    }
  }

  private func moveUser(of address: StoreView.AddressWithUser) async throws {
    guard let user = WebAddress.user(in: address.url) else { return }
    let signIn: FeedSignIn
    if let begun = address.signIn, begun.origin == user.origin, begun.user == user.user {
      signIn = begun
    } else {
      signIn = FeedSignIn(
        origin: user.origin, user: user.user, key: UUID().uuidString.lowercased())
      try await store.edit { try $0.setSignIn(signIn, of: address.feed) }
    }
    try await vault.feedSecrets.keep(user.password, signIn)
    try await store.edit {
      try $0.removeUser(of: address.feed, at: address.url, now: Date())
    }
  }
}
