package import News

/// The one place that asks for the kind of an account.
extension Sources {
  package func source(of account: Account) -> any AccountSource {
    switch account.kind {
    case .local: LocalAccount(sources: self)
    case .feedAPI: FeedAPIAccount(sources: self, live: live)
    case .sharedFolder:
      account.isSignedOut
        ? UnknownAccount(account: account) : FolderAccount(account: account, sources: self)
    default: syncAccount(account) ?? UnknownAccount(account: account)
    }
  }

  /// Nil where nobody is signed in.
  package static func signIn(of account: Account) -> SignIn? {
    account.isSignedOut ? nil : signIn(ofFormer: account)
  }

  /// The sign-in of an account, also after its user has signed out.
  package static func signIn(ofFormer account: Account) -> SignIn? {
    if account.kind == .sharedFolder {
      return FolderAddress.signIn(at: account.base, account: account.id)
    }
    guard !account.user.isEmpty, let origin = try? SignIns.origin(of: account.base) else {
      return nil
    }
    let scheme: SignIn.Scheme
    if account.kind == .feedAPI {
      scheme = .bearer(base: account.base)
    } else if SyncProtocol(account.kind) != nil {
      scheme = .syncServer(account.service, base: account.base)
    } else {
      return nil
    }
    return SignIn(origin: origin, user: account.user, scheme: scheme, account: account.id)
  }

  /// The service and base of the account that a sign-in opens; nil for a credential of local feeds.
  package static func service(of signIn: SignIn) -> (service: AccountService, base: String)? {
    switch signIn.scheme {
    case .bearer(let base): (.feedAPI, base)
    case .syncServer(let service, let base): (service, base)
    case .folder(let base): (.folder, base)
    case .basic, .apiKey: nil
    }
  }
}

/// Account at an unknown service, or where nobody is signed in. Its feeds can be read but not
/// refreshed.
struct UnknownAccount: AccountSource {
  let account: Account

  var service: AccountService { account.service }

  func pages(of feed: Feed, report: @escaping @Sendable (SourceEvent) -> Void) -> any PageSource {
    guard !feed.account.isSignedOut else {
      return FailingPages(
        error: SourceError(
          .status, stage: .fetch, subject: feed.displayTitle,
          message: "you are signed out of \(feed.account.displayName)",
          next: "telex login \(feed.account.base)", status: 401))
    }
    return FailingPages(
      error: SourceError(
        .address, stage: .fetch, subject: feed.displayTitle,
        message: "this version does not know the service of its account",
        next: "install a newer Telex"))
  }
}
