internal import Foundation
internal import HTTP
internal import News
internal import Services
internal import Text

/// What a diagnosis means, step by step. Pure.
struct AddressFindings {
  let diagnosis: Diagnosis
  let pins: PublicKeyPins
  /// The subscription at this address, if there is one.
  let feed: Feed?
  /// Who is signed in at its origin.
  let account: SignIn?
  let now: Date

  /// More than that and signatures, certificates and the order of the articles go wrong.
  static let largestSkew: Duration = .seconds(300)

  var groups: [[Finding]] {
    guard let problem = diagnosis.problem, let phase else { return [way, answer, state] }
    let failure = Finding(
      name: phase.name, label: phase.label, state: .failed, text: problem.message.withoutStop,
      details: details(of: problem), next: next(problem))
    return [way + [failure], state]
  }

  /// The setting that ties the host to the key it has now.
  var footer: [String] {
    guard let certificate = lastCertificate, let host = diagnosis.trace.hops.last?.url.host,
      !pins.arePinned(for: host)
    else { return [] }
    return [
      "To pin its key, beside the pin of one kept in reserve:", "[network.pins]",
      "\"\(host)\" = [\"\(certificate.pin)\", \"…\"]",
    ]
  }

  private var trace: HTTPTrace { diagnosis.trace }

  private var lastCertificate: Certificate? {
    guard let last = trace.hops.last?.url.origin else { return nil }
    return trace.hops.last { $0.url.origin == last && $0.metrics.tlsSession != nil }?
      .metrics.tlsSession?.certificate
  }

  // MARK: Where it ended

  private enum Phase {
    case name, proxy, connection, tls, redirects, answer

    var name: String {
      switch self {
      case .name: "name"
      case .proxy: "proxy"
      case .connection: "connection"
      case .tls: "tls"
      case .redirects: "redirects"
      case .answer: "answer"
      }
    }

    var label: String {
      switch self {
      case .name: "Name"
      case .proxy: "Proxy"
      case .connection: "Connection"
      case .tls: "TLS"
      case .redirects: "Redirects"
      case .answer: "Answer"
      }
    }
  }

  /// The step at which there was no going on; nil where there was an answer.
  private var phase: Phase? {
    guard let error = trace.error else { return nil }
    let metrics = error.metrics ?? HTTPMetrics()
    switch error.kind {
    case .dns: return .name
    case .proxy: return .proxy
    case .offline, .refused, .addressNotAllowed: return .connection
    case .tls: return .tls
    case .timeout where metrics.firstByte == .zero:
      if metrics.dns == .zero, case .failure? = diagnosis.addresses { return .name }
      if !metrics.isConnected { return .connection }
      return isSecureAtEnd && metrics.tls == .zero ? .tls : .answer
    case .cutShort where isSecureAtEnd && metrics.tls == .zero: return .tls
    case .tooManyRedirects, .redirectLoop, .insecureRedirect: return .redirects
    default: return .answer
    }
  }

  private func details(of problem: SourceError) -> [String] {
    if phase == .redirects { return redirects }
    var details: [String] = []
    // Where it was sent by a redirect, the host in the message is not the one that was asked.
    if let place = trace.failedAt, !trace.hops.isEmpty {
      details.append("at \(WebAddress.redacted(place.description))")
    }
    guard let shown = diagnosis.refusedCertificate else { return details }
    details += Self.words(shown, now: now)
    if diagnosis.tlsFailure == .wrongName {
      let more = shown.names.count > 4 ? " and \(shown.names.count - 4) more" : ""
      details.append("it is for \(shown.names.prefix(4).joined(separator: ", "))\(more)")
    }
    if diagnosis.tlsFailure == .pin { details.append("its key has the pin \(shown.pin)") }
    return details
  }

  private var isSecureAtEnd: Bool { trace.failedAt?.isSecure ?? diagnosis.isSecure }

  private func next(_ problem: SourceError) -> String? {
    guard let next = problem.next else { return nil }
    return next.replacing("login URL", with: "login \(WebAddress.redacted(diagnosis.url))")
  }

  // MARK: On the way

  /// Up to where there was no going on.
  private var way: [Finding] {
    var findings: [Finding] = []
    let isFirst = trace.hops.isEmpty
    if !(isFirst && phase == .name) { findings.append(nameFinding) }
    let reached = trace.hops.first?.metrics ?? trace.error?.metrics
    if let reached, reached.isConnected || !isFirst {
      findings.append(connectionFinding(reached))
    }
    findings += tlsFindings
    if !trace.hops.isEmpty, phase != .redirects { findings.append(redirectFinding) }
    return findings
  }

  private var nameFinding: Finding {
    let host = diagnosis.host
    switch diagnosis.addresses {
    case nil where diagnosis.route != .direct:
      return .skipped("name", "Name", "\(host) is looked up by the proxy")
    case nil: return .skipped("name", "Name", "\(host) is a number and needs no lookup")
    case .failure(let error)?:
      return .failed("name", "Name", error.message, next: error.next)
    case .success(let addresses)?:
      let shown = addresses.prefix(4).map(\.text).joined(separator: ", ")
      let more = addresses.count > 4 ? " and \(addresses.count - 4) more" : ""
      return .ok("name", "Name", "\(host) is \(shown)\(more)")
    }
  }

  private func connectionFinding(_ metrics: HTTPMetrics) -> Finding {
    switch diagnosis.route {
    case .direct:
      .ok("connection", "Connection", "to \(metrics.address), directly")
    case .via:
      .ok("connection", "Connection", "by the proxy \(diagnosis.route.proxyOrigin ?? "")")
    }
  }

  /// One for each origin that was met.
  private var tlsFindings: [Finding] {
    guard trace.hops.contains(where: \.url.isSecure) else {
      return trace.hops.isEmpty
        ? [] : [.skipped("tls", "TLS", "none: whoever is on the way can read and change this")]
    }
    return trace.hops.filter { $0.metrics.tlsSession != nil }.map { hop in
      let session = hop.metrics.tlsSession ?? TLSSession()
      return finding(session, at: hop.url)
    }
  }

  private func finding(_ session: TLSSession, at url: HTTPURL) -> Finding {
    let pinned = pins.arePinned(for: url.host) ? "its key is one of those pinned" : nil
    let agreed = [session.version, session.cipher].filter { !$0.isEmpty }.joined(separator: ", ")
    guard let certificate = session.certificate else {
      return .ok("tls", "TLS", agreed, [pinned].compactMap { $0 })
    }
    let days = Int((certificate.notAfter.timeIntervalSince(now) / 86_400).rounded(.down))
    let details = Self.words(certificate, now: now) + [pinned].compactMap { $0 }
    let text = agreed.isEmpty ? "the certificate is valid for \(url.host)" : agreed
    guard days < 10 else { return .ok("tls", "TLS", text, details) }
    return .attention(
      "tls", "TLS", text, details,
      next: "the people who run the server have to renew the certificate")
  }

  private static func words(_ certificate: Certificate, now: Date) -> [String] {
    let issuer = certificate.isSelfIssued ? "itself" : certificate.issuer
    let (start, end) = (certificate.notBefore, certificate.notAfter)
    let seconds = Int64(end.timeIntervalSince(now))
    let validity =
      start > now
      ? "valid from \(day(start)) on"
      : end < now
        ? "valid until \(day(end)), \(Measures.long(seconds: seconds)) ago"
        : "valid until \(day(end)), for another \(Measures.long(seconds: seconds))"
    return ["certificate of \(certificate.subject), signed by \(issuer)", validity]
  }

  private var redirectFinding: Finding {
    let details = redirects
    guard !details.isEmpty else { return .ok("redirects", "Redirects", "none") }
    let count = Measures.counted(details.count, "redirect")
    guard let stored = trace.permanentURL, diagnosis.problem == nil else {
      return .ok("redirects", "Redirects", "\(count); the stored address stays", details)
    }
    return .ok(
      "redirects", "Redirects",
      "\(count); the stored address becomes \(WebAddress.redacted(stored))", details)
  }

  /// A line for each.
  private var redirects: [String] {
    var isPermanent = true
    return trace.hops.compactMap { hop in
      guard let target = hop.leadsTo else { return nil }
      isPermanent = isPermanent && hop.isPermanent
      let origin = hop.leavesOrigin ? "; another origin, no credential goes there" : ""
      return "\(hop.head.status) to \(WebAddress.redacted(target.description)) "
        + (isPermanent ? "for good" : "for now") + origin
    }
  }

  // MARK: The answer

  private var answer: [Finding] {
    guard let last = trace.hops.last else { return [] }
    var findings = [statusFinding(last), timeFinding(last), bodyFinding(last)]
    if diagnosis.problem == nil {
      if case .feed? = diagnosis.document {
        findings += [validatorFinding, freshnessFinding(last.head)]
      }
      findings.append(documentFinding)
      if let moveFinding { findings.append(moveFinding) }
    } else if case .page? = diagnosis.document {
      findings.append(documentFinding)
    }
    findings.append(clockFinding)
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
      details: ["\(text)"] + details, next: next(problem))
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

  private func bodyFinding(_ hop: HTTPHop) -> Finding {
    let wire = Int64(hop.metrics.bytesReceived)
    guard let encoding = hop.head.headers["Content-Encoding"], encoding != "identity" else {
      return .ok("body", "Body", "\(Measures.bytes(wire)), not compressed")
    }
    let size = Measures.bytes(Int64(trace.body.count))
    return .ok("body", "Body", "\(Measures.bytes(wire)) of \(encoding), \(size) unpacked")
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

  private func freshnessFinding(_ head: HTTPResponseHead) -> Finding {
    guard case .feed(let page)? = diagnosis.document else {
      return .skipped("freshness", "Freshness", "")
    }
    let control = CacheControl(head.headers)
    var parts: [String] = []
    if let age = control.maxAge { parts.append("max-age \(Measures.long(seconds: Int64(age)))") }
    if control.isNoStore { parts.append("no-store") }
    if control.isNoCache { parts.append("no-cache") }
    if let minutes = page.description?.minutesToLive, minutes > 0 {
      parts.append("a refresh by itself waits \(Measures.long(seconds: Int64(minutes) * 60))")
    }
    return .ok(
      "freshness", "Freshness",
      parts.isEmpty
        ? "the server asks for nothing"
        : parts.joined(
          separator: ", "))
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
      return .failed("document", label, "the Feed API: \(error.message)", next: next(error))
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
        next: feed == nil
          ? "telex add \(WebAddress.redacted(diagnosis.url))"
          : "e in the health view (H) moves the feed there")
    case .unreadable(let error)?:
      return .failed("document", label, error.message, next: error.next)
    case nil: return .skipped("document", label, "there is none")
    }
  }

  /// Where the feed says that it has moved to: nobody but the reader moves it.
  private var moveFinding: Finding? {
    guard case .feed(let page)? = diagnosis.document, let claimed = page.description?.movedTo,
      let target = WebAddress.move(from: trace.permanentURL ?? diagnosis.url, to: claimed)
    else { return nil }
    let shown = WebAddress.redacted(target)
    return .attention(
      "moved", "Moved?", "the feed says that it has moved to \(shown)",
      next: feed == nil ? "telex add \(shown)" : "m in the health view (H) moves it there")
  }

  private static func words(_ page: Page) -> String {
    let kind =
      switch page.description?.format {
      case .rss?: "RSS"
      case .rdf?: "RDF"
      case .atom?: "Atom"
      case .json?: "JSON Feed"
      case .api?: "the Feed API"
      case nil: "a feed"
      }
    let title = page.description?.title.map { " “\($0)”" } ?? ""
    let more = page.nextCursor == nil ? "" : ", older pages follow"
    let entries = page.entries.count == 1 ? "1 entry" : "\(page.entries.count) entries"
    return "\(kind)\(title), \(entries)\(more)"
  }

  private var clockFinding: Finding {
    Self.clock(diagnosis.clockSkew.map { (diagnosis.host, $0) })
  }

  /// How this machine's clock compares with a server's.
  static func clock(_ found: (host: String, skew: Duration)?) -> Finding {
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

  // MARK: What is known here

  private var state: [Finding] { [signInFinding] + (feed.map { [feedFinding($0)] } ?? []) }

  private var signInFinding: Finding {
    if feed?.signIn != nil {
      return .ok("sign-in", "Sign-in", "with a name and password of this feed alone")
    }
    guard let account else {
      return .skipped("sign-in", "Sign-in", "none at this origin")
    }
    let kind =
      switch account.scheme {
      case .bearer: "tokens of the Feed API"
      case .basic: "name and password"
      case .apiKey(let header): "a key in \(header)"
      }
    return .ok("sign-in", "Sign-in", "with \(kind)")
  }

  private func feedFinding(_ feed: Feed) -> Finding {
    let state = feed.state
    var details: [String] = []
    if let date = state.lastAttempt { details.append("tried \(Measures.age(of: date, at: now))") }
    if let date = state.lastSuccess { details.append("worked \(Measures.age(of: date, at: now))") }
    if let next = state.nextAttempt, next > now {
      let wait = Measures.long(seconds: Int64(next.timeIntervalSince(now)))
      details.append("not asked by itself for \(wait)")
    }
    let text = "number \(feed.id.rawValue), \(feed.counts.total) articles"
    let known = [details.joined(separator: ", ")].filter { !$0.isEmpty }
    if state.isGone {
      return .attention(
        "feed", "Subscribed", text + ", gone for good", known,
        next: "telex remove \(feed.id.rawValue)")
    }
    guard let error = state.error else { return .ok("feed", "Subscribed", text, known) }
    var failing = "the last refresh failed"
    if let run = state.failing {
      failing =
        "failing for \(Measures.span(since: run.since, at: now)), "
        + Measures.counted(run.count, "time")
    }
    return .attention(
      "feed", "Subscribed", text, ["\(failing): \(error.message.withoutStop)"] + known,
      next: isWorthRefreshing ? "telex refresh \(feed.id.rawValue)" : nil)
  }

  /// Whether there is a feed now.
  private var isWorthRefreshing: Bool {
    switch diagnosis.document {
    case .feed?, .api(.success)?: true
    case .api(.failure)?, .page?, .unreadable?, nil: false
    }
  }

  private static func day(_ date: Date) -> String {
    String(ISO8601DateFormatter().string(from: date).prefix(10))
  }
}
