internal import Foundation
internal import HTTP
internal import News
internal import Services
internal import Text

/// A step of a request; the raw value is the name of its finding for scripts.
enum RequestPhase: String {
  case name, proxy, connection, tls, redirects, answer

  var label: String { self == .tls ? "TLS" : rawValue.capitalized }
}

/// Findings on the way to the server: name, connection and TLS; and redirects.
struct WayFindings {
  let diagnosis: Diagnosis
  let pins: PublicKeyPins
  /// The step that failed; nil where there was an answer.
  let phase: RequestPhase?
  let now: Date

  private var trace: HTTPTrace { diagnosis.trace }

  /// Up to the step that failed.
  var findings: [Finding] {
    var findings: [Finding] = []
    let isFirst = trace.hops.isEmpty
    if !(isFirst && phase == .name) { findings.append(nameFinding) }
    let reached = trace.hops.first?.metrics ?? trace.error?.metrics
    if let reached, reached.isConnected || !isFirst {
      findings.append(connectionFinding(reached))
    }
    findings += tlsFindings
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

  static func words(_ certificate: Certificate, now: Date) -> [String] {
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

  var redirectFinding: Finding {
    let details = redirects
    guard !details.isEmpty else { return .ok("redirects", "Redirects", "none") }
    let count = Measures.counted(details.count, "redirect")
    guard let stored = trace.permanentURL, diagnosis.problem == nil else {
      let isForGood = diagnosis.problem == nil && trace.hops.dropLast().allSatisfy(\.isPermanent)
      return .ok(
        "redirects", "Redirects",
        "\(count); the stored address stays"
          + (isForGood ? ", for whose server alone headers are set" : ""), details)
    }
    return .ok(
      "redirects", "Redirects",
      "\(count); the stored address becomes \(WebAddress.redacted(stored))", details)
  }

  var redirects: [String] {
    var isPermanent = true
    return trace.hops.compactMap { hop in
      guard let target = hop.leadsTo else { return nil }
      isPermanent = isPermanent && hop.isPermanent
      let origin = hop.leavesOrigin ? "; another origin, no credential goes there" : ""
      return "\(hop.head.status) to \(WebAddress.redacted(target.description)) "
        + (isPermanent ? "for good" : "for now") + origin
    }
  }

  private static func day(_ date: Date) -> String {
    String(ISO8601DateFormatter().string(from: date).prefix(10))
  }
}
