internal import Foundation
internal import HTTP
internal import News
internal import Text

/// Sender of the calls of the Google Reader API.
struct GoogleReaderTransfer: Sendable {
  let settings: GoogleReaderClient.Settings
  let client: ResilientClient
  /// The latest quota.
  let quota = Locked<GoogleReaderQuota?>(nil)

  var host: String { settings.server.host }

  /// - Parameters:
  ///   - token: of the sign-in; nil for calls without one.
  ///   - isSlow: whether the server may work for minutes before it answers.
  /// - Throws: `HTTPError`, `SyncProblem`, `DecodingError` or `CancellationError`.
  func send<Response: Sendable>(
    _ endpoint: Endpoint<Response>, token: String?, isSlow: Bool = false
  ) async throws -> Response {
    var request = try await settings.server.bounded(
      try endpoint.request(base: settings.server.base), isSlow: isSlow)
    if let token { request.headers["Authorization"] = "GoogleLogin auth=\(token)" }
    if let application = try await settings.application() {
      request.headers["AppId"] = application.id
      request.headers["AppKey"] = application.key
      request.credentialHeaders += ["AppId", "AppKey"]
    }
    // Of a refusal, too.
    let head = Locked<HTTPResponseHead?>(nil)
    request.middlewares.append(
      HTTPMiddleware(observe: { exchange in
        if case .success(let seen) = exchange.result { head.value = seen }
      }))
    let response: HTTPResponse
    do {
      response = try await client.response(for: request, isSigned: false)
    } catch let error as HTTPError {
      throw explained(error, head.value)
    }
    note(quotaIn: response.head)
    do {
      return try endpoint.value(of: response, to: request, through: client.client)
    } catch let problem as SyncProblem {
      let error = HTTPError(.decoding, "\(host) \(problem.message).", host: host)
      client.client.note(error, of: request)
      throw problem
    }
  }

  private func note(quotaIn head: HTTPResponseHead) {
    if let quota = GoogleReaderAnswer.quota(in: head.headers) { self.quota.value = quota }
  }

  /// Adds the details in the head of a refusal.
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
  /// The failure of a call as it is shown to the user.
  init(ofGoogleReader error: any Error, base: String) {
    self.init(ofSync: error, base: base)
    if (error as? HTTPError)?.serverError?.code == GoogleReaderSession.refusal {
      next = "check the name and the password; many servers have one of its own for their API"
    }
  }
}
