package import News

extension Action {
  package enum Accounts: Hashable, Sendable {
    /// A server answers at the address, or none does, that a user is to sign in at.
    case reached(String)
    case notReached(String, SourceError)
    /// The server at an address has accepted the name and password.
    case signedIn(String)
    case notSignedIn(String, SourceError)
  }
}

extension Effect {
  package enum Accounts: Hashable, Sendable {
    case reach(String)
    case signIn(String, name: String, TypedSecret)
    /// Makes an account of a folder that machines share: `file:` and its path, as it was typed.
    case joinFolder(String)

    package var id: EffectID? {
      switch self {
      case .reach, .signIn: .signIn
      case .joinFolder: nil
      }
    }
  }
}

extension Action.Accounts {
  func reduce(_ state: inout ReaderState) -> [Effect] {
    switch self {
    case .reached(let address): AddressSearches.receiveReached(address, in: &state)
    case .notReached(let address, let error):
      AddressSearches.receiveUnreached(address, error, in: &state)
    case .signedIn(let address): AddressSearches.signedIn(at: address, in: &state)
    case .notSignedIn(let address, let error):
      AddressSearches.receiveRefusal(address, error, in: &state)
    }
  }
}

/// Password that the user is entering, on its way to the sign-in. Prints as dots, so that no log
/// contains it.
package struct TypedSecret: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package var description: String { "•••" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
