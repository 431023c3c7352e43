/// Table of shared transfers and their callers. Pure: `Coalescer` performs what it decides.
struct FlightTable<Key: Hashable & Sendable> {
  typealias Caller = Int

  enum Boarding: Equatable {
    /// No such transfer is running: start one with this number.
    case begins(flight: Int)
    case joins
  }

  private struct Flight {
    let number: Int
    var callers: Set<Caller>
  }

  // Not `[:]`: that makes the runtime search all conformances of the program at each start.
  private var flights = [Key: Flight]()
  private var lastNumber = 0

  mutating func board(_ caller: Caller, for key: Key) -> Boarding {
    guard flights[key] == nil else {
      flights[key]?.callers.insert(caller)
      return .joins
    }
    lastNumber += 1
    flights[key] = Flight(number: lastNumber, callers: [caller])
    return .begins(flight: lastNumber)
  }

  /// Removes a caller that was cancelled.
  ///
  /// - Returns: its transfer, if no other caller waits for it, to be cancelled.
  mutating func leave(_ caller: Caller, for key: Key) -> Int? {
    guard flights[key]?.callers.remove(caller) != nil else { return nil }
    guard let flight = flights[key], flight.callers.isEmpty else { return nil }
    flights[key] = nil
    return flight.number
  }

  /// Ends a transfer and returns the callers that get its result; none where it was cancelled and another
  /// has taken its place.
  mutating func land(_ number: Int, for key: Key) -> Set<Caller> {
    guard let flight = flights[key], flight.number == number else { return [] }
    flights[key] = nil
    return flight.callers
  }
}
