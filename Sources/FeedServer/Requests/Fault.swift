/// Something that goes wrong with an answer, on demand.
///
/// Each has a text form, for `?fault=…` and the header `X-Telex-Fault`; several are joined by
/// commas and take effect in that order.
package enum Fault: Hashable, Sendable {
  /// `delay:500` — the answer starts that much later. A live connection does not.
  case delay(milliseconds: Int)
  /// `status:503`, `status:429:120` — an error instead, with `Retry-After` in seconds if given.
  case status(Int, retryAfter: Int? = nil)
  /// `cut:1000` — the connection ends after so many bytes of the body, which promised more.
  case cut(afterBytes: Int)
  /// `drip:10:100` — the body comes so many bytes at a time, with a pause after each.
  case drip(bytes: Int, milliseconds: Int)
  /// `hang` — no answer, until the client gives up.
  case hang
  /// `reset` — the connection is reset instead of an answer.
  case reset
  /// `garbage` — the right status and type, and a body that is half an answer and then noise.
  case garbage
  /// `type:text/plain` — the right body under that `Content-Type`.
  case contentType(String)
  /// `oversized:50000000` — a body of so many bytes: white space, then the answer.
  case oversized(bytes: Int)
  /// `repeat-cursor` — the page names the cursor it was asked with as the next one.
  case repeatCursor
  /// `bad-line:3` — in an export, a line that is no JSON comes after so many lines.
  case badLine(after: Int)
  /// `insert:3` — so many new articles appear at the top just before the answer is made.
  case insert(articles: Int)
  /// `edit-comment` — the comment that a client is about to change is changed by another one just before.
  case editComment
  /// `bare-conflict` — a conflict is a 412, and does not say what the server has.
  case bareConflict
  /// `graphql:errors` and the like — what only the GraphQL server can get wrong.
  case graphQL(GraphQLFault)
  /// `cut-upload:1000` — of a piece of an upload so many bytes arrive, and the connection is reset.
  case cutUpload(afterBytes: Int)
  /// `mute` — a live connection stays open, and nothing is said on it.
  case mute

  /// Nil for a text that is none of the forms above.
  package init?(_ text: some StringProtocol) {
    let words = text.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = words.dropFirst().compactMap { Int($0) }.filter { $0 >= 0 }
    let isNumeric = numbers.count == words.count - 1
    switch (words.first.map { String($0) }, numbers.count) {
    case ("delay", 1) where isNumeric: self = .delay(milliseconds: numbers[0])
    case ("status", 1) where isNumeric: self = .status(numbers[0])
    case ("status", 2) where isNumeric: self = .status(numbers[0], retryAfter: numbers[1])
    case ("cut", 1) where isNumeric: self = .cut(afterBytes: numbers[0])
    case ("drip", 2) where isNumeric: self = .drip(bytes: numbers[0], milliseconds: numbers[1])
    case ("hang", 0) where isNumeric: self = .hang
    case ("reset", 0) where isNumeric: self = .reset
    case ("garbage", 0) where isNumeric: self = .garbage
    case ("type", _) where words.count == 2: self = .contentType(String(words[1]))
    case ("oversized", 1) where isNumeric: self = .oversized(bytes: numbers[0])
    case ("repeat-cursor", 0) where isNumeric: self = .repeatCursor
    case ("bad-line", 1) where isNumeric: self = .badLine(after: numbers[0])
    case ("insert", 1) where isNumeric: self = .insert(articles: numbers[0])
    case ("edit-comment", 0) where isNumeric: self = .editComment
    case ("bare-conflict", 0) where isNumeric: self = .bareConflict
    case ("cut-upload", 1) where isNumeric: self = .cutUpload(afterBytes: numbers[0])
    case ("mute", 0) where isNumeric: self = .mute
    case ("graphql", _) where words.count == 2:
      guard let fault = GraphQLFault(rawValue: String(words[1])) else { return nil }
      self = .graphQL(fault)
    default: return nil
    }
  }

  /// Whether what was asked for is not given at all.
  var replacesReply: Bool {
    switch self {
    case .status, .hang, .reset, .cutUpload: true
    default: false
    }
  }
}

/// Which requests go wrong, and how often.
struct FaultPlan: Sendable {
  private struct Rule {
    let prefix: String
    let fault: Fault
    var skip: Int
    var left: Int?
  }

  private var rules: [Rule] = []

  mutating func add(_ fault: Fault, prefix: String, skipping: Int, times: Int?) {
    rules.append(Rule(prefix: prefix, fault: fault, skip: skipping, left: times))
  }

  mutating func clear() { rules = [] }

  /// The faults for a request, in the order they were planned; each counts as used.
  mutating func take(for path: some StringProtocol) -> [Fault] {
    var faults: [Fault] = []
    for index in rules.indices where path.hasPrefix(rules[index].prefix) {
      if rules[index].skip > 0 {
        rules[index].skip -= 1
      } else if rules[index].left != 0 {
        rules[index].left = rules[index].left.map { $0 - 1 }
        faults.append(rules[index].fault)
      }
    }
    return faults
  }
}

extension Script {
  /// The answer with all its faults applied.
  init(_ reply: WireReply, to method: String, faults: [Fault]) {
    var reply = reply
    var before: [Step] = []
    for fault in faults {
      switch fault {
      case .delay(let milliseconds): before.append(.pause(.milliseconds(milliseconds)))
      case .status(let status, let retryAfter):
        reply = APIError.injected(status: status).reply
        if let retryAfter { reply[header: "Retry-After"] = String(retryAfter) }
      case .garbage:
        reply.stream = nil
        reply.body = reply.body.prefix(reply.body.count / 2) + Array("\u{0}<<<}{ not json".utf8)
      case .contentType(let type): reply[header: "Content-Type"] = type
      case .hang:
        self.init(before + [.hang])
        return
      case .reset, .cutUpload:
        self.init(before + [.reset])
        return
      case .cut, .drip, .oversized, .repeatCursor, .badLine, .insert, .editComment, .bareConflict,
        .mute, .graphQL:
        break
      }
    }
    guard method != "HEAD", reply.status != 304 else {
      self.init(before + [.send(reply.bytes(for: method))])
      return
    }
    if let stream = reply.stream {
      // Of what can happen on the way, only the end of the connection: the length is not known.
      let cut = faults.lazy.compactMap { if case .cut(let count) = $0 { count } else { nil } }.first
      self.init(before + [.send(reply.head()), .stream(stream, cutAfter: cut)])
      return
    }
    // What happens to the bytes on their way comes after all that decides what they are.
    for fault in faults {
      switch fault {
      case .cut(let count):
        self.init(before + [.send(reply.head() + reply.body.prefix(count)), .close])
        return
      case .drip(let bytes, let milliseconds):
        let drip = Step.drip(reply.body, bytes: bytes, every: .milliseconds(milliseconds))
        self.init(before + [.send(reply.head()), drip])
        return
      case .oversized(let count):
        let padding = max(0, count - reply.body.count)
        self.init(
          before + [
            .send(reply.head(length: padding + reply.body.count)),
            .fill(UInt8(ascii: " "), count: padding), .send(reply.body),
          ])
        return
      default: break
      }
    }
    self.init(before + [.send(reply.bytes())])
  }
}
