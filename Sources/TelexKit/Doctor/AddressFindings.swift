internal import Foundation
internal import HTTP
internal import News
internal import Services
internal import Text

/// Findings of a diagnosis, step by step. Pure.
struct AddressFindings {
  let diagnosis: Diagnosis
  let settings: Settings
  let feed: Feed?
  let account: SignIn?
  let now: Date

  var groups: [[Finding]] {
    guard let problem = diagnosis.problem, let phase else {
      return [
        way.findings, answer.findings, subscription.findings,
        [way.redirectFinding] + manners.findings,
      ]
    }
    let failure = Finding(
      name: phase.rawValue, label: phase.label, state: .failed, text: problem.message.withoutStop,
      details: details(of: problem), next: diagnosis.next(problem))
    let redirects = trace.hops.isEmpty || phase == .redirects ? [] : [way.redirectFinding]
    return [way.findings + [failure], subscription.findings, redirects]
  }

  /// The setting that ties the host to the key it has now.
  var footer: [String] {
    guard let certificate = lastCertificate, let host = diagnosis.trace.hops.last?.url.host,
      !settings.pins.arePinned(for: host)
    else { return [] }
    return [
      "To pin its key, beside the pin of one kept in reserve:", "[network.pins]",
      "\"\(host)\" = [\"\(certificate.pin)\", \"…\"]",
    ]
  }

  private var trace: HTTPTrace { diagnosis.trace }

  private var way: WayFindings {
    WayFindings(diagnosis: diagnosis, pins: settings.pins, phase: phase, now: now)
  }

  private var answer: AnswerFindings {
    AnswerFindings(diagnosis: diagnosis, isSubscribed: feed != nil, now: now)
  }

  private var manners: MannerFindings {
    MannerFindings(diagnosis: diagnosis, settings: settings, feed: feed, now: now)
  }

  private var subscription: SubscriptionFindings {
    SubscriptionFindings(diagnosis: diagnosis, feed: feed, account: account, now: now)
  }

  private var lastCertificate: Certificate? {
    guard let last = trace.hops.last?.url.origin else { return nil }
    return trace.hops.last { $0.url.origin == last && $0.metrics.tlsSession != nil }?
      .metrics.tlsSession?.certificate
  }

  // MARK: Where it ended

  /// The step that failed; nil where there was an answer.
  private var phase: RequestPhase? {
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
    if phase == .redirects { return way.redirects }
    var details: [String] = []
    // Where it was sent by a redirect, the host in the message is not the one that was asked.
    if let place = trace.failedAt, !trace.hops.isEmpty {
      details.append("at \(WebAddress.redacted(place.description))")
    }
    guard let shown = diagnosis.refusedCertificate else { return details }
    details += WayFindings.words(shown, now: now)
    if diagnosis.tlsFailure == .wrongName {
      let more = shown.names.count > 4 ? " and \(shown.names.count - 4) more" : ""
      details.append("it is for \(shown.names.prefix(4).joined(separator: ", "))\(more)")
    }
    if diagnosis.tlsFailure == .pin { details.append("its key has the pin \(shown.pin)") }
    return details
  }

  private var isSecureAtEnd: Bool { trace.failedAt?.isSecure ?? diagnosis.isSecure }
}

extension Diagnosis {
  /// The next step for a problem, with the address that was asked.
  func next(_ problem: SourceError) -> String? {
    guard let next = problem.next else { return nil }
    return next.replacing("login URL", with: "login \(WebAddress.redacted(url))")
  }
}
