internal import ArgumentParser

/// The longest time that a command waits for a network.
struct NetworkWait: ExpressibleByArgument, CustomStringConvertible {
  /// Nil for no limit.
  var limit: Duration?

  static let forever = NetworkWait()

  init() {}

  /// A time with a unit: a bare number behind the option is more likely that of a feed.
  init?(argument: String) {
    let units = [("s", 1), ("min", 60), ("m", 60), ("h", 3_600)]
    guard let (unit, seconds) = units.first(where: { argument.hasSuffix($0.0) }),
      let count = Int(argument.dropLast(unit.count)), (1...1_000_000).contains(count)
    else { return nil }
    limit = .seconds(count * seconds)
  }

  /// For the help.
  var description: String { limit == nil ? "no limit" : "a limit" }
}
