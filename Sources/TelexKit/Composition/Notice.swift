package import News

/// Event for the user that is no error of a request. The front end words and shows it.
package enum Notice: Sendable {
  /// A search covers a part of the articles only.
  case incompleteIndex(IndexProgress)
  /// A damaged store is being repaired, or was.
  case storeRepair(message: String)
  /// Another process, as in "telex (process 12)", holds the store while it opens it.
  case storeWait(holder: String)
  /// Another process holds a sign-in, as in "telex (process 12), which is busy with the sign-in at …".
  case signInWait(holder: String)
  /// Removed articles are still in the files of the store, until the next refresh.
  case incompleteErasure(SourceError)
  /// A damaged store that a repair has renamed may still contain removed articles.
  case damagedStoreKept(path: String)
  /// A step that the user did not ask for has failed.
  case failure(SourceError)
  /// Secrets go into a file, as the system's keyring cannot be used; with the file and the reason.
  case secretFile(place: String)
}

extension SourceError {
  /// An argument of a command, or its equal in the reader, that cannot be used.
  static func argument(
    _ subject: String, _ message: String, next: String? = nil
  ) -> SourceError {
    SourceError(.address, stage: .arguments, subject: subject, message: message, next: next)
  }

  /// Any error in the form that is shown to the user.
  package init(describing error: any Error) {
    if let error = error as? SourceError {
      self = error
    } else if error is CancellationError {
      self.init(.cancelled, stage: .fetch, subject: "", message: "cancelled")
    } else {
      self.init(.store, stage: .store, subject: "", message: "\(error)", next: "try again")
    }
  }
}
