/// The kernel's view of the network, as far as it decides whether there is one.
struct NetworkPicture: Hashable, Sendable {
  struct Link: Hashable, Sendable {
    var index: Int32
    var isLoopback: Bool
    /// Switched on, with a carrier.
    var isRunning: Bool
  }

  struct Address: Hashable, Sendable {
    var link: Int32
    /// Good beyond its own link, and in use.
    var isGlobal: Bool
  }

  struct DefaultRoute: Hashable, Sendable {
    /// Its links, without those that the kernel calls dead; empty where it names none.
    var links: [Int32]
  }

  enum Reach: Hashable, Sendable {
    case unknown, offline, online
  }

  var links: [Link] = []
  var addresses: [Address] = []
  var defaultRoutes: [DefaultRoute] = []

  /// Online with a default route, or with a global address on a link that runs: a network without a way out may still
  /// hold the requested server.
  var reach: Reach {
    // Even a machine without a network has a loopback: without any link the answer was none.
    if links.isEmpty { return .unknown }
    let running = Set(links.lazy.filter { $0.isRunning && !$0.isLoopback }.map(\.index))
    let hasRoute = defaultRoutes.contains { route in
      route.links.isEmpty ? !running.isEmpty : route.links.contains(where: running.contains)
    }
    let hasAddress = addresses.contains { $0.isGlobal && running.contains($0.link) }
    return hasRoute || hasAddress ? .online : .offline
  }
}
