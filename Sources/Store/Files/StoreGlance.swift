internal import GRDB

extension Store {
  /// Reads from a store without opening it: creates, changes and repairs nothing, and waits for no
  /// other process. Returns nil without a store, or where it cannot be read at once.
  package static func glance<Value>(
    at folder: String, _ body: (StoreView) throws -> Value
  ) -> Value? {
    let path = folder + "/telex.sqlite"
    guard FileIdentity(path) != nil else { return nil }
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .immediateError
    return try? DatabaseQueue(path: path, configuration: configuration).read {
      try body(StoreView(db: $0))
    }
  }
}
