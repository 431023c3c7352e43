/// Queue of requests in two lanes, in the order of asking: the user's requests come before
/// prefetches. A prefetch that the user asks for moves to the end of the user's lane. Pure.
package struct FetchQueue<Request: Hashable & Sendable>: Sendable {
  package enum Lane: Int, Hashable, Sendable, CaseIterable {
    /// The user waits for it.
    case asked
    /// Prefetched: it may be needed later.
    case ahead
  }

  private struct Place: Hashable, Sendable {
    var lane: Lane
    var ticket: UInt64
  }

  /// One lane in the order of tickets. A promoted request stays here and is skipped at its turn.
  private struct Line: Sendable {
    var tickets: [(request: Request, ticket: UInt64)] = []
    var first = 0
  }

  private var places: [Request: Place] = [:]
  private var lines: [Lane: Line] = [:]
  private var lastTicket: UInt64 = 0

  package init() {}

  package var count: Int { places.count }
  package var isEmpty: Bool { places.isEmpty }

  /// The lane in which a request waits; nil where it does not wait.
  package func lane(of request: Request) -> Lane? { places[request]?.lane }

  /// Adds a request, or promotes it to a lane of higher priority.
  ///
  /// - Returns: whether that changed anything.
  @discardableResult
  package mutating func add(_ request: Request, in lane: Lane) -> Bool {
    if let place = places[request], place.lane.rawValue <= lane.rawValue { return false }
    lastTicket += 1
    places[request] = Place(lane: lane, ticket: lastTicket)
    lines[lane, default: Line()].tickets.append((request, lastTicket))
    return true
  }

  /// Removes and returns the next request.
  ///
  /// - Parameter isAllowed: whether a request may be started now; one that may not keeps its place.
  package mutating func next(where isAllowed: (Request) -> Bool = { _ in true }) -> Request? {
    for lane in Lane.allCases {
      if let request = next(in: lane, where: isAllowed) {
        places[request] = nil
        return request
      }
    }
    return nil
  }

  private mutating func next(in lane: Lane, where isAllowed: (Request) -> Bool) -> Request? {
    guard var line = lines[lane] else { return nil }
    // Taken out of the dictionary, so that changing it does not copy it.
    lines[lane] = nil
    defer { lines[lane] = line.first < line.tickets.count ? line : nil }
    func waits(_ index: Int) -> Bool {
      let (request, ticket) = line.tickets[index]
      return places[request] == Place(lane: lane, ticket: ticket)
    }
    while line.first < line.tickets.count, !waits(line.first) { line.first += 1 }
    if line.first > 64, line.first > line.tickets.count / 2 {
      line.tickets.removeFirst(line.first)
      line.first = 0
    }
    // One that is taken from the middle is passed over later like one that was promoted.
    return (line.first..<line.tickets.count).first {
      waits($0) && isAllowed(line.tickets[$0].request)
    }.map { line.tickets[$0].request }
  }
}
