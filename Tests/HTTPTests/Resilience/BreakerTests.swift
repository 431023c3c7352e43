import Foundation
import HTTP
import Testing

struct BreakerTests {
  private static let start = ContinuousClock.now

  /// What happens to a breaker, second by second.
  enum Step: Sendable {
    case admit(at: Double, CircuitBreaker.Admission)
    case record(CircuitBreaker.Verdict, CircuitBreaker.Admission = .pass, at: Double)
    case close
  }

  private static func until(_ seconds: Double) -> CircuitBreaker.Admission {
    .refused(until: start + .seconds(seconds))
  }

  private static let opened: [Step] = (0..<5).map { .record(.fails, at: Double($0)) }

  static let courses: [(String, [Step])] = [
    (
      "five failures in a row open it for half a minute",
      (0..<4).map { .record(.fails, at: Double($0)) } + [
        .admit(at: 4, .pass), .record(.fails, at: 4), .admit(at: 4, until(34)),
        .admit(at: 33.9, until(34)), .admit(at: 34, .probe),
      ]
    ),
    (
      "a success in between begins the count anew",
      (0..<4).map { .record(.fails, at: Double($0)) } + [.record(.works, at: 4)]
        + (0..<4).map { .record(.fails, at: Double($0 + 5)) } + [.admit(at: 9, .pass)]
    ),
    (
      "what says nothing counts for nothing",
      (0..<9).map { .record(.nothing, at: Double($0)) } + [.admit(at: 9, .pass)]
    ),
    (
      "one probe at a time, and two successes close it",
      opened + [
        .admit(at: 34, .probe), .admit(at: 34, until(35)), .record(.works, .probe, at: 35),
        .admit(at: 35, .probe), .admit(at: 35, until(36)), .record(.works, .probe, at: 36),
        .admit(at: 36, .pass), .admit(at: 36, .pass),
      ]
    ),
    (
      "a probe that fails opens it again",
      opened + [
        .admit(at: 34, .probe), .record(.fails, .probe, at: 40), .admit(at: 41, until(70)),
        .admit(at: 70, .probe),
      ]
    ),
    (
      "a probe that is called off lets the next one go",
      opened + [
        .admit(at: 34, .probe), .record(.nothing, .probe, at: 35), .admit(at: 35, .probe),
      ]
    ),
    (
      "what was sent before it opened does not close it",
      opened + [
        .record(.works, at: 6), .admit(at: 7, until(34)), .admit(at: 34, .probe),
        .record(.works, at: 35), .admit(at: 35, until(36)),
      ]
    ),
    ("it is closed by hand", opened + [.close, .admit(at: 5, .pass)]),
  ]

  @Test(arguments: courses) func `The breaker`(name: String, steps: [Step]) {
    var breaker = CircuitBreaker()
    for (number, step) in steps.enumerated() {
      switch step {
      case .admit(let seconds, let expected):
        let admission = breaker.admit(at: Self.start + .seconds(seconds))
        #expect(admission == expected, "\(name), step \(number)")
      case .record(let verdict, let admission, let seconds):
        breaker.record(verdict, of: admission, at: Self.start + .seconds(seconds))
      case .close: breaker.close()
      }
    }
  }

  @Test(arguments: [
    (200, CircuitBreaker.Verdict.works), (304, .works), (301, .works), (404, .works),
    (429, .works), (401, .works), (500, .fails), (503, .fails),
  ])
  func `Only a server's own errors count against it`(
    status: Int, verdict: CircuitBreaker.Verdict
  ) {
    #expect(CircuitBreaker.Verdict(status: status) == verdict)
  }

  @Test(arguments: [
    (HTTPError.Kind.refused, CircuitBreaker.Verdict.fails), (.cutShort, .fails),
    (.timeout(.connect), .fails), (.timeout(.silence), .fails), (.timeout(.total), .nothing),
    (.offline, .nothing), (.dns, .nothing), (.tls, .nothing), (.badURL, .nothing),
    (.tooLarge, .nothing), (.addressNotAllowed, .nothing), (.paused, .nothing),
  ])
  func `Only what the server does counts`(kind: HTTPError.Kind, verdict: CircuitBreaker.Verdict) {
    #expect(CircuitBreaker.Verdict(HTTPError(kind, "")) == verdict)
    #expect(CircuitBreaker.Verdict(CancellationError()) == .nothing)
  }
}

struct RateWindowTests {
  private let start = ContinuousClock.now

  private func seconds(_ instant: ContinuousClock.Instant) -> Double {
    start.duration(to: instant) / .seconds(1)
  }

  @Test func `Three at once, then each when its place is free`() {
    var window = RateWindow(RateWindow.Settings(requests: 3, per: .seconds(10)))
    let first = (0..<7).map { _ in seconds(window.reserve(at: start)) }
    #expect(first == [0, 0, 0, 10, 10, 10, 20])
    #expect(seconds(window.reserve(at: start + .seconds(21))) == 21)
    #expect(!window.isPristine(at: start + .seconds(30)))
    #expect(window.isPristine(at: start + .seconds(31)))
  }

  @Test func `A place that is given back is the next one's`() {
    var window = RateWindow(RateWindow.Settings(requests: 2, per: .seconds(10)))
    for _ in 0..<2 { _ = window.reserve(at: start) }
    let unused = window.reserve(at: start)
    #expect(seconds(window.reserve(at: start)) == 10)
    window.release(unused)
    #expect(seconds(window.reserve(at: start)) == 10)
    #expect(seconds(window.reserve(at: start)) == 20)
  }

  @Test func `No window ever holds more than it may`() {
    for _ in 0..<50 {
      let settings = RateWindow.Settings(requests: .random(in: 1...5), per: .seconds(10))
      var window = RateWindow(settings)
      var starts: [ContinuousClock.Instant] = []
      var now = start
      for _ in 0..<100 {
        now += .milliseconds(Int.random(in: 0...4_000))
        let place = window.reserve(at: now)
        if Int.random(in: 0..<10) == 0, place > now {
          window.release(place)
        } else {
          starts.append(place)
        }
      }
      for begin in starts {
        #expect(starts.count { $0 >= begin && $0 < begin + .seconds(10) } <= settings.requests)
      }
    }
  }
}
