internal import Foundation
internal import HTTP
internal import News
internal import Secrets
internal import Services
internal import Text

/// Secrets for the sources: in the keyring, in a file instead, or from a command.
struct Vault: Sendable {
  let secrets: SecretStore
  private let folder: String
  private let configured: [String: ConfiguredAccount]
  private let deadline: ContinuousClock.Instant?
  private let willWait: @Sendable (String) -> Void

  /// - Parameters:
  ///   - folder: of the file that replaces the keyring.
  ///   - deadline: the end of waits for other processes.
  ///   - onFallback: called when the file is used instead of the keyring.
  ///   - willWait: called with the other process that a sign-in has waited for, after half a
  ///     second.
  init(
    folder: String, settings: Settings, deadline: ContinuousClock.Instant? = nil,
    onFallback: @escaping @Sendable (SecretStore.Backend) -> Void = { _ in },
    willWait: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.folder = folder
    self.deadline = deadline
    self.willWait = willWait
    secrets = SecretStore(
      folder: folder, usesKeyring: settings.usesKeyring, deadline: deadline, onFallback: onFallback)
    configured = settings.accounts
  }

  /// The command of the configuration that prints the password of an account; nil for none, or
  /// another user's.
  func command(of account: SignIn) -> PasswordCommand? {
    guard let configured = configured[account.origin],
      configured.user.isEmpty || configured.user == account.user
    else { return nil }
    return configured.passwordCommand
  }

  var access: SecretVault {
    let (vault, secrets, folder) = (self, secrets, folder)
    let (deadline, willWait) = (deadline, willWait)
    // One lock for each account: a slow server does not delay sign-ins at others, or as another user.
    let lock = { @Sendable (account: SignIn) in
      var digest = StableDigest()
      digest.add(account.origin)
      digest.add(account.secretAccount)
      let name = String(UInt64(bitPattern: digest.stored), radix: 16)
      return FileLock(path: "\(folder)/account-\(name).lock", subject: account.origin)
    }
    return SecretVault(
      read: { account in
        try await Self.explained {
          if account.scheme.secret != .tokens, let command = vault.command(of: account) {
            return try await command.secret(user: account.user, host: account.host).text
          }
          guard let (secret, place) = try await vault.secret(of: account) else { return nil }
          guard let former = try account.formerSecretName, place == former else {
            return secret.text
          }
          // Where it cannot be moved, it is found where it is.
          do {
            try await secrets.store(secret, for: try account.secretName)
            try await secrets.remove(former)
          } catch {}
          return secret.text
        }
      },
      write: { secret, account in
        try await Self.explained {
          // A renewed token must not be lost: the old one is invalid.
          try await secrets.store(Secret(secret), for: try account.secretName, isUrgent: true)
        }
      },
      remove: { account in
        try await Self.explained {
          try await secrets.remove(try account.secretName)
          if let former = try account.formerSecretName { try await secrets.remove(former) }
        }
      },
      password: { try await vault.password(of: $0) },
      exclusively: { account, work in
        try await lock(account).hold(before: deadline, willWait: willWait, work)
      },
      holdUp: { account in
        let lock = lock(account)
        return lock.holder.map(lock.busy) ?? secrets.holdUp.map(Self.told)
      })
  }

  /// The passwords of single feeds, stored by origin under a name for each feed.
  var feedSecrets: FeedSecrets {
    let secrets = secrets
    return FeedSecrets(
      read: { signIn in
        try await Self.explained { try await secrets.secret(for: try signIn.secretName)?.text }
      },
      write: { password, signIn in
        try await Self.explained {
          try await secrets.store(Secret(password), for: try signIn.secretName)
        }
      },
      remove: { signIn in
        try await Self.explained { try await secrets.remove(try signIn.secretName) }
      })
  }

  /// The password of an account that a command prints; nil where there is no command.
  func password(of account: SignIn) async throws -> String? {
    guard let command = command(of: account) else { return nil }
    return try await Self.explained {
      try await command.secret(user: account.user, host: account.host).text
    }
  }

  private func secret(of account: SignIn) async throws -> (Secret, SecretName)? {
    do {
      return try await secret(
        for: try account.secretName, else: try account.formerSecretName,
        isNeeded: command(of: account) == nil)
    } catch var error as SecretError where error.kind == .unreachable {
      error.next += ", or sign in once more from here: telex login \(account.origin)"
      throw error
    }
  }

  /// The secret of the first of two names that has one, and that name.
  ///
  /// - Parameter isNeeded: false for nil where a keyring cannot be read: there is another way to
  ///   get one.
  /// - Throws: `SecretError`.
  func secret(
    for name: SecretName, else former: SecretName?, isNeeded: Bool = true
  ) async throws -> (Secret, SecretName)? {
    var away: SecretError?
    for name in [name, former].compactMap(\.self) {
      do {
        if let secret = try await secrets.secret(for: name) { return (secret, name) }
      } catch let error as SecretError where error.isOfAbsence {
        away = away ?? error
      }
    }
    if let away, isNeeded { throw away }
    return nil
  }

  static func explained<Value>(
    _ work: () async throws -> Value
  ) async throws -> Value {
    do {
      return try await work()
    } catch let error as SecretError {
      throw told(error)
    }
  }

  private static func told(_ error: SecretError) -> SourceError {
    let printed = error.printed.map { PlainText.sanitized($0).prefix(300) } ?? ""
    return SourceError(
      .secret, stage: .config, subject: error.subject,
      message: printed.isEmpty ? error.message : "\(error.message): \(printed)", next: error.next)
  }
}

extension SignIn {
  fileprivate var host: String { WebAddress.host(of: origin) ?? origin }

  fileprivate var secretName: SecretName {
    get throws { try SecretName(origin: origin, account: secretAccount, kind: scheme.secretKind) }
  }

  /// Bases tell accounts of one user at an origin with several services apart.
  fileprivate var secretAccount: String { isOfAccount ? "\(user) base:\(path)" : user }

  /// The former name of an account's tokens, from before there could be several at an origin; nil
  /// for a credential.
  fileprivate var formerSecretName: SecretName? {
    get throws {
      isOfAccount
        ? try SecretName(origin: origin, account: user, kind: scheme.secretKind) : nil
    }
  }
}

extension FeedSignIn {
  fileprivate var secretName: SecretName {
    get throws { try SecretName(origin: origin, account: "\(user) feed:\(key)", kind: .password) }
  }
}

extension SignIn.Scheme {
  fileprivate var secretKind: SecretName.Kind {
    switch secret {
    case .tokens: .bearer
    case .password: .password
    case .key: .apiKey
    }
  }
}

/// Sign-in from the configuration, with the command that prints its password.
struct ConfiguredAccount: Sendable {
  var user = ""
  var scheme = "basic"
  /// The base of the Feed API; the origin where it is nil.
  var base: String?
  var header: String?
  var passwordCommand: PasswordCommand?

  func account(at origin: String) -> SignIn {
    SignIn(
      origin: origin, user: user,
      scheme: SignIn.Scheme(named: scheme, base: base ?? origin, header: header))
  }
}
