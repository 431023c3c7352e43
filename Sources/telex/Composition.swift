internal import Foundation
internal import HTTP
internal import News
internal import Repository
internal import Services
internal import Store

/// Puts the parts together: the one place that knows them all.
struct Composition {
  let settings: Settings
  let store: Store
  let repository: FeedRepository

  /// - Parameters:
  ///   - folder: the store's; nil for the usual one.
  ///   - deadline: bounds everything that the network is asked for.
  init(
    folder: String?, settings: Settings, deadline: ContinuousClock.Instant? = nil
  ) throws {
    self.settings = settings
    store = try Store(folder: folder ?? Folders.store)
    repository = FeedRepository(
      store: store, sources: Self.sources(settings, deadline: deadline),
      settings: settings.refresh)
  }

  static func sources(
    _ settings: Settings, deadline: ContinuousClock.Instant? = nil
  ) -> Sources {
    var configuration = HTTPClient.Configuration()
    configuration.userAgent = "Telex/\(Version.current)"
    var network = CurlTransport.Configuration(
      caFile: settings.caFile, proxy: settings.proxy.map { ProxySettings(http: $0, https: $0) })
    network.pins = settings.pins
    network.minTLS = settings.minTLS
    let client = ResilientClient(
      HTTPClient(transport: CurlTransport(network), configuration: configuration),
      gate: OriginGate(settings.gate))
    return Sources(client: client, limits: settings.limits, deadline: deadline)
  }
}

enum Version {
  static let current = "0.1.0"
}
