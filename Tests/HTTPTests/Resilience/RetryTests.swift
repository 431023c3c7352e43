import FeedServer
import Foundation
import HTTP
import Synchronization
import TestSupport
import Testing

struct RetryTests {
  private static let now = Date(timeIntervalSince1970: 1_772_366_400)

  struct Case: Sendable {
    var outcome: RetryPolicy.Outcome
    var method = HTTPMethod.get
    var headers: HTTPHeaders = [:]
    var attempt = 1
    var remaining: Duration?
    var isPolled = false
    /// nil: no other attempt.
    var wait: Duration?
    /// Seconds from now.
    var retryAfter: Double?
  }

  private static func status(_ status: Int, _ after: String? = nil) -> RetryPolicy.Outcome {
    .status(status, after.map { ["Retry-After": $0] } ?? [:])
  }

  private static func failure(_ kind: HTTPError.Kind) -> RetryPolicy.Outcome {
    .failure(HTTPError(kind, "x"))
  }

  static let cases: [Case] = [
    Case(outcome: status(500), wait: .seconds(0.75)),
    Case(outcome: status(500), attempt: 2, wait: .seconds(1.25)),
    Case(outcome: status(500), attempt: 3),
    Case(outcome: status(408), wait: .seconds(0.75)),
    Case(outcome: status(429), wait: .seconds(0.75)),
    Case(outcome: status(503, "7"), wait: .seconds(7)),
    Case(outcome: status(429, "0"), wait: .zero),
    Case(outcome: status(503, "Sun, 01 Mar 2026 12:00:09 GMT"), wait: .seconds(9)),
    Case(outcome: status(503, "30"), wait: .seconds(30)),
    Case(outcome: status(503, "31"), retryAfter: 31),
    Case(outcome: status(503, "99999"), retryAfter: 86_400),
    Case(outcome: status(503, "7"), attempt: 3, retryAfter: 7),
    Case(outcome: status(503, "7"), remaining: .seconds(6), retryAfter: 7),
    Case(outcome: status(503), remaining: .seconds(0.5)),
    Case(outcome: status(503), remaining: .seconds(1), wait: .seconds(0.75)),
    Case(outcome: status(400)), Case(outcome: status(401)), Case(outcome: status(404)),
    Case(outcome: status(410)), Case(outcome: status(422)),
    Case(outcome: failure(.cutShort), wait: .seconds(0.75)),
    Case(outcome: failure(.refused), wait: .seconds(0.75)),
    Case(outcome: failure(.dns), wait: .seconds(0.75)),
    Case(outcome: failure(.timeout(.silence)), wait: .seconds(0.75)),
    Case(outcome: failure(.timeout(.total))),
    Case(outcome: failure(.tls)), Case(outcome: failure(.tooLarge)),
    Case(outcome: failure(.decoding)), Case(outcome: failure(.addressNotAllowed)),
    Case(outcome: failure(.redirectLoop)),
    Case(outcome: status(500), method: .put, wait: .seconds(0.75)),
    Case(outcome: status(500), method: .delete, wait: .seconds(0.75)),
    Case(outcome: status(500), method: .post), Case(outcome: status(500), method: .patch),
    Case(
      outcome: status(500), method: .post, headers: ["Idempotency-Key": "k"], wait: .seconds(0.75)),
    Case(outcome: .status(429, ["X-RateLimit-Reset": "9"]), wait: .seconds(0.75)),
    Case(outcome: status(429), isPolled: true),
    Case(outcome: status(429, "0"), isPolled: true, retryAfter: 0),
    Case(outcome: status(429, "1.5"), isPolled: true, retryAfter: 1.5),
    Case(outcome: .status(429, ["X-RateLimit-Reset": "9"]), isPolled: true, retryAfter: 9),
    Case(
      outcome: .status(429, ["X-RateLimit-Reset": "9", "Retry-After": "7"]), isPolled: true,
      retryAfter: 7),
    Case(outcome: status(503, "7"), isPolled: true, retryAfter: 7),
    Case(
      outcome: .status(503, ["X-RateLimit-Reset": "9"]), isPolled: true, wait: .seconds(0.75)),
    Case(outcome: status(500, "7"), isPolled: true, wait: .seconds(7)),
    Case(outcome: failure(.refused), isPolled: true, wait: .seconds(0.75)),
  ]

  @Test(arguments: cases) func `The policy decides`(each: Case) {
    var request = HTTPRequest(each.method, "https://a/", headers: each.headers)
    request.isPolled = each.isPolled
    let decision = RetryPolicy().decision(
      after: each.outcome, to: request, attempt: each.attempt, now: RetryTests.now,
      remaining: each.remaining, jitter: 0.5)
    let expected: RetryPolicy.Decision =
      if let wait = each.wait {
        .retry(after: wait)
      } else {
        .giveUp(retryAfter: each.retryAfter.map { RetryTests.now.addingTimeInterval($0) })
      }
    #expect(decision == expected)
  }

  @Test func `The backoff doubles up to a minute`() {
    let policy = RetryPolicy()
    #expect(
      (1...9).map { policy.backoff(attempt: $0, jitter: 0) / .seconds(1) } == [
        0.5, 1, 2, 4, 8, 16, 32, 60, 60,
      ])
    #expect(policy.backoff(attempt: 1_000, jitter: 1) == .seconds(60.5))
  }

  @Test func `A request that fails twice succeeds at the third attempt`() async throws {
    let count = Mutex(0)
    let server = try LoopbackServer { _ in
      switch count.withLock({ number in
        number += 1
        return number
      }) {
      case 1: [.response(503, ["Retry-After": "2"], "")]
      case 2: [.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .close]
      default: [.response(200, "here")]
      }
    }
    let time = FakeTime()
    let notices = Mutex<[RetryNotice]>([])
    let sender = RetryingSend(clock: time.clock) { notice in
      notices.withLock { $0.append(notice) }
    }
    let client = makeClient()
    let request = HTTPRequest(server.url()) { $0.sendsID = true }
    let response = try await sender.response(for: request) {
      try await client.response(for: $0)
    }
    #expect(response.body == Array("here".utf8))
    #expect(time.slept == [.seconds(2), .seconds(1)])
    #expect(notices.withLock { $0.map(\.attempt) } == [2, 3])
    let seen = server.requests
    #expect(seen.map { $0.header("x-request-attempt") } == ["1", "2", "3"])
    #expect(Set(seen.map { $0.header("x-request-id") }).count == 1)
  }

  @Test func `The last error is kept and nothing is slept after it`() async throws {
    let server = try LoopbackServer { _ in [.response(500, #"{"error":"e","message":"Full"}"#)] }
    let time = FakeTime()
    let client = makeClient()
    let error = await #expect(throws: HTTPError.self) {
      try await RetryingSend(clock: time.clock).response(for: HTTPRequest(.get, server.url())) {
        try await client.response(for: $0)
      }
    }
    #expect(error?.status == 500)
    #expect(error?.serverError?.message == "Full")
    #expect(server.requests.count == 3)
    #expect(time.slept.count == 2)
  }

  @Test func `A long wait is not slept but told`() async throws {
    let server = try LoopbackServer { _ in [.response(429, ["Retry-After": "600"], "")] }
    let time = FakeTime()
    let client = makeClient()
    let error = await #expect(throws: HTTPError.self) {
      try await RetryingSend(clock: time.clock).response(for: HTTPRequest(.get, server.url())) {
        try await client.response(for: $0)
      }
    }
    #expect(error?.retryAfter == RetryTests.now.addingTimeInterval(600))
    #expect(server.requests.count == 1)
    #expect(time.slept.isEmpty)
  }

  @Test func `The total bounds the attempts and the waits together`() async throws {
    let time = FakeTime()
    var request = HTTPRequest(.get, "https://a.example/")
    request.limits.total = .seconds(10)
    let attempts = Mutex(0)
    let error = await #expect(throws: HTTPError.self) {
      try await RetryingSend(clock: time.clock).response(for: request) { _ in
        attempts.withLock { $0 += 1 }
        return HTTPResponse(
          head: HTTPResponseHead(
            status: 503, headers: ["Retry-After": "6"], url: "https://a.example/"),
          body: [])
      }
    }
    #expect(attempts.withLock { $0 } == 2)
    #expect(time.slept == [.seconds(6)])
    #expect(error?.retryAfter == RetryTests.now.addingTimeInterval(12))
  }

  @Test func `Cancelling during a wait returns at once`() async throws {
    let isWaiting = Gate()
    let sender = RetryingSend { _ in isWaiting.open() }
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        await #expect(throws: CancellationError.self) {
          try await sender.response(for: HTTPRequest(.get, "https://a.example/")) { _ in
            HTTPResponse(
              head: HTTPResponseHead(
                status: 503, headers: ["Retry-After": "29"], url: "https://a.example/"),
              body: [])
          }
        }
      }
      _ = await eventually { isWaiting.isOpen }
      group.cancelAll()
    }
  }
}
