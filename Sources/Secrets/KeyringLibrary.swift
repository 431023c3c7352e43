/// The library that the system's keyring is reached by.
package enum KeyringLibrary {
  #if canImport(Security)
    package static let name = "Security"
  #else
    package static let name = "libsecret"
  #endif

  /// Whether it is there with all that is needed of it, whether or not a keyring runs.
  package static var isInstalled: Bool {
    #if canImport(Security)
      true
    #else
      (try? LibSecret.shared.get()) != nil
    #endif
  }
}
