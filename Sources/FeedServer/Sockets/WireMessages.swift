/// A request as it came over the wire.
package struct WireRequest: Sendable {
  package let method: String
  /// The request target, byte for byte: path and query, still percent-encoded.
  package let target: String
  /// In the order they came. Look one up with `header(_:)`.
  package let headers: [(name: String, value: String)]
  package let body: [UInt8]
  /// The request line and the headers as they came, with the empty line that ends them; they need not
  /// be UTF-8.
  package let head: [UInt8]
  /// When the last byte of it had arrived.
  package let arrived: ContinuousClock.Instant
  /// Counts the connections of a server from 1, so that a test can tell reuse from a new one.
  package let connection: Int

  /// The path, still percent-encoded, without the query.
  package var path: Substring { target.prefix { $0 != "?" } }

  /// The first header of that name, whatever its case (RFC 9110 §5.1).
  package func header(_ name: String) -> String? {
    headers.first { $0.name.isASCIIEqualIgnoringCase(to: name) }?.value
  }

  /// The decoded value of a query parameter; nil where it is absent or wrongly encoded.
  package func query(_ name: String) -> String? {
    guard let mark = target.firstIndex(of: "?") else { return nil }
    for pair in target[target.index(after: mark)...].split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts[0].percentDecoded(plusIsSpace: true) == name else { continue }
      return parts.count > 1 ? parts[1].percentDecoded(plusIsSpace: true) : ""
    }
    return nil
  }

  /// Whether the client wants the connection kept (RFC 9112 §9.3).
  var keepsAlive: Bool { header("Connection")?.isASCIIEqualIgnoringCase(to: "close") != true }
}

/// A whole answer, before anything is done to it on the wire.
package struct WireReply: Sendable, Equatable {
  package var status: Int
  /// Without `Content-Length`, which `bytes(for:)` adds.
  package var headers: [(name: String, value: String)]
  package var body: [UInt8]
  /// What follows the head comes later, and ends with the connection.
  package var isOpenEnded = false
  /// A body of unknown length in the place of `body`, piece by piece: called with 0, 1, 2 … until it
  /// gives nil.
  package var stream: (@Sendable (_ number: Int) -> [UInt8]?)?

  package init(
    status: Int = 200, headers: [(name: String, value: String)] = [],
    stream: @escaping @Sendable (_ number: Int) -> [UInt8]?
  ) {
    self.init(status: status, headers: headers)
    self.stream = stream
  }

  package init(
    status: Int = 200, headers: [(name: String, value: String)] = [], body: [UInt8] = []
  ) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  package init(
    status: Int = 200, type: String, headers: [(name: String, value: String)] = [], text: String
  ) {
    self.init(
      status: status, headers: [("Content-Type", type)] + headers, body: Array(text.utf8))
  }

  package static func == (a: WireReply, b: WireReply) -> Bool {
    a.status == b.status && a.body == b.body && a.isOpenEnded == b.isOpenEnded
      && a.headers.elementsEqual(b.headers, by: ==)
  }

  package subscript(header name: String) -> String? {
    get { headers.first { $0.name.isASCIIEqualIgnoringCase(to: name) }?.value }
    set {
      headers.removeAll { $0.name.isASCIIEqualIgnoringCase(to: name) }
      if let newValue { headers.append((name, newValue)) }
    }
  }

  /// The status line and the headers, with the empty line that ends them.
  ///
  /// - Parameter length: what `Content-Length` says, if that is not the body's own length.
  package func head(length: Int? = nil) -> [UInt8] {
    var text = "HTTP/1.1 \(status) \(Self.phrase(of: status))\r\n"
    for (name, value) in headers { text += "\(name): \(value)\r\n" }
    // RFC 9110 §8.6: none on a 204; a 304 would have to name the length of what it leaves out.
    if stream != nil {
      text += "Transfer-Encoding: chunked\r\n"
    } else if status != 204 && status != 304 && !isOpenEnded {
      text += "Content-Length: \(length ?? body.count)\r\n"
    }
    text += "\r\n"
    return Array(text.utf8)
  }

  /// The answer as it goes out to a request of `method`: a HEAD gets the head alone.
  package func bytes(for method: String = "GET") -> [UInt8] {
    method == "HEAD" || status == 304 || status == 204 ? head() : head() + body
  }

  private static func phrase(of status: Int) -> String {
    switch status {
    case 101: "Switching Protocols"
    case 200: "OK"
    case 201: "Created"
    case 204: "No Content"
    case 301: "Moved Permanently"
    case 302: "Found"
    case 304: "Not Modified"
    case 307: "Temporary Redirect"
    case 308: "Permanent Redirect"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 409: "Conflict"
    case 410: "Gone"
    case 412: "Precondition Failed"
    case 413: "Content Too Large"
    case 415: "Unsupported Media Type"
    case 416: "Range Not Satisfiable"
    case 422: "Unprocessable Content"
    case 426: "Upgrade Required"
    case 428: "Precondition Required"
    case 429: "Too Many Requests"
    case 500: "Internal Server Error"
    case 502: "Bad Gateway"
    case 503: "Service Unavailable"
    case 504: "Gateway Timeout"
    case 507: "Insufficient Storage"
    default: "Status"
    }
  }
}

extension StringProtocol {
  func isASCIIEqualIgnoringCase(to other: some StringProtocol) -> Bool {
    func lower(_ byte: UInt8) -> UInt8 { (65...90).contains(byte) ? byte | 0x20 : byte }
    return utf8.count == other.utf8.count
      && zip(utf8, other.utf8).allSatisfy { lower($0) == lower($1) }
  }

  /// Nil where a `%` is not followed by two hex digits or the bytes are not UTF-8.
  func percentDecoded(plusIsSpace: Bool = false) -> String? {
    var bytes: [UInt8] = []
    var rest = utf8.makeIterator()
    while let byte = rest.next() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = rest.next().flatMap(hexDigit), let low = rest.next().flatMap(hexDigit)
        else { return nil }
        bytes.append(high << 4 | low)
      case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
      default: bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }
}

private func hexDigit(_ byte: UInt8) -> UInt8? {
  switch byte {
  case 0x30...0x39: byte - 0x30
  case 0x41...0x46: byte - 0x41 + 10
  case 0x61...0x66: byte - 0x61 + 10
  default: nil
  }
}
