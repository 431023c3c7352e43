import Foundation
import HTTP
import Testing

struct RateLimitTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var headers: [(String, String)]
    var isUsedUp = false
    /// In seconds.
    var reset: Double?

    var testDescription: String { name }
  }

  static let cases = [
    Case(name: "none", headers: []),
    Case(
      name: "used up", headers: [("RateLimit", "\"hour\";r=0;t=30")], isUsedUp: true, reset: 30),
    Case(name: "left", headers: [("RateLimit", "\"hour\"; r=5; t=30")], reset: 30),
    Case(name: "without a reset", headers: [("RateLimit", "\"hour\";r=0")]),
    Case(
      name: "the one of several that is used up",
      headers: [("RateLimit", "\"second\";r=1;t=900, \"day\";r=0;t=60")], isUsedUp: true, reset: 60
    ),
    Case(
      name: "in two fields",
      headers: [("RateLimit", "\"second\";r=0;t=1"), ("RateLimit", "\"day\";r=0;t=60")],
      isUsedUp: true, reset: 60),
    Case(
      name: "signs within a name", headers: [("RateLimit", "\"a;r=5,\\\"\";r=0;t=7")],
      isUsedUp: true, reset: 7),
    Case(
      name: "an earlier version", headers: [("RateLimit", "limit=90, remaining=0, reset=40")],
      isUsedUp: true, reset: 40),
    Case(
      name: "fields of an earlier version",
      headers: [("RateLimit-Remaining", "0"), ("RateLimit-Reset", "50")], isUsedUp: true, reset: 50),
    // As Reddit sends it.
    Case(
      name: "with fractions",
      headers: [("X-RateLimit-Remaining", "0.0"), ("X-RateLimit-Reset", "413")], isUsedUp: true,
      reset: 413),
    // As GitHub sends it.
    Case(
      name: "a time",
      headers: [("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "1772366520")],
      isUsedUp: true, reset: 120),
    Case(
      name: "a time that is over",
      headers: [("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "1772366400")]),
    Case(
      name: "more than a day",
      headers: [("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "90000")], isUsedUp: true,
      reset: 86_400),
    Case(
      name: "the newer form first",
      headers: [("X-RateLimit-Reset", "99"), ("RateLimit", "\"hour\";r=0;t=30")], isUsedUp: true,
      reset: 30),
    Case(name: "a reset alone", headers: [("X-RateLimit-Reset", "99")], reset: 99),
    Case(
      name: "nonsense",
      headers: [
        ("RateLimit", "\"a;;=,r=0;t=-5;t"), ("RateLimit-Remaining", "few"),
        ("RateLimit-Reset", "soon"),
      ]),
  ]

  @Test(arguments: cases) func `A quota is read in each of its forms`(_ item: Case) {
    var headers = HTTPHeaders()
    for (name, value) in item.headers { headers.append(name, value) }
    let limit = RateLimit(headers, now: DateTests.now)
    #expect(limit.isUsedUp == item.isUsedUp)
    #expect(limit.reset.map { $0 / .seconds(1) } == item.reset)
  }
}
