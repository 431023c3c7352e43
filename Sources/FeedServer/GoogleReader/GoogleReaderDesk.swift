internal import Foundation

/// What a `GoogleReaderServer` knows, and how it answers: the libraries of its users, who is signed in,
/// and the dialect of its quirks. A value without sockets, threads or a clock.
struct GoogleReaderDesk: Sendable {
  struct User: Sendable {
    /// The password of the API, not the one of the web page.
    var password: String
    var library = GoogleReaderModel()
  }

  struct Answer: Sendable {
    var reply: WireReply
    /// How long the server works before it answers.
    var milliseconds = 0
  }

  /// An answer that is no success.
  struct Refusal: Error {
    var status: Int
    var text: String
    var headers: [(name: String, value: String)] = []
  }

  static let textType = "text/plain; charset=UTF-8"
  static let jsonType = "application/json; charset=UTF-8"

  let quirks: GoogleReaderQuirks
  var users: [String: User] = [:]
  /// Whether the API is switched on; FreshRSS answers 503 where it is not.
  var isEnabled = true
  /// Whether the web server in front drops `Authorization`.
  var losesAuthorization = false
  var signInReason = "YearSubscriptionExpired"
  /// Calls of reads and of writes since the last reset.
  var calls = (reads: 0, writes: 0)
  private var signIns: [String: (user: String, since: Date)] = [:]
  private var writeTokens: [String: String] = [:]
  private var generation = 1

  init(quirks: GoogleReaderQuirks) { self.quirks = quirks }

  mutating func endSignIns() {
    signIns = [:]
    generation += 1
    endWriteTokens()
  }

  mutating func endWriteTokens() {
    writeTokens = [:]
    generation += 1
  }

  /// - Parameter now: the clock of the server, which need not be right.
  mutating func answer(
    to request: WireRequest, faults: [GoogleReaderFault], now: Date
  ) -> Answer {
    prepare(faults, now: now)
    var answer: Answer
    do {
      answer = try routed(request, faults: faults, now: now)
    } catch let refusal as Refusal {
      answer = Answer(
        reply: WireReply(
          status: refusal.status, type: Self.textType, headers: refusal.headers,
          text: refusal.text))
    } catch {
      answer = Answer(reply: WireReply(status: 500, type: Self.textType, text: "\(error)"))
    }
    answer.reply = broken(answer.reply, by: faults)
    answer.reply[header: "Date"] = now.httpDate
    addQuota(to: &answer.reply)
    return answer
  }

  private mutating func routed(
    _ request: WireRequest, faults: [GoogleReaderFault], now: Date
  ) throws -> Answer {
    if let reply = reply(toProbe: request) { return Answer(reply: reply) }
    guard request.path.hasPrefix(quirks.basePath + "/") else { throw Self.notFound }
    let route = request.path.dropFirst(quirks.basePath.count + 1)
    guard isEnabled else { throw Refusal(status: 503, text: "Service Unavailable!") }
    if let limit = quirks.largestPost, request.body.count > limit {
      throw Refusal(status: 413, text: "Content Too Large!")
    }
    let parameters = WireParameters(request)
    if route == "accounts/ClientLogin" {
      try checkApplication(of: request)
      return Answer(reply: try signIn(parameters, now: now))
    }
    let prefix = "reader/api/0/"
    guard route.hasPrefix(prefix) else { throw Self.notFound }
    try checkApplication(of: request)
    let call = Call(
      name: route.dropFirst(prefix.count).percentDecoded() ?? "", isPost: request.method == "POST",
      parameters: parameters)
    let user = try user(of: request, call, now: now)
    try count(call)
    return try answer(to: call, of: user, faults: faults, now: now)
  }

  static let notFound = Refusal(status: 404, text: "Not Found!")
  static let badRequest = Refusal(status: 400, text: "Bad Request!")

  /// What is asked of the API, once the path is known.
  struct Call {
    /// Behind `/reader/api/0/`, decoded.
    let name: String
    let isPost: Bool
    let parameters: WireParameters

    var isWrite: Bool {
      isPost && name != "stream/items/contents" && name != "stream/items/ids"
    }
  }
}

// MARK: - Signing in

extension GoogleReaderDesk {
  private mutating func signIn(_ parameters: WireParameters, now: Date) throws -> WireReply {
    guard let name = parameters["Email"], let password = parameters["Passwd"] else {
      throw Self.badRequest
    }
    let user =
      quirks.product == .commaFeed
      // The key names the user.
      ? users.first { $0.value.password == password }?.key
      : users[name]?.password == password ? name : nil
    guard let user, !password.isEmpty else {
      throw Refusal(
        status: quirks.refusedSignIn, text: "Error=BadAuthentication\n",
        headers: quirks.givesSignInReason ? [("X-BQ-LoginErrorReason", signInReason)] : [])
    }
    let token = "\(user)/\(generation)-\(String(user.hashOfBytes, radix: 16))"
    signIns[token] = (user, now)
    return WireReply(
      type: Self.textType, text: "SID=\(token)\nLSID=null\nAuth=\(token)\n")
  }

  private func user(of request: WireRequest, _ call: Call, now: Date) throws -> String {
    let refusal = Refusal(
      status: 401, text: "Unauthorized!",
      headers: quirks.namesBadToken ? [("Google-Bad-Token", "true")] : [])
    if quirks.ignoresHeaderOnWrites, call.isPost, let token = call.parameters["T"] {
      guard let user = writeTokens[token] else { throw refusal }
      return user
    }
    let prefix = "GoogleLogin auth="
    guard !losesAuthorization, let header = request.header("Authorization"),
      header.hasPrefix(prefix), let signIn = signIns[String(header.dropFirst(prefix.count))],
      quirks.signInLifetime.map({ now.timeIntervalSince(signIn.since) < Double($0) }) ?? true
    else { throw refusal }
    if call.isWrite || (call.isPost && quirks.contentsTakeToken) {
      try check(call, of: signIn.user, refusal)
    }
    return signIn.user
  }

  private func check(_ call: Call, of user: String, _ refusal: Refusal) throws {
    let token = call.parameters.prefix(quirks.readPairs)["T"] ?? ""
    switch quirks.writeToken {
    case .lenient:
      guard !token.isEmpty, call.name != "subscription/edit" else { return }
      guard writeTokens[token] == user else { throw refusal }
    case .required: guard writeTokens[token] == user else { throw refusal }
    }
  }

  mutating func writeToken(for user: String) -> String {
    var token = "T\(generation)\(String(user.hashOfBytes, radix: 16))"
    if quirks.padsWriteToken {
      token += String(repeating: "Z", count: max(0, 57 - token.utf8.count))
    }
    writeTokens[token] = user
    return token
  }

  private func checkApplication(of request: WireRequest) throws {
    guard let (id, key) = quirks.applicationKey else { return }
    guard request.header("AppId") == id, request.header("AppKey") == key else {
      throw Refusal(status: 403, text: "Error=AppIdRequired\n")
    }
  }

  private mutating func count(_ call: Call) throws {
    guard let quota = quirks.quota else { return }
    if call.isWrite { calls.writes += 1 } else { calls.reads += 1 }
    guard (call.isWrite ? calls.writes : calls.reads) <= quota else {
      throw Refusal(status: 429, text: "Daily limit reached\n")
    }
  }

  private func addQuota(to reply: inout WireReply) {
    guard let quota = quirks.quota else { return }
    reply.headers += [
      ("X-Reader-Zone1-Limit", "\(quota)"), ("X-Reader-Zone1-Usage", "\(calls.reads)"),
      ("X-Reader-Zone2-Limit", "\(quota)"), ("X-Reader-Zone2-Usage", "\(calls.writes)"),
      ("X-Reader-Limits-Reset-After", "3600"),
    ]
  }
}

// MARK: - Faults

extension GoogleReaderDesk {
  private mutating func prepare(_ faults: [GoogleReaderFault], now: Date) {
    for fault in faults {
      switch fault {
      case .endedSignIns: endSignIns()
      case .endedWriteTokens: endWriteTokens()
      case .shiftedOffset(let count):
        for name in users.keys {
          let unread = users[name]?.library.items(in: .all).filter {
            users[name]?.library.states[$0.id]?.isRead == false
          }
          users[name]?.library.mark(unread?.prefix(count).map(\.id) ?? [], adding: [.read])
        }
      case .insertedItems(let count):
        for name in users.keys { users[name]?.library.insertFresh(count, now: now) }
      default: break
      }
    }
  }

  private func broken(_ reply: WireReply, by faults: [GoogleReaderFault]) -> WireReply {
    var reply = reply
    for fault in faults {
      switch fault {
      case .cutText: reply.body = Array(reply.body.prefix(reply.body.count / 2))
      case .html:
        reply = WireReply(
          type: FeedDesk.htmlType,
          text: "<!DOCTYPE html><html><title>Sign in</title><p>Please sign in.</html>")
      case .emptyArray: reply = WireReply(type: Self.jsonType, text: "[]\n")
      case .error(let text): reply = WireReply(type: Self.textType, text: text)
      default: break
      }
    }
    return reply
  }
}

extension GoogleReaderModel {
  /// New items of the first feed, above all others.
  mutating func insertFresh(_ count: Int, now: Date) {
    guard let feed = feeds.first else { return }
    let newest = max(
      Int64(now.timeIntervalSince1970 * 1_000_000), (items.last?.crawled ?? 0) + 1,
      (items.map(\.id).max() ?? 0) + 1)
    insert(
      (0..<Int64(count)).map { number in
        Item(
          id: newest + number, feed: feed.stream, title: "Fresh \(newest + number)",
          url: "https://example.org/fresh/\(newest + number)", html: "<p>Fresh.</p>",
          published: newest / 1_000_000, crawled: newest + number)
      })
  }
}

extension String {
  /// The same in every run, which `hashValue` is not.
  fileprivate var hashOfBytes: UInt64 {
    utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
  }
}
