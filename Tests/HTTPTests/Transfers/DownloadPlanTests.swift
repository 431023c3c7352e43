import Testing

@testable import HTTP

struct DownloadPlanTests {
  struct Case: Sendable {
    var part: Int64 = 4
    var validator: String? = "\"v1\""
    var total: Int64? = 10
    var status: Int
    var headers: HTTPHeaders = [:]
    var verdict: DownloadPlan.Verdict
  }

  private static let known = DownloadState(validator: "\"v1\"", total: 10)

  static let cases: [Case] = [
    Case(
      status: 206, headers: ["Content-Range": "bytes 4-9/10"], verdict: .write(at: 4, known)),
    Case(
      total: nil, status: 206, headers: ["Content-Range": "bytes 4-9/10"],
      verdict: .write(at: 4, known)),
    Case(
      total: nil, status: 206, headers: ["Content-Range": "bytes 4-9/*"],
      verdict: .write(at: 4, DownloadState(validator: "\"v1\""))),
    // Servers that send from the start of a block.
    Case(
      status: 206, headers: ["Content-Range": "bytes 2-9/10"], verdict: .write(at: 2, known)),
    Case(status: 206, headers: ["Content-Range": "bytes 5-9/10"], verdict: .startOver),
    Case(status: 206, headers: ["Content-Range": "bytes 4-9/11"], verdict: .startOver),
    Case(status: 206, headers: ["Content-Range": "bytes 4-9/8"], verdict: .startOver),
    Case(
      status: 206, headers: ["Content-Range": "bytes 4-9/10", "ETag": "\"v2\""],
      verdict: .startOver),
    Case(
      status: 206, headers: ["Content-Range": "bytes 4-9/10", "Content-Encoding": "gzip"],
      verdict: .startOver),
    Case(
      status: 206, headers: ["Content-Type": "multipart/byteranges; boundary=x"],
      verdict: .startOver),
    Case(status: 206, verdict: .startOver),
    Case(
      status: 200, headers: ["Content-Length": "12", "ETag": "\"v2\""],
      verdict: .write(at: 0, DownloadState(validator: "\"v2\"", total: 12))),
    Case(
      status: 200, headers: ["Content-Length": "12", "ETag": "W/\"v2\""],
      verdict: .write(at: 0, DownloadState(total: 12))),
    Case(
      status: 200,
      headers: [
        "Last-Modified": "Sun, 01 Mar 2026 12:00:00 GMT", "Date": "Sun, 01 Mar 2026 12:00:02 GMT",
      ],
      verdict: .write(at: 0, DownloadState(validator: "Sun, 01 Mar 2026 12:00:00 GMT"))),
    Case(
      status: 200,
      headers: [
        "Last-Modified": "Sun, 01 Mar 2026 12:00:00 GMT", "Date": "Sun, 01 Mar 2026 12:00:00 GMT",
      ],
      verdict: .write(at: 0, DownloadState())),
    Case(
      status: 200,
      headers: ["Content-Length": "12", "ETag": "\"v2\"", "Content-Encoding": "gzip"],
      verdict: .write(at: 0, DownloadState())),
    Case(
      status: 416, headers: ["Content-Range": "bytes */4"], verdict: .startOver),
    Case(
      total: nil, status: 416, headers: ["Content-Range": "bytes */4"],
      verdict: .complete(DownloadState(validator: "\"v1\"", total: 4))),
    Case(
      total: nil, status: 416, headers: ["Content-Range": "bytes */4", "ETag": "\"v2\""],
      verdict: .startOver),
    Case(status: 416, verdict: .startOver),
    Case(part: 0, status: 416, verdict: .refused),
    Case(part: 0, status: 206, headers: ["Content-Range": "bytes 0-9/10"], verdict: .refused),
    Case(status: 404, verdict: .refused), Case(status: 204, verdict: .refused),
    Case(status: 503, verdict: .refused), Case(status: 304, verdict: .refused),
  ]

  @Test(arguments: cases)
  func `A response goes where the part and its version allow`(_ one: Case) {
    let plan = DownloadPlan(
      state: DownloadState(validator: one.validator, total: one.total), part: one.part)
    let head = HTTPResponseHead(status: one.status, headers: one.headers, url: "http://a.example/")
    #expect(plan.verdict(on: head) == one.verdict)
  }

  @Test func `The rest is asked for only with a validator, and within the file`() {
    func headers(_ state: DownloadState, _ part: Int64) -> [String?] {
      var request = HTTPRequest(.get, "http://a.example/")
      DownloadPlan(state: state, part: part).ask(&request)
      return [request.headers["Range"], request.headers["If-Range"]]
    }
    #expect(headers(Self.known, 4) == ["bytes=4-", "\"v1\""])
    #expect(headers(Self.known, 0) == [nil, nil])
    #expect(headers(Self.known, 11) == [nil, nil])
    #expect(headers(DownloadState(total: 10), 4) == [nil, nil])
    #expect(DownloadPlan(state: Self.known, part: 10).isComplete)
    #expect(!DownloadPlan(state: DownloadState(total: 10), part: 10).isComplete)
    #expect(!DownloadPlan(state: DownloadState(validator: "\"a\"", total: 0), part: 0).isComplete)
  }

  @Test(arguments: [
    ("bytes 0-4/5", true), ("bytes 0-4/*", true), ("bytes */5", true), ("BYTES 0-4/5", true),
    ("bytes 4-0/5", false), ("bytes 0-5/5", false), ("bytes -4/5", false), ("bytes 0-4", false),
    ("bytes 0-4/-5", false), ("items 0-4/5", false), ("", false), ("bytes", false),
    ("bytes 0-99999999999999999999/5", false),
  ])
  func `A content range is read as RFC 9110 has it`(text: String, isValid: Bool) {
    #expect((ContentRange(text) != nil) == isValid)
  }

  @Test func `The rate is smoothed, and begins again with the file`() {
    let start = ContinuousClock.now
    var meter = TransferMeter(bytes: 1_000, at: start)
    #expect(meter.rate == nil)
    meter.note(2_000, at: start + .milliseconds(100))
    #expect(meter.rate == nil)
    meter.note(3_000, at: start + .seconds(1))
    #expect(meter.rate == 2_000)
    meter.note(13_000, at: start + .seconds(2))
    let risen = meter.rate ?? 0
    #expect(risen > 2_000 && risen < 6_000)
    meter.note(13_000, at: start + .seconds(60))
    #expect((meter.rate ?? .infinity) < 1)
    meter.note(0, at: start + .seconds(61))
    #expect((meter.rate ?? -1) >= 0)
  }

  @Test func `A bound spreads the bytes over time, whoever takes them`() {
    let start = ContinuousClock.now
    var pace = TransferPace(bytesPerSecond: 1_000)
    #expect(pace.wait(after: 500, at: start) == .seconds(0.5))
    #expect(pace.wait(after: 500, at: start) == .seconds(1))
    #expect(pace.wait(after: 100, at: start + .seconds(10)) == .seconds(0.1))
  }
}
