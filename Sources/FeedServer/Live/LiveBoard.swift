internal import Foundation
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Who listens at the moment, and how to wake them: each waits on a pipe beside its socket.
final class LiveBoard: Sendable {
  /// One who listens.
  struct Seat: Sendable {
    let number: Int
    /// Readable when there is news.
    let woken: Int32
  }

  private struct State {
    /// The writing ends of the pipes.
    var seats: [Int: Int32] = [:]
    var lastNumber = 0
    /// Seats up to this number have to go.
    var dropped = 0
    var dropCode: UInt16?
  }

  private let state = Mutex(State())

  var count: Int { state.withLock { $0.seats.count } }

  /// nil where the system gives out no more pipes.
  func sit() -> Seat? {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    return state.withLock { state in
      state.lastNumber += 1
      state.seats[state.lastNumber] = ends[1]
      return Seat(number: state.lastNumber, woken: ends[0])
    }
  }

  func leave(_ seat: Seat) {
    if let end = state.withLock({ $0.seats.removeValue(forKey: seat.number) }) { close(end) }
    close(seat.woken)
  }

  /// Something happened: everyone looks.
  func wake() {
    state.withLock { state in
      // A full pipe wakes as well as one byte does.
      for end in state.seats.values { _ = write(end, [1], 1) }
    }
  }

  /// Ends the connection of everyone who listens now.
  ///
  /// - Parameter code: for the close frame of a WebSocket; without one it just ends.
  func drop(code: UInt16?) {
    state.withLock { state in
      state.dropped = state.lastNumber
      state.dropCode = code
    }
    wake()
  }

  /// Whether this one has to go; the code to go with is nil where there is none.
  func hasDropped(_ seat: Seat) -> (isDropped: Bool, code: UInt16?) {
    state.withLock { (seat.number <= $0.dropped, $0.dropCode) }
  }
}
