/// Class of a status code, by what the client should do.
package enum StatusClass: Sendable, Hashable {
  case informational, success
  /// 204, 205: done, and there is nothing to decode.
  case empty
  /// 304: what is cached is still right.
  case notModified
  /// 301, 308: the address to store changes.
  case movedPermanently
  /// The other redirects.
  case redirect
  /// 401: sign in, or refresh the token.
  case unauthorized
  case forbidden, notFound
  /// 410: stop asking.
  case gone
  /// 409, 412: someone else changed it first.
  case conflict
  /// 413: the body is larger than the server takes.
  case tooLarge
  /// 422: fields need attention.
  case invalid
  /// 408: the server gave up waiting.
  case requestTimeout
  /// 429: slower.
  case tooManyRequests
  case clientError
  /// 507: the server has no room for what was sent, until somebody makes some (RFC 4918 §11.5).
  case noRoom
  case serverError

  package init(_ status: Int) {
    self =
      switch status {
      case 100..<200: .informational
      case 204, 205: .empty
      case 200..<300: .success
      case 304: .notModified
      case 301, 308: .movedPermanently
      case 300..<400: .redirect
      case 401: .unauthorized
      case 403: .forbidden
      case 404: .notFound
      case 408: .requestTimeout
      case 409, 412: .conflict
      case 410: .gone
      case 413: .tooLarge
      case 422: .invalid
      case 429: .tooManyRequests
      case 400..<500: .clientError
      case 507: .noRoom
      default: .serverError
      }
  }

  /// No decoder sees the body of these.
  package var isError: Bool {
    switch self {
    case .informational, .success, .empty, .notModified, .movedPermanently, .redirect: false
    default: true
    }
  }

  /// Trying again later may help, whoever asks.
  package var isTransient: Bool {
    self == .requestTimeout || self == .tooManyRequests || self == .serverError
  }

  /// A plain phrase that completes "the server replied".
  package var explanation: String {
    switch self {
    case .unauthorized: "that you need to sign in"
    case .forbidden: "that you may not read this"
    case .notFound: "that there is nothing at this address"
    case .gone: "that this is gone for good"
    case .conflict: "that it was changed elsewhere"
    case .tooLarge: "that this is too large for it"
    case .noRoom: "that it has no room left"
    case .invalid: "that some fields are not right"
    case .requestTimeout: "that the request took too long"
    case .tooManyRequests: "that it gets too many requests"
    case .serverError: "with a server error"
    default: "with an error"
    }
  }
}

extension HTTPResponse {
  /// This response, unless its status is an error: then `HTTPError` of kind `status`, with the
  /// server's words where the body holds some.
  package func validated() throws -> HTTPResponse {
    let statusClass = head.statusClass
    guard statusClass.isError else { return self }
    let host = head.host
    let serverError = ServerError(body: body)
    var words = serverError.map { ": \($0.message)" } ?? ""
    if let fields = serverError?.fieldWords {
      if let last = words.last, ".!?".contains(last) { words.removeLast() }
      words += " (\(fields))"
    }
    // The server may have ended its sentence itself.
    if let last = words.last, !".!?".contains(last) { words += "." }
    if words.isEmpty { words = "." }
    var message = "\(host) replied \(statusClass.explanation) (\(head.status))\(words)"
    let botCheck = BotCheck(self)
    if let botCheck {
      let sentence = botCheck.message(host: host, status: head.status)
      if case .certain = botCheck { message = sentence } else { message += " " + sentence }
    }
    var error = HTTPError(.status, message, host: host, status: head.status)
    error.botCheck = botCheck
    error.url = head.url
    error.unstoredURL = head.unstoredURL
    error.serverError = serverError
    // It may say what the server has instead, or from where on it wants the rest.
    if statusClass == .conflict || head.status == 416 {
      error.partial = PartialResponse(head: head, body: body)
    }
    throw error
  }
}
