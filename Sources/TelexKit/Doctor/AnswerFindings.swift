internal import Foundation
internal import HTTP
internal import News
internal import Services
internal import Text

/// Findings in the answer of the server: status, times, and the document.
struct AnswerFindings {
  let diagnosis: Diagnosis
  let isSubscribed: Bool
  let now: Date

  private var trace: HTTPTrace { diagnosis.trace }

  var findings: [Finding] {
    guard let last = trace.hops.last else { return [] }
    var findings = [statusFinding(last), timeFinding(last)]
    if diagnosis.problem == nil {
      findings.append(documentFinding)
      if let moveFinding { findings.append(moveFinding) }
    } else if case .page? = diagnosis.document {
      findings.append(documentFinding)
    }
    findings.append(
      ClockFinding.finding(diagnosis.clockSkew.map { (diagnosis.host, $0) }))
    return findings
  }

  private func statusFinding(_ hop: HTTPHop) -> Finding {
    let text = "\(hop.head.status) over \(hop.metrics.httpVersion)"
    guard let problem = diagnosis.problem else { return .ok("answer", "Answer", text) }
    var details: [String] = []
    if let wait = RetryAfter.wait(hop.head.headers, now: now) {
      let seconds = Int64(wait / .seconds(1))
      details = ["it asks to be left alone for \(Measures.long(seconds: seconds))"]
    }
    return Finding(
      name: "answer", label: "Answer", state: .failed, text: problem.message.withoutStop,
      details: ["\(text)"] + details, next: diagnosis.next(problem))
  }

  private func timeFinding(_ hop: HTTPHop) -> Finding {
    let metrics = hop.metrics
    let phases = [
      ("name", metrics.dns), ("connected", metrics.connect), ("TLS", metrics.tls),
      ("first byte", metrics.firstByte), ("all", metrics.total),
    ].filter { $0.1 > .zero }.map { "\($0.0) \(Measures.milliseconds($0.1))" }
    let reuse = metrics.isConnectionReused ? ["on the connection of the hop before"] : []
    return .ok("time", "Time", phases.joined(separator: " · ") + " ms", reuse)
  }

  private var documentFinding: Finding {
    let label = "Document"
    switch diagnosis.document {
    case .feed(let page)?:
      let text = Self.words(page)
      guard !page.warnings.isEmpty else { return .ok("document", label, text) }
      return .attention(
        "document", label, text, page.warnings.prefix(5).map { $0 },
        next: "tell the people who write it; what could be read is shown")
    case .api(.success(let page))?: return .ok("document", label, Self.words(page))
    case .api(.failure(let error))?:
      return .failed(
        "document", label, "the Feed API: \(error.message)", next: diagnosis.next(error))
    case .page(let links, let error)?:
      let names = links.prefix(5).map { WebAddress.redacted($0.url) }
      let count = Measures.counted(links.count, "feed")
      if let error {
        return .failed(
          "document", label, "a page that names \(count): \(error.message)", names,
          next: error.next)
      }
      return .attention(
        "document", label,
        links.first?.foundAt.map {
          "there is none, but \(WebAddress.redacted($0)) leads to \(count)"
        }
          ?? "a page that leads to \(count)", names,
        next: !isSubscribed
          ? "telex add \(WebAddress.redacted(diagnosis.url))"
          : "c in Health (H) changes the address")
    case .unreadable(let error)?:
      return .failed("document", label, error.message, next: error.next)
    case nil: return .ok("document", label, "none: the server says that nothing is new")
    }
  }

  /// Where the feed says that it has moved to: nobody but the user moves it.
  private var moveFinding: Finding? {
    guard case .feed(let page)? = diagnosis.document, let claimed = page.description?.movedTo,
      let target = WebAddress.move(from: trace.permanentURL ?? diagnosis.url, to: claimed)
    else { return nil }
    let shown = WebAddress.redacted(target)
    return .attention(
      "moved", "Moved?", "the feed says that it has moved to \(shown)",
      next: !isSubscribed ? "telex add \(shown)" : "x in Health (H) moves it there")
  }

  private static func words(_ page: Page) -> String {
    let kind =
      switch page.description?.format {
      case .rss?: "RSS"
      case .rdf?: "RDF"
      case .atom?: "Atom"
      case .json?: "JSON Feed"
      case .api?: "the Feed API"
      case .graphQL?: "GraphQL"
      case .grpc?: "gRPC"
      case .page?: "a page"
      case nil: "a feed"
      }
    let title = page.description?.title.map { " “\($0)”" } ?? ""
    let more = page.nextCursor == nil ? "" : ", older pages follow"
    let entries = page.entries.count == 1 ? "1 entry" : "\(page.entries.count) entries"
    return "\(kind)\(title), \(entries)\(more)"
  }
}

enum ClockFinding {
  /// More than that and signatures, certificates and the order of the articles go wrong.
  private static let largestSkew: Duration = .seconds(300)

  static func finding(_ found: (host: String, skew: Duration)?) -> Finding {
    guard let found else { return .skipped("clock", "Clock", "no server told the time") }
    let seconds = Int64(found.skew / .seconds(1))
    guard abs(seconds) > Int64(largestSkew / .seconds(1)) else {
      return .ok(
        "clock", "Clock",
        abs(seconds) < 2
          ? "agrees with \(found.host)"
          : "within \(Measures.long(seconds: seconds)) of \(found.host)")
    }
    #if os(Linux)
      let command = "set this machine's clock: timedatectl set-ntp true"
    #else
      let command = "let this machine set its clock by itself, in its settings"
    #endif
    return .attention(
      "clock", "Clock",
      "this machine is \(Measures.long(seconds: seconds)) \(seconds > 0 ? "ahead of" : "behind") "
        + found.host, next: command)
  }
}
