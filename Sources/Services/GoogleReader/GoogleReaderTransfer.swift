internal import Foundation
internal import HTTP
internal import News
internal import Text

/// Sends the calls of the Google Reader API, signed with what it is given, and reads their answers.
struct GoogleReaderTransfer: Sendable {
  let settings: GoogleReaderClient.Settings
  let client: ResilientClient

  /// What only those learn who see the head of an answer.
  private struct Seen {
    var head: HTTPResponseHead?
  }

  var host: String { (try? HTTPURL(settings.base).host) ?? settings.base }

  /// - Parameters:
  ///   - token: of the sign-in; nil for calls that have none.
  ///   - isSlow: whether the server may work for minutes before it answers.
  /// - Throws: `HTTPError`, `GoogleReaderProblem`, `DecodingError` or `CancellationError`.
  func send<Response: Sendable>(
    _ endpoint: Endpoint<Response>, token: String?, isSlow: Bool = false
  ) async throws -> Response {
    var request = try endpoint.request(base: settings.base)
    try refusePlainHTTP(request.url)
    request.limits = settings.limits
    if isSlow {
      request.limits.silence = max(request.limits.silence, settings.slowSilence)
    }
    request.deadline = settings.deadline
    request.connections = settings.connections
    request.proxy = try await settings.route()
    // What opens the account is not another server's to see, nor can another answer for it.
    request.staysAtOrigin = true
    if let token { request.headers["Authorization"] = "GoogleLogin auth=\(token)" }
    if let application = try await settings.application() {
      request.headers["AppId"] = application.id
      request.headers["AppKey"] = application.key
      request.credentialHeaders += ["AppId", "AppKey"]
    }
    let seen = Locked(Seen())
    request.middlewares.append(
      HTTPMiddleware(observe: { exchange in
        if case .success(let head) = exchange.result { seen.value.head = head }
      }))
    let response: HTTPResponse
    do {
      response = try await client.response(for: request, isSigned: false) { [settings] notice in
        settings.report(
          .waiting(
            RetryWait(
              attempt: notice.attempt, maxAttempts: notice.maxAttempts, until: notice.until)))
      }
    } catch let error as HTTPError {
      throw explained(error, seen.value.head)
    }
    note(quotaIn: response.head)
    do {
      return try endpoint.value(of: response, to: request, through: client.client)
    } catch let problem as GoogleReaderProblem {
      let error = HTTPError(.decoding, "\(host) \(problem.message).", host: host)
      client.client.note(error, of: request)
      throw problem
    }
  }

  /// A password, and what a server gives for it, go over https, or to this machine.
  private func refusePlainHTTP(_ url: String) throws {
    let address = try HTTPURL(url)
    guard address.isSecure || address.isLoopback else {
      throw HTTPError(
        .badRequest, "A password is not sent to \(address.host) over plain http.",
        host: address.host)
    }
  }

  private func note(quotaIn head: HTTPResponseHead) {
    if let quota = GoogleReaderAnswer.quota(in: head.headers) { settings.onQuota(quota) }
  }

  /// With what the head of the refusal says.
  private func explained(_ error: HTTPError, _ head: HTTPResponseHead?) -> HTTPError {
    guard let head, error.kind == .status else { return error }
    note(quotaIn: head)
    var error = error
    if error.status == 429, error.retryAfter == nil,
      let wait = GoogleReaderAnswer.quota(in: head.headers)?.resetsAfter
    {
      error.retryAfter = Date().addingTimeInterval(min(wait / .seconds(1), 86_400))
    }
    if let reason = head.headers["X-BQ-LoginErrorReason"] {
      error.message = "\(host) does not let you in: \(PlainText.sanitized(reason))."
    }
    return error
  }
}

extension SourceError {
  /// A failure of a call as the user is told of it.
  init(ofGoogleReader error: any Error, base: String) {
    let subject = WebAddress.redacted(base)
    switch error {
    case let error as HTTPError:
      self.init(error, url: base)
      if error.serverError?.code == GoogleReaderSession.refusal {
        next = "check the name and the password; many servers have one of its own for their API"
      }
    case let problem as GoogleReaderProblem:
      let host = (try? HTTPURL(base).host) ?? base
      self.init(
        .decoding, stage: .parse, subject: subject, message: "\(host) \(problem.message)",
        next: problem.next)
    case let error as DecodingError:
      let host = (try? HTTPURL(base).host) ?? base
      self.init(HTTPError.decoding(error, host: host), url: base)
    case let error as SourceError: self = error
    default:
      self.init(
        .decoding, stage: .fetch, subject: subject, message: "the server cannot be asked",
        next: "try again later")
    }
  }
}
