internal import Foundation
internal import HTTP
internal import News
internal import Repository
internal import Services

/// Findings on how the server and Telex spare each other: redirects, sizes, validators, freshness and limits.
struct MannerFindings {
  let diagnosis: Diagnosis
  let settings: Settings
  let feed: Feed?
  let now: Date

  /// Of the last answer; none without one.
  var findings: [Finding] {
    guard let last = diagnosis.trace.hops.last else { return [] }
    var findings = [bodyFinding(last)]
    if diagnosis.problem == nil, case .feed(let page)? = diagnosis.document {
      findings += [validatorFinding, freshnessFinding(last.head, page)]
    }
    return findings + [limitFinding(last)]
  }

  private func bodyFinding(_ hop: HTTPHop) -> Finding {
    let wire = Int64(hop.metrics.bytesReceived)
    let limit = settings.limits.maxBodyBytes.map {
      ["Telex reads up to \(Measures.bytes(Int64($0)))"]
    }
    guard let encoding = hop.head.headers["Content-Encoding"], encoding != "identity" else {
      return .ok("body", "Body", "\(Measures.bytes(wire)), not compressed", limit ?? [])
    }
    let size = Measures.bytes(Int64(diagnosis.trace.body.count))
    return .ok(
      "body", "Body", "\(Measures.bytes(wire)) of \(encoding), \(size) unpacked", limit ?? [])
  }

  private var validatorFinding: Finding {
    let given = [
      diagnosis.validators.etag.map { "ETag \($0)" },
      diagnosis.validators.lastModified.map { "Last-Modified \($0)" },
    ].compactMap { $0 }
    func attention(_ text: String, next: String?) -> Finding {
      .attention("validators", "Unchanged?", text, given, next: next)
    }
    let tell = "tell the people who run the server; until then each refresh takes it all"
    switch diagnosis.revalidation {
    case nil:
      return .ok(
        "validators", "Unchanged?", "neither ETag nor Last-Modified: a refresh takes all of it")
    case .notModified?:
      return .ok("validators", "Unchanged?", "asked again, it says so (304)", given)
    case .sentAgain?:
      return attention("asked again, it sends the same bytes once more", next: tell)
    case .changed?:
      return .ok(
        "validators", "Unchanged?", "asked again, it had changed already; try once more", given)
    case .status(let status)?:
      return attention("asked again, it answers with \(status)", next: tell)
    case .failed(let error)?:
      return attention("asked again: \(error.message.withoutStop)", next: error.next)
    }
  }

  private func freshnessFinding(_ head: HTTPResponseHead, _ page: Page) -> Finding {
    let control = CacheControl(head.headers)
    var parts: [String] = []
    if let age = control.maxAge { parts.append("max-age \(Measures.long(seconds: Int64(age)))") }
    if control.isNoStore { parts.append("no-store") }
    if control.isNoCache { parts.append("no-cache") }
    let text = parts.isEmpty ? "the server asks for nothing" : parts.joined(separator: ", ")
    let asked = Int64(page.description?.minutesToLive ?? 0) * 60
    func words(_ wait: Int64) -> String { Measures.long(seconds: wait) }
    let interval = feed?.settings.interval.map { $0 == 0 ? FetchInterval.never : .fixed($0) }
    let own =
      switch settings.refresh.interval == .never ? .never : interval ?? settings.refresh.interval {
      case .never: "Telex fetches it when you ask"
      case .fixed(let seconds): "a refresh by itself waits \(words(max(seconds, asked)))"
      case .adaptive where asked > 0:
        "a refresh by itself waits \(words(asked)) or longer, as the feed publishes"
      case .adaptive: "a refresh by itself comes as often as the feed publishes"
      }
    return .ok("freshness", "Freshness", text, [own])
  }

  private func limitFinding(_ hop: HTTPHop) -> Finding {
    func words(_ wait: Duration) -> String { Measures.long(seconds: Int64(wait / .seconds(1))) }
    let quota = RateLimit(hop.head.headers, now: now)
    var parts: [String] = []
    if let wait = RetryAfter.wait(hop.head.headers, now: now) {
      parts.append("Retry-After \(words(wait))")
    }
    if let reset = quota.reset {
      parts.append(
        quota.isUsedUp
          ? "a quota, used up for \(words(reset))" : "a quota, renewed in \(words(reset))")
    }
    let rate = (hop.url.isLoopback ? nil : settings.gate.rate).map {
      "Telex sends at most \(Measures.counted($0.requests, "request")) in \(words($0.period))"
    }
    return .ok(
      "limits", "Limits", parts.isEmpty ? "the server names none" : parts.joined(separator: ", "),
      [rate].compactMap(\.self))
  }
}
