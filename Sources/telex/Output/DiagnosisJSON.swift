internal import News
internal import TelexKit
internal import Text

extension JSONOutput {
  static func measurements(_ found: AddressMeasurements) -> JSONOutput {
    [
      "url": .string(found.url), "addresses": .strings(found.addresses),
      "proxy": .string(found.proxy), "hops": .array(found.hops.map(hop)),
      "movedTo": .string(found.movedTo), "tls": tls(found.tls), "bytes": .number(found.bytes),
      "etag": .string(found.etag), "lastModified": .string(found.lastModified),
      "revalidation": .string(found.revalidation),
      "clockSkew": .number(found.clockSkew.map { Int64($0 / .seconds(1)) }),
      "document": document(found.document),
    ]
  }

  static func subscription(_ feed: Feed?) -> JSONOutput {
    guard let feed else { return .null }
    let state = feed.state
    return [
      "id": .number(feed.id.rawValue), "title": .string(feed.title),
      "total": .number(feed.counts.total), "updated": .date(state.lastSuccess),
      "attempted": .date(state.lastAttempt), "nextAttempt": .date(state.nextAttempt),
      "failingSince": .date(state.failing?.since), "failures": .number(state.failing?.count),
      "gone": .bool(state.isGone), "error": .error(state.error),
    ]
  }

  private static func hop(_ hop: AddressMeasurements.Hop) -> JSONOutput {
    func microseconds(_ duration: Duration) -> JSONOutput {
      .number(Int64(duration / .microseconds(1)))
    }
    return [
      "url": .string(hop.url), "status": .number(hop.status), "leadsTo": .string(hop.leadsTo),
      "permanent": .bool(hop.isPermanent), "leavesOrigin": .bool(hop.leavesOrigin),
      "protocol": .string(hop.httpVersion), "address": .string(hop.address),
      "reused": .bool(hop.isConnectionReused), "bytesReceived": .number(hop.bytesReceived),
      "encoding": .string(hop.encoding), "cacheControl": .string(hop.cacheControl),
      "retryAfter": .string(hop.retryAfter),
      "rateLimit": .string(hop.rateLimit),
      "microseconds": [
        "dns": microseconds(hop.dns), "connect": microseconds(hop.connect),
        "tls": microseconds(hop.tls), "firstByte": microseconds(hop.firstByte),
        "total": microseconds(hop.total),
      ],
    ]
  }

  private static func tls(_ session: AddressMeasurements.TLS?) -> JSONOutput {
    guard let session else { return .null }
    return [
      "version": .string(session.version), "cipher": .string(session.cipher),
      "subject": .string(session.subject), "issuer": .string(session.issuer),
      "names": .strings(session.names), "notBefore": .date(session.notBefore),
      "notAfter": .date(session.notAfter), "pin": .string(session.pin),
    ]
  }

  private static func document(_ document: AddressMeasurements.Document?) -> JSONOutput {
    guard let document else { return .null }
    let description = document.page?.description
    return [
      "kind": .string(document.kind), "format": .string(description?.format.rawValue),
      "title": .string(description?.title), "entries": .number(document.page?.entries.count),
      "minutesToLive": .number(description?.minutesToLive),
      "movedTo": .string(description?.movedTo.map(WebAddress.redacted)),
      "warnings": .strings(document.page?.warnings ?? []),
      "feeds": .strings(document.feeds.map { WebAddress.redacted($0.url) }),
    ]
  }
}

extension JSONOutput {
  static func finding(_ finding: Finding) -> JSONOutput {
    [
      "name": .string(finding.name), "state": .string(finding.state.rawValue),
      "finding": .string(finding.text), "details": .strings(finding.details),
      "next": .string(finding.next),
    ]
  }
}
