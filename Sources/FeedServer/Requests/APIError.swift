/// An error of the Feed API: the body `{code, message, details, fields}` and its status.
struct APIError: Error {
  let status: Int
  /// For programs; never changes once published.
  let code: String
  /// For people: one sentence.
  let message: String
  var details: String? = nil
  /// What is wrong with which part of what was sent, in order.
  var fields: [(String, [String])] = []
  var allow: String? = nil
  /// `WWW-Authenticate`
  var challenge: String? = nil
  /// Further headers.
  var headers: [(String, String)] = []
  /// For a conflict: what the server has.
  var current: JSONText? = nil

  var reply: WireReply {
    let conflict: [(String, JSONText)] = current.map { [("current", $0)] } ?? []
    let body = JSONText.object(
      [
        ("code", .string(code)), ("message", .string(message)), ("details", .optional(details)),
        (
          "fields",
          fields.isEmpty ? .null : .object(fields.map { ($0.0, .strings($0.1)) })
        ),
      ] + conflict)
    var reply = WireReply(
      status: status,
      headers: [("Content-Type", FeedDesk.jsonType), ("Cache-Control", "no-store")],
      body: body.bytes)
    for (name, value) in headers { reply[header: name] = value }
    reply[header: "Allow"] = allow
    reply[header: "WWW-Authenticate"] = challenge
    return reply
  }

  static func notFound(_ what: String) -> APIError {
    APIError(status: 404, code: "not_found", message: "There is no \(what) here.")
  }

  static func methodNotAllowed(_ allowed: String) -> APIError {
    APIError(
      status: 405, code: "method_not_allowed", message: "This address answers \(allowed) only.",
      allow: allowed)
  }

  static func badParameter(_ name: String, _ message: String) -> APIError {
    APIError(status: 400, code: "invalid_\(name)", message: message, fields: [(name, [message])])
  }

  static func injected(status: Int) -> APIError {
    APIError(
      status: status, code: "injected_\(status)", message: "The server was asked to fail.",
      details: "fault=status:\(status)")
  }
}
