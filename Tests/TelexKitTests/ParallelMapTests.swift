import Synchronization
import Testing

@testable import TelexKit

@Suite struct ParallelMapTests {
  private struct Failure: Error {}

  /// How many are under way, and the most there were.
  private final class Gauge: Sendable {
    private let state = Mutex((now: 0, most: 0, begun: 0))

    var most: Int { state.withLock { $0.most } }
    var begun: Int { state.withLock { $0.begun } }
    var now: Int { state.withLock { $0.now } }

    func enter() {
      state.withLock {
        $0.now += 1
        $0.begun += 1
        $0.most = max($0.most, $0.now)
      }
    }

    func leave() { state.withLock { $0.now -= 1 } }

    func measure<Value>(_ body: () async throws -> Value) async rethrows -> Value {
      enter()
      defer { leave() }
      return try await body()
    }
  }

  @Test(arguments: [0, 1, 3, 100], [0, 1, 2, 50])
  func `The results are in the order of the elements, at most so many at once`(
    limit: Int, count: Int
  ) async throws {
    let gauge = Gauge()
    let results = try await (0..<count).parallelMap(atMost: limit) { number in
      await gauge.measure {
        // The later ones are done first.
        for _ in 0..<(count - number) { await Task.yield() }
        return number * 2
      }
    }
    #expect(results == (0..<count).map { $0 * 2 })
    #expect(gauge.most <= max(1, limit))
    #expect(gauge.begun == count)
  }

  @Test func `So many are really under way together`() async throws {
    let gauge = Gauge()
    // Each waits for the other two.
    let results = try await (0..<3).parallelMap(atMost: 3) { number in
      gauge.enter()
      while gauge.begun < 3 { try await Task.sleep(for: .milliseconds(1)) }
      return number
    }
    #expect(results == [0, 1, 2])
  }

  @Test func `A throw cancels the others and begins no more`() async throws {
    let gauge = Gauge()
    await #expect(throws: Failure.self) {
      try await (0..<1_000).parallelMap(atMost: 4) { number in
        try await gauge.measure {
          if number == 2 {
            while gauge.begun < 4 { await Task.yield() }
            throw Failure()
          }
          // Until it is cancelled.
          while true { try await Task.sleep(for: .seconds(60)) }
        }
      }
    }
    #expect(gauge.begun == 4)
    #expect(gauge.now == 0)
  }

  @Test func `Cancelling the task cancels all of it`() async throws {
    let gauge = Gauge()
    let task = Task {
      try await (0..<1_000).parallelMap(atMost: 2) { _ in
        try await gauge.measure { try await Task.sleep(for: .seconds(600)) }
      }
    }
    while gauge.begun < 2 { try await Task.sleep(for: .milliseconds(1)) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(gauge.begun == 2)
    #expect(gauge.now == 0)
  }

  @Test func `Elements are taken one by one, not ahead`() async throws {
    let taken = Mutex(0)
    struct Source: Sequence, Sendable {
      let take: @Sendable () -> Int
      func makeIterator() -> AnyIterator<Int> { AnyIterator { take() } }
    }
    let endless = Source {
      taken.withLock {
        $0 += 1; return $0
      }
    }
    await #expect(throws: Failure.self) {
      try await endless.parallelMap(atMost: 2) { number in
        if number == 10 { throw Failure() }
        // Else the others may go on before the failure is known.
        if number > 10 { try await Task.sleep(for: .seconds(1_000)) }
        return number
      }
    }
    #expect(taken.withLock { $0 } <= 12)
  }
}
