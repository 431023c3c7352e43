package import News

/// An event that a user should hear of while the program works; no error of what was asked for. A front
/// end words and shows it.
package enum Notice: Sendable {
  /// The store is being converted to the schema of this version, once. With this many articles it takes
  /// some seconds.
  case storeConversion(articles: Int)
  /// What becomes of a store that was found damaged.
  case storeRepair(message: String)
  /// Another process holds the store while it opens it.
  ///
  /// - Parameter holder: as in "telex (process 12)".
  case storeWait(holder: String)
  /// Another process holds a sign-in, as in "telex (process 12), which is busy with the sign-in at …".
  case signInWait(holder: String)
  /// What was removed from the store is still in its files, until the next refresh.
  case incompleteErasure(SourceError)
  /// A damaged store that was set aside may still hold what was removed.
  case damagedStoreKept(path: String)
  /// The password in the address of a feed could not be moved to the secrets.
  case passwordInAddress(url: String, SourceError)
  /// A step that nobody asked for has failed.
  case failure(SourceError)
  /// Secrets go into a file, because the system's keyring cannot be used.
  ///
  /// - Parameter place: the file, and why.
  case secretFile(place: String)
}
