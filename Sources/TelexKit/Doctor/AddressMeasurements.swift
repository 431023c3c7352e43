package import Foundation
internal import HTTP
package import News
internal import Services
internal import Text

/// Measurements of a request to an address, for scripts.
package struct AddressMeasurements: Sendable {
  /// One request of a chain of redirects, with its response.
  package struct Hop: Sendable {
    package let url: String
    package let status: Int
    /// The target of a redirect; nil for the last hop.
    package let leadsTo: String?
    /// Whether the redirect is permanent (301, 308).
    package let isPermanent: Bool
    /// Whether the redirect leads to another origin.
    package let leavesOrigin: Bool
    /// A version such as `HTTP/1.1` or `HTTP/2`.
    package let httpVersion: String
    /// The IP address of the server or proxy.
    package let address: String
    package let isConnectionReused: Bool
    /// Bytes of the body on the wire, before decompression.
    package let bytesReceived: Int
    /// Content-Encoding.
    package let encoding: String?
    package let cacheControl: String?
    package let retryAfter: String?
    /// Phases of the exchange, each from its start; zero where a phase did not happen.
    package let dns: Duration
    package let connect: Duration
    package let tls: Duration
    package let firstByte: Duration
    package let total: Duration
  }

  /// TLS session with the certificate of the server.
  package struct TLS: Sendable {
    package let version: String
    package let cipher: String
    package let subject: String?
    package let issuer: String?
    package let names: [String]
    package let notBefore: Date?
    package let notAfter: Date?
    /// The SHA-256 of the public key in base64.
    package let pin: String?
  }

  /// The document at the address.
  package struct Document: Sendable {
    /// For scripts: `feed`, `api`, `page` or `other`.
    package let kind: String
    /// The page of a feed; nil for other documents.
    package let page: Page?
    /// The feeds that a page names.
    package let feeds: [FeedLink]
  }

  package let url: String
  /// The IP addresses that the host name resolves to.
  package let addresses: [String]
  /// The origin of the proxy; nil for none.
  package let proxy: String?
  package let hops: [Hop]
  /// The target of the permanent redirects; nil for none.
  package let movedTo: String?
  package let tls: TLS?
  /// The size of the decompressed body; nil without a response.
  package let bytes: Int?
  package let etag: String?
  package let lastModified: String?
  /// For scripts: the outcome of a conditional request.
  package let revalidation: String?
  /// How far this machine's clock is ahead of the server's.
  package let clockSkew: Duration?
  package let document: Document?

  init(_ diagnosis: Diagnosis) {
    let trace = diagnosis.trace
    url = WebAddress.redacted(diagnosis.url)
    addresses = if case .success(let found)? = diagnosis.addresses { found.map(\.text) } else { [] }
    proxy = diagnosis.route.proxyOrigin
    hops = trace.hops.map(Hop.init)
    movedTo = trace.permanentURL.map(WebAddress.redacted)
    tls = trace.hops.last { $0.metrics.tlsSession != nil }?.metrics.tlsSession.map(TLS.init)
    bytes = trace.response?.body.count
    etag = diagnosis.validators.etag
    lastModified = diagnosis.validators.lastModified
    revalidation = diagnosis.revalidation?.name
    clockSkew = diagnosis.clockSkew
    document = diagnosis.document.map(Document.init)
  }
}

extension AddressMeasurements.Hop {
  fileprivate init(_ hop: HTTPHop) {
    let (metrics, headers) = (hop.metrics, hop.head.headers)
    url = WebAddress.redacted(hop.url.description)
    status = hop.head.status
    leadsTo = hop.leadsTo.map { WebAddress.redacted($0.description) }
    isPermanent = hop.leadsTo != nil && hop.isPermanent
    leavesOrigin = hop.leavesOrigin
    httpVersion = metrics.httpVersion
    address = metrics.address
    isConnectionReused = metrics.isConnectionReused
    bytesReceived = metrics.bytesReceived
    encoding = headers["Content-Encoding"]
    cacheControl = headers["Cache-Control"]
    retryAfter = headers["Retry-After"]
    (dns, connect, tls) = (metrics.dns, metrics.connect, metrics.tls)
    (firstByte, total) = (metrics.firstByte, metrics.total)
  }
}

extension AddressMeasurements.TLS {
  fileprivate init(_ session: TLSSession) {
    let certificate = session.certificate
    version = session.version
    cipher = session.cipher
    subject = certificate?.subject
    issuer = certificate?.issuer
    names = certificate?.names ?? []
    notBefore = certificate?.notBefore
    notAfter = certificate?.notAfter
    pin = certificate?.pin
  }
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
