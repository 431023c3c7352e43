internal import Text

/// `errors` of a GraphQL response (specification of October 2021, §7.1.2).
struct GraphQLErrors {
  private static let most = 5

  /// Messages with their places in the response and the query.
  private var texts: [String] = []
  private var isSignIn = false
  private var count = 0

  init(_ value: JSONValue?) {
    guard let errors = value?.array else { return }
    count = errors.count
    for error in errors.prefix(Self.most) { add(error) }
  }

  var first: String? { sentences.first }

  var sentences: [String] {
    texts + (count > texts.count && !texts.isEmpty ? ["There are \(count) errors in all."] : [])
  }

  /// The next step after a response with errors only.
  var advice: String {
    isSignIn
      ? "give a token: telex set FEED --bearer, or telex add with it"
      : "check the query and its variables"
  }

  private mutating func add(_ error: JSONValue) {
    guard let members = error.object else {
      texts.append("An error is \(error.kind), not an object.")
      return
    }
    let message = members["message"]?.string.map { String(PlainText.sanitized($0).prefix(300)) }
    var text = message ?? "(no message)"
    var places: [String] = []
    if let path = members["path"]?.array, !path.isEmpty { places.append(Self.path(path)) }
    if let place = members["locations"]?.array?.first?.object,
      case .number(let line)? = place["line"], case .number(let column)? = place["column"]
    {
      places.append("line \(line.prefix(8)), column \(column.prefix(8)) of the query")
    }
    if let last = text.last, ".!?".contains(last) { text.removeLast() }
    texts.append(text + (places.isEmpty ? "." : " (\(places.joined(separator: "; ")))."))
    if let code = members["extensions"]?.object?["code"]?.string {
      isSignIn = isSignIn || ["UNAUTHENTICATED", "UNAUTHORIZED", "FORBIDDEN"].contains(code)
    }
  }

  private static func path(_ steps: [JSONValue]) -> String {
    var text = "data"
    for step in steps.prefix(32) {
      switch step {
      case .string(let name): text += ".\(PlainText.sanitized(String(name.prefix(60))))"
      case .number(let index): text += "[\(index.prefix(8))]"
      default: continue
      }
    }
    return text
  }
}
