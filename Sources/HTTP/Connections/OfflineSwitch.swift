internal import Synchronization

/// Switch of the user that refuses every request of the clients that share it. Requests under way go on.
package final class OfflineSwitch: Sendable {
  private let state: Mutex<Bool>

  package init(isOn: Bool = false) { state = Mutex(isOn) }

  package var isOn: Bool {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }

  /// - Throws: `HTTPError` of kind `offlineByChoice` while the switch is on.
  func check() throws {
    guard isOn else { return }
    throw HTTPError(.offlineByChoice, "Telex is offline by choice.")
  }
}
