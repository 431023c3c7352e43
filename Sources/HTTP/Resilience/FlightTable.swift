/// Which callers share which transfer. Pure: what it says is done by `Coalescer`.
struct FlightTable<Key: Hashable & Sendable> {
  typealias Caller = Int

  enum Boarding: Equatable {
    /// The first of its kind: begin the transfer of this number.
    case begins(flight: Int)
    case joins
  }

  private struct Flight {
    let number: Int
    var callers: Set<Caller>
  }

  // Not `[:]`: for that the runtime looks through every conformance of the program, at each start.
  private var flights = [Key: Flight]()
  private var lastNumber = 0

  var isEmpty: Bool { flights.isEmpty }

  mutating func board(_ caller: Caller, for key: Key) -> Boarding {
    guard flights[key] == nil else {
      flights[key]?.callers.insert(caller)
      return .joins
    }
    lastNumber += 1
    flights[key] = Flight(number: lastNumber, callers: [caller])
    return .begins(flight: lastNumber)
  }

  /// A caller has lost interest.
  ///
  /// - Returns: the flight that nobody waits for any more, to be called off.
  mutating func leave(_ caller: Caller, for key: Key) -> Int? {
    guard flights[key]?.callers.remove(caller) != nil else { return nil }
    guard let flight = flights[key], flight.callers.isEmpty else { return nil }
    flights[key] = nil
    return flight.number
  }

  /// The flight is over: those who get what it brought. None where it was called off and another
  /// has taken its place.
  mutating func land(_ number: Int, for key: Key) -> Set<Caller> {
    guard let flight = flights[key], flight.number == number else { return [] }
    flights[key] = nil
    return flight.callers
  }
}
