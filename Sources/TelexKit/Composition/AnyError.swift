package import News

extension SourceError {
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
