#if canImport(Network)
  internal import Dispatch
  internal import Network
  internal import News

  /// The system's network watch (macOS).
  final class PathWatch: Sendable {
    private let monitor = NWPathMonitor()

    init(tell: @escaping @Sendable (Connectivity) -> Void) {
      monitor.pathUpdateHandler = { path in tell(Self.connectivity(of: path)) }
      monitor.start(queue: DispatchQueue(label: "telex.network", qos: .utility))
    }

    func stop() { monitor.cancel() }

    private static func connectivity(of path: NWPath) -> Connectivity {
      switch path.status {
      case .satisfied: .online(isMetered: path.isExpensive || path.isConstrained)
      case .unsatisfied: .offline
      // A connection that is made on demand may be there, or not.
      case .requiresConnection: .unknown
      @unknown default: .unknown
      }
    }
  }
#endif
