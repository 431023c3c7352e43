internal import Foundation
internal import Synchronization

/// Reason why the system's keyring is not used.
package enum KeyringAbsence: Error, Sendable, Hashable {
  case turnedOff
  /// - Parameter what: the file, or a function that an old version lacks.
  case noLibrary(what: String)
  /// Nobody runs a session bus here; none is started.
  case noBus
  /// The bus knows no keyring, or the keyring refuses.
  case unusable(String)
  /// There is no default collection, and to make one would open a window.
  case noCollection
  /// To unlock it would open a window.
  case locked
  case noAnswer

  /// The words after "because".
  package var reason: String {
    switch self {
    case .turnedOff: "the keyring is turned off"
    case .noLibrary(let what): "libsecret cannot be used: \(what) was not found"
    case .noBus: "there is no session bus to reach a keyring by"
    case .unusable(let words): "the keyring cannot be used: \(words)"
    case .noCollection: "the keyring has no default collection"
    case .locked: "the keyring is locked"
    case .noAnswer: "the keyring does not answer"
    }
  }

  /// Whether it stays so until the program ends. The others are checked anew each time, but for a keyring that does not
  /// answer, which is left alone for a while.
  var isLasting: Bool {
    switch self {
    case .turnedOff, .noLibrary, .noBus: true
    case .unusable, .noCollection, .locked, .noAnswer: false
    }
  }

  /// Whether the keyring may hold a secret that cannot be removed now.
  var mayHoldSecrets: Bool { self == .locked || self == .noAnswer }

  /// The error where the keyring may hold a secret that cannot be read; nil where it cannot. Without a bus too, as in a
  /// job of cron, whose user has a keyring on the desktop.
  func hiding(_ name: SecretName) -> SecretError? {
    let message = "the password or token is not at hand: \(reason)"
    return switch self {
    case .locked:
      SecretError(
        .away, subject: name.origin, message: message, next: "unlock the keyring, then try again")
    case .noAnswer:
      SecretError(
        .away, subject: name.origin, message: message,
        next: "see why the keyring is slow, then try again")
    case .noBus, .unusable:
      SecretError(
        .unreachable, subject: name.origin, message: message,
        next: "try again where DBUS_SESSION_BUS_ADDRESS leads to your keyring")
    case .turnedOff, .noLibrary, .noCollection: nil
    }
  }
}

/// The system's keyring, asked with a time limit. Never opens a window.
///
/// Its calls block the calling thread up to the limit. A keyring that does not answer in time is not asked again for
/// `rest`.
final class Keyring: Sendable {
  private struct Absence {
    var why: KeyringAbsence
    /// The end of the absence; nil for as long as the program runs.
    var end: ContinuousClock.Instant?
  }

  private let limit: Duration
  private let rest: Duration
  private let absence: Mutex<Absence?>

  init(isUsed: Bool, limit: Duration, rest: Duration = .seconds(30)) {
    self.limit = limit
    self.rest = rest
    absence = Mutex(isUsed ? nil : Absence(why: .turnedOff))
  }

  func check() throws(KeyringAbsence) {
    try ask { _ throws(KeyringAbsence) in }
  }

  func secret(for name: SecretName) throws(KeyringAbsence) -> Secret? {
    try ask { collection throws(KeyringAbsence) in try collection.secret(for: name) }
  }

  func store(_ secret: Secret, for name: SecretName) throws(KeyringAbsence) {
    try ask { collection throws(KeyringAbsence) in try collection.store(secret, for: name) }
  }

  func remove(_ name: SecretName) throws(KeyringAbsence) {
    try ask { collection throws(KeyringAbsence) in try collection.remove(name) }
  }

  private func ask<Value: Sendable>(
    _ question: @escaping @Sendable (KeyringCollection) throws(KeyringAbsence) -> Value
  ) throws(KeyringAbsence) -> Value {
    if let absence = absence.withLock({ $0 }), absence.end.map({ .now < $0 }) ?? true {
      throw absence.why
    }
    do throws(KeyringAbsence) {
      return try askInTime(question)
    } catch {
      if error.isLasting { absence.withLock { $0 = Absence(why: error) } }
      if error == .noAnswer { absence.withLock { $0 = Absence(why: error, end: .now + rest) } }
      throw error
    }
  }

  private func askInTime<Value: Sendable>(
    _ question: @escaping @Sendable (KeyringCollection) throws(KeyringAbsence) -> Value
  ) throws(KeyringAbsence) -> Value {
    let cancellation = try KeyringCancellation()
    let answer = Answer<Value>()
    // A thread of its own rather than one of Dispatch's: it may never come back.
    let thread = Thread {
      let result = Result { () throws(KeyringAbsence) in
        try question(try KeyringCollection(cancellation))
      }
      answer.give(result)
    }
    thread.name = "telex-keyring"
    thread.start()
    guard let result = answer.wait(limit) else {
      cancellation.cancel()
      throw .noAnswer
    }
    return try result.get()
  }
}

/// Result that one thread provides and another waits for.
private final class Answer<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, KeyringAbsence>?>(nil)
  private let isGiven = DispatchSemaphore(value: 0)

  func give(_ result: Result<Value, KeyringAbsence>) {
    self.result.withLock { $0 = result }
    isGiven.signal()
  }

  func wait(_ limit: Duration) -> Result<Value, KeyringAbsence>? {
    let nanoseconds = Int(limit / .nanoseconds(1))
    _ = isGiven.wait(timeout: .now() + .nanoseconds(nanoseconds))
    return result.withLock { $0 }
  }
}
