internal import Dispatch
internal import Foundation
package import News

/// Turn of one process, or store, to deliver the outbox of an account, until it is deinitialised.
/// Two senders of the same change could switch a star on and off again, and mix up the order.
///
/// It locks a file beside the database, which the kernel unlocks however the process ends, and
/// which has to be touched (`renew`): one that is older than `Store.turnTime` belongs to a stopped
/// process. Without file locks there are no turns.
package final class DeliveryTurn: Sendable {
  private let descriptor: Int32

  fileprivate init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  package func renew() {
    if descriptor >= 0 { futimens(descriptor, nil) }
  }

  fileprivate enum Attempt {
    case mine(DeliveryTurn)
    case taken
  }

  fileprivate static func lock(_ path: String) -> Attempt {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    // Nothing can be written there, deliveries included.
    guard descriptor >= 0 else { return .mine(DeliveryTurn(-1)) }
    var outcome: Int32
    repeat { outcome = flock(descriptor, LOCK_EX | LOCK_NB) } while outcome != 0 && errno == EINTR
    if outcome != 0, errno == EWOULDBLOCK, !isAbandoned(descriptor) {
      close(descriptor)
      return .taken
    }
    let turn = DeliveryTurn(descriptor)
    if outcome == 0 { turn.renew() }
    return .mine(turn)
  }

  private static func isAbandoned(_ descriptor: Int32) -> Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return true }
    #if canImport(Darwin)
      let touched = Double(status.st_mtimespec.tv_sec)
    #else
      let touched = Double(status.st_mtim.tv_sec)
    #endif
    // The clock may have been set back since.
    return abs(Date().timeIntervalSince1970 - touched) > Store.turnTime
  }
}

extension Store {
  /// Lock file of one account, so that a hanging server blocks no other.
  static func turnFile(of account: AccountID) -> String { "delivery-\(account.rawValue).lock" }

  /// How long a turn holds that is not renewed, in seconds.
  package static let turnTime = 30.0

  /// The turn to deliver what waits for an account; nil while another has it.
  package func deliveryTurn(of account: AccountID) async -> DeliveryTurn? {
    await withCheckedContinuation { continuation in
      DispatchQueue.global(qos: .utility).async { [folder] in
        switch DeliveryTurn.lock(folder + "/" + Self.turnFile(of: account)) {
        case .mine(let turn): continuation.resume(returning: turn)
        case .taken: continuation.resume(returning: nil)
        }
      }
    }
  }
}
