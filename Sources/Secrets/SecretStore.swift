// The front door of Secrets. `SecretStore` keeps secrets in the system's keyring, or in a file of the
// user's own where there is none; `PasswordCommand` asks a program for one; `Secret` is what comes out.

internal import Dispatch
internal import Synchronization

/// Storage of secrets between runs: the system's keyring, else `credentials.json`.
///
/// The file holds the secrets that were stored while the keyring was away. They are newer than those of the keyring, and
/// move into it when it is back.
///
/// Waits for other processes and the keyring on a thread of its own, for seconds at most. A call that has begun is
/// carried out even where its task is cancelled.
package final class SecretStore: Sendable {
  /// The place where secrets are stored now.
  package enum Backend: Sendable, Hashable {
    case keyring
    /// - Parameter because: why the keyring is not used.
    case file(path: String, because: KeyringAbsence)
  }

  private let file: CredentialFile
  private let keyring: Keyring
  private let queue = DispatchQueue(label: "telex-secrets", qos: .userInitiated)
  private let onFallback: @Sendable (Backend) -> Void
  private let hasFallenBack = Mutex(false)

  /// - Parameters:
  ///   - folder: of the file; made as 0700 when something is stored.
  ///   - limit: how long the keyring may take for its answer.
  ///   - rest: how long a keyring is left alone that did not answer in time.
  ///   - deadline: the end of the wait for other processes, but for a secret that is urgent. Nil for some seconds each
  ///     time.
  ///   - onFallback: called once, on a thread of the store, when the file stands in for the keyring.
  package init(
    folder: String, usesKeyring: Bool = true, limit: Duration = .seconds(1),
    rest: Duration = .seconds(30), deadline: ContinuousClock.Instant? = nil,
    onFallback: @escaping @Sendable (Backend) -> Void = { _ in }
  ) {
    file = CredentialFile(folder: folder, deadline: deadline)
    keyring = Keyring(isUsed: usesKeyring, limit: limit, rest: rest)
    self.onFallback = onFallback
  }

  /// - Throws: `SecretError`; one of `isOfAbsence` where a keyring that cannot be read may have the secret.
  package func secret(for name: SecretName) async throws -> Secret? {
    try await perform { store in try store.find(name) }
  }

  /// Replaces the secret of that name. It is on the disk, or with the keyring, when this returns; a kill before that
  /// leaves the old one whole.
  ///
  /// - Parameter isUrgent: whether it is lost where it is not kept now, as a token that replaces a spent one. Another
  ///   process is waited for past the deadline then.
  package func store(_ secret: Secret, for name: SecretName, isUrgent: Bool = false) async throws {
    try await perform { store in
      try store.change(isUrgent: isUrgent) { keyring throws(KeyringAbsence) in
        try keyring.store(secret, for: name)
      } inFile: { contents, _ in
        contents.secrets[name] = secret
      }
    }
  }

  /// Removes a secret; one that is not there is no error.
  package func remove(_ name: SecretName) async throws {
    try await perform { store in
      try store.change { keyring throws(KeyringAbsence) in
        try keyring.remove(name)
      } inFile: { contents, absence in
        contents.remove(name, isKeptInMind: absence.mayHoldSecrets)
      }
    }
  }

  /// Asks the keyring whether it can be used.
  package func backend() async -> Backend {
    await withCheckedContinuation { continuation in
      queue.async { @Sendable in
        do throws(KeyringAbsence) {
          try self.keyring.check()
          continuation.resume(returning: .keyring)
        } catch {
          continuation.resume(returning: self.fallBack(error))
        }
      }
    }
  }

  /// The error of another process that the calls under way wait for; nil for none.
  package var holdUp: SecretError? { file.holdUp }
}

// MARK: - On the queue

extension SecretStore {
  private func perform<Value: Sendable>(
    _ body: @escaping @Sendable (SecretStore) throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { @Sendable in continuation.resume(with: Result { try body(self) }) }
    }
  }

  private func find(_ name: SecretName) throws -> Secret? {
    do {
      if try !file.read().isEmpty { try file.update(moveIntoKeyring) }
      return try keyring.secret(for: name)
    } catch let absence as KeyringAbsence {
      fallBack(absence)
      let contents = try file.read()
      if let secret = contents.secrets[name] { return secret }
      guard !contents.removed.contains(name), let error = absence.hiding(name) else { return nil }
      throw error
    }
  }

  /// Changes the keyring, or the file where the keyring is away. The file is locked meanwhile, so that no other process
  /// moves an older secret over the new one.
  private func change(
    isUrgent: Bool = false, inKeyring: (Keyring) throws(KeyringAbsence) -> Void,
    inFile: (inout CredentialFile.Contents, KeyringAbsence) -> Void
  ) throws {
    try file.update(isUrgent: isUrgent) { contents in
      do throws(KeyringAbsence) {
        try moveIntoKeyring(&contents)
        try inKeyring(keyring)
      } catch {
        fallBack(error)
        inFile(&contents, error)
      }
    }
  }

  /// Catches the keyring up with the file.
  private func moveIntoKeyring(_ contents: inout CredentialFile.Contents) throws(KeyringAbsence) {
    for name in contents.removed { try keyring.remove(name) }
    for (name, secret) in contents.secrets { try keyring.store(secret, for: name) }
    contents = CredentialFile.Contents()
  }

  @discardableResult
  private func fallBack(_ absence: KeyringAbsence) -> Backend {
    let backend = Backend.file(path: file.path, because: absence)
    let isFirst = hasFallenBack.withLock { hasFallenBack in
      defer { hasFallenBack = true }
      return !hasFallenBack
    }
    if isFirst { onFallback(backend) }
    return backend
  }
}

extension SecretStore.Backend: CustomStringConvertible {
  package var description: String {
    switch self {
    case .keyring: "the system's keyring"
    case .file(let path, let absence): "\(path), because \(absence.reason)"
    }
  }
}
