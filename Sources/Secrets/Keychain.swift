#if canImport(Security)
  internal import Foundation
  internal import Security

  /// The Keychain answers by itself or not at all: there is nothing to cancel.
  final class KeyringCancellation: Sendable {
    init() throws(KeyringAbsence) {}
    func cancel() {}
  }

  /// The user's Keychain: each secret is a generic password of a service named for its origin.
  final class KeyringCollection {
    init(_ cancellation: KeyringCancellation) throws(KeyringAbsence) {}

    func secret(for name: SecretName) throws(KeyringAbsence) -> Secret? {
      var query = item(name)
      query[kSecReturnData] = true
      query[kSecMatchLimit] = kSecMatchLimitOne
      var found: CFTypeRef?
      guard try isThere(SecItemCopyMatching(query as CFDictionary, &found)),
        let data = found as? Data
      else { return nil }
      return String(bytes: data, encoding: .utf8).map(Secret.init)
    }

    func store(_ secret: Secret, for name: SecretName) throws(KeyringAbsence) {
      let data = [kSecValueData: Data(secret.text.utf8)] as [CFString: Any]
      guard try !isThere(SecItemUpdate(item(name) as CFDictionary, data as CFDictionary)) else {
        return
      }
      let whole = item(name).merging(data) { $1 }
      _ = try isThere(SecItemAdd(whole as CFDictionary, nil))
    }

    func remove(_ name: SecretName) throws(KeyringAbsence) {
      // One at a time where there are several.
      while try isThere(SecItemDelete(item(name) as CFDictionary)) {}
    }

    /// Service and account together are what the Keychain tells items apart by.
    private func item(_ name: SecretName) -> [CFString: Any] {
      [
        kSecClass: kSecClassGenericPassword, kSecAttrService: "Telex \(name.origin)",
        kSecAttrAccount: "\(name.kind.rawValue) \(name.account)",
      ]
    }

    private func isThere(_ status: OSStatus) throws(KeyringAbsence) -> Bool {
      switch status {
      case errSecSuccess: return true
      case errSecItemNotFound: return false
      case errSecInteractionNotAllowed: throw .locked
      default:
        let words = SecCopyErrorMessageString(status, nil) as String?
        throw .unusable(words ?? "error \(status)")
      }
    }
  }
#endif
