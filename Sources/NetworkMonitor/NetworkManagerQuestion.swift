#if os(Linux)
  internal import CNetlink
  internal import Foundation

  /// Whether the connection costs, as NetworkManager sees it.
  enum NetworkManagerQuestion {
    private static let timeout: Duration = .milliseconds(500)
    static let library = "libgio-2.0.so.0"

    /// Blocks. Nil where there is no system bus, no GLib to speak to it with, or no answer.
    @Sendable static func isMetered() -> Bool? {
      // Opening GLib for nothing would cost some megabytes.
      guard hasBus else { return nil }
      return meaning(of: telex_networkmanager_metered(library, Int32(timeout / .milliseconds(1))))
    }

    /// The meaning of NetworkManager's NMMetered. A guess that it is metered counts: the bill cannot be taken back.
    static func meaning(of answer: Int32) -> Bool? {
      switch answer {
      case 1, 3: true
      case 2, 4: false
      default: nil
      }
    }

    private static var hasBus: Bool {
      let sockets = ["/run/dbus/system_bus_socket", "/var/run/dbus/system_bus_socket"]
      return getenv("DBUS_SYSTEM_BUS_ADDRESS") != nil
        || sockets.contains { path in access(path, F_OK) == 0 }
    }
  }
#endif
