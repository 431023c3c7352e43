internal import Foundation
internal import HTTP
internal import News
internal import Services
internal import TelexKit
internal import Text

extension JSONValue {
  /// What a diagnosis measured, beside the findings.
  static func diagnosis(_ diagnosis: Diagnosis) -> [(String, JSONValue)] {
    let trace = diagnosis.trace
    var addresses: [String] = []
    if case .success(let found)? = diagnosis.addresses { addresses = found.map(\.text) }
    let proxy = diagnosis.route.proxyOrigin
    let session = trace.hops.last { $0.metrics.tlsSession != nil }?.metrics.tlsSession
    return [
      ("url", .string(WebAddress.redacted(diagnosis.url))), ("addresses", .strings(addresses)),
      ("proxy", .string(proxy)), ("hops", .array(trace.hops.map(hop))),
      ("movedTo", .string(trace.permanentURL.map(WebAddress.redacted))), ("tls", tls(session)),
      ("bytes", .number(trace.response.map { Int64($0.body.count) })),
      ("etag", .string(diagnosis.validators.etag)),
      ("lastModified", .string(diagnosis.validators.lastModified)),
      ("revalidation", .string(diagnosis.revalidation?.name)),
      ("clockSkew", .number(diagnosis.clockSkew.map { Int64($0 / .seconds(1)) })),
      ("document", document(diagnosis.document)),
    ]
  }

  /// A subscription as the store knows it.
  static func subscription(_ feed: Feed?) -> JSONValue {
    guard let feed else { return .null }
    let state = feed.state
    return .object([
      ("id", .number(feed.id.rawValue)), ("title", .string(feed.title)),
      ("total", .number(feed.counts.total)), ("updated", .date(state.lastSuccess)),
      ("attempted", .date(state.lastAttempt)), ("nextAttempt", .date(state.nextAttempt)),
      ("failingSince", .date(state.failing?.since)), ("failures", .number(state.failing?.count)),
      ("gone", .bool(state.isGone)), ("error", .error(state.error)),
    ])
  }

  private static func hop(_ hop: HTTPHop) -> JSONValue {
    let metrics = hop.metrics
    func microseconds(_ duration: Duration) -> JSONValue {
      .number(Int64(duration / .microseconds(1)))
    }
    return .object([
      ("url", .string(WebAddress.redacted(hop.url.description))),
      ("status", .number(hop.head.status)),
      ("leadsTo", .string(hop.leadsTo.map { WebAddress.redacted($0.description) })),
      ("permanent", .bool(hop.leadsTo != nil && hop.isPermanent)),
      ("leavesOrigin", .bool(hop.leavesOrigin)),
      ("protocol", .string(metrics.httpVersion)), ("address", .string(metrics.address)),
      ("reused", .bool(metrics.isConnectionReused)),
      ("bytesReceived", .number(metrics.bytesReceived)),
      ("encoding", .string(hop.head.headers["Content-Encoding"])),
      ("cacheControl", .string(hop.head.headers["Cache-Control"])),
      ("retryAfter", .string(hop.head.headers["Retry-After"])),
      (
        "microseconds",
        .object([
          ("dns", microseconds(metrics.dns)), ("connect", microseconds(metrics.connect)),
          ("tls", microseconds(metrics.tls)), ("firstByte", microseconds(metrics.firstByte)),
          ("total", microseconds(metrics.total)),
        ])
      ),
    ])
  }

  private static func tls(_ session: TLSSession?) -> JSONValue {
    guard let session else { return .null }
    let certificate = session.certificate
    return .object([
      ("version", .string(session.version)), ("cipher", .string(session.cipher)),
      ("subject", .string(certificate?.subject)), ("issuer", .string(certificate?.issuer)),
      ("names", .strings(certificate?.names ?? [])),
      ("notBefore", .date(certificate?.notBefore)), ("notAfter", .date(certificate?.notAfter)),
      ("pin", .string(certificate?.pin)),
    ])
  }

  private static func document(_ document: Diagnosis.Document?) -> JSONValue {
    func object(_ kind: String, _ page: Page?, feeds: [FeedLink] = []) -> JSONValue {
      .object([
        ("kind", .string(kind)), ("format", .string(page?.description?.format.rawValue)),
        ("title", .string(page?.description?.title)), ("entries", .number(page?.entries.count)),
        ("minutesToLive", .number(page?.description?.minutesToLive)),
        ("movedTo", .string(page?.description?.movedTo.map(WebAddress.redacted))),
        ("warnings", .strings(page?.warnings ?? [])),
        ("feeds", .strings(feeds.map { WebAddress.redacted($0.url) })),
      ])
    }
    switch document {
    case .feed(let page)?: return object("feed", page)
    case .api(let result)?: return object("api", try? result.get())
    case .page(let links, _)?: return object("page", nil, feeds: links)
    case .unreadable?: return object("other", nil)
    case nil: return .null
    }
  }
}

extension JSONValue {
  package static func finding(_ finding: Finding) -> JSONValue {
    .object([
      ("name", .string(finding.name)), ("state", .string(finding.state.rawValue)),
      ("finding", .string(finding.text)), ("details", .strings(finding.details)),
      ("next", .string(finding.next)),
    ])
  }
}

extension Diagnosis.Revalidation {
  fileprivate var name: String {
    switch self {
    case .notModified: "notModified"
    case .sentAgain: "sentAgain"
    case .changed: "changed"
    case .status: "status"
    case .failed: "failed"
    }
  }
}
