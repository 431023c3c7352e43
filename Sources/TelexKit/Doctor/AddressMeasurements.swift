package import Foundation
internal import HTTP
package import News
internal import Services
internal import Text

/// Measurements of a request to an address, for scripts.
package struct AddressMeasurements: Sendable {
  /// One request of a chain of redirects, with its response.
  package struct Hop: Sendable {
    fileprivate let hop: HTTPHop

    package var url: String { WebAddress.redacted(hop.url.description) }
    package var status: Int { hop.head.status }
    /// The target of a redirect; nil for the last hop.
    package var leadsTo: String? { hop.leadsTo.map { WebAddress.redacted($0.description) } }
    package var isPermanent: Bool { hop.leadsTo != nil && hop.isPermanent }
    package var leavesOrigin: Bool { hop.leavesOrigin }
    package var httpVersion: String { hop.metrics.httpVersion }
    package var address: String { hop.metrics.address }
    package var isConnectionReused: Bool { hop.metrics.isConnectionReused }
    /// Bytes of the body on the wire, before decompression.
    package var bytesReceived: Int { hop.metrics.bytesReceived }
    package var encoding: String? { hop.head.headers["Content-Encoding"] }
    package var cacheControl: String? { hop.head.headers["Cache-Control"] }
    package var retryAfter: String? { hop.head.headers["Retry-After"] }
    package var rateLimit: String? {
      ["RateLimit", "RateLimit-Remaining", "X-RateLimit-Remaining"].lazy
        .compactMap { hop.head.headers[$0] }.first
    }
    /// Phases of the exchange, each from its start; zero where a phase did not happen.
    package var dns: Duration { hop.metrics.dns }
    package var connect: Duration { hop.metrics.connect }
    package var tls: Duration { hop.metrics.tls }
    package var firstByte: Duration { hop.metrics.firstByte }
    package var total: Duration { hop.metrics.total }
  }

  /// TLS session with the certificate of the server.
  package struct TLS: Sendable {
    fileprivate let session: TLSSession

    package var version: String { session.version }
    package var cipher: String { session.cipher }
    package var subject: String? { session.certificate?.subject }
    package var issuer: String? { session.certificate?.issuer }
    package var names: [String] { session.certificate?.names ?? [] }
    package var notBefore: Date? { session.certificate?.notBefore }
    package var notAfter: Date? { session.certificate?.notAfter }
    /// The SHA-256 of the public key in base64.
    package var pin: String? { session.certificate?.pin }
  }

  /// The document at the address.
  package struct Document: Sendable {
    /// For scripts: `feed`, `api`, `page` or `other`.
    package let kind: String
    package let page: Page?
    /// The feeds that a page names.
    package let feeds: [FeedLink]
  }

  private let diagnosis: Diagnosis

  init(_ diagnosis: Diagnosis) { self.diagnosis = diagnosis }

  package var url: String { WebAddress.redacted(diagnosis.url) }
  /// The IP addresses of the host.
  package var addresses: [String] { (try? diagnosis.addresses?.get())?.map(\.text) ?? [] }
  /// The origin of the proxy; nil for none.
  package var proxy: String? { diagnosis.route.proxyOrigin }
  package var hops: [Hop] { diagnosis.trace.hops.map(Hop.init) }
  /// The target of the permanent redirects; nil for none.
  package var movedTo: String? { diagnosis.trace.permanentURL.map(WebAddress.redacted) }
  package var tls: TLS? { diagnosis.trace.hops.compactMap(\.metrics.tlsSession).last.map(TLS.init) }
  /// The size of the decompressed body; nil without a response.
  package var bytes: Int? { diagnosis.trace.response?.body.count }
  package var etag: String? { diagnosis.validators.etag }
  package var lastModified: String? { diagnosis.validators.lastModified }
  /// For scripts: the outcome of a conditional request.
  package var revalidation: String? { diagnosis.revalidation?.name }
  /// How far this machine's clock is ahead of the server's.
  package var clockSkew: Duration? { diagnosis.clockSkew }
  package var document: Document? { diagnosis.document.map(Document.init) }
}

extension AddressMeasurements.Document {
  fileprivate init(_ document: Diagnosis.Document) {
    switch document {
    case .feed(let page): self.init(kind: "feed", page: page, feeds: [])
    case .api(let result): self.init(kind: "api", page: try? result.get(), feeds: [])
    case .page(let links, _): self.init(kind: "page", page: nil, feeds: links)
    case .unreadable: self.init(kind: "other", page: nil, feeds: [])
    }
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
