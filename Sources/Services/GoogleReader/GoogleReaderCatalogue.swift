internal import Foundation
internal import HTTP
internal import News
internal import Text

/// All routes of the Google Reader API. JSON is requested everywhere: some servers write XML
/// otherwise, and FreshRSS refuses.
enum GoogleReaderCatalogue {
  static func signIn(user: String, password: String) -> Endpoint<String> {
    var form = GoogleReaderForm()
    form.add("Email", user)
    form.add("Passwd", password)
    form.add("client", "Telex")
    form.add("accountType", "HOSTED_OR_GOOGLE")
    form.add("service", "reader")
    return Endpoint(
      .post, ["accounts", "ClientLogin"], body: form.body, requiresAuth: false
    ) { try GoogleReaderAnswer.signIn(in: $0) }
  }

  /// The token that signs writes.
  static func token() -> Endpoint<String> {
    Endpoint(.get, api("token")) { try GoogleReaderAnswer.word(in: $0, "a token for writing") }
  }

  static func userInfo() -> Endpoint<String> {
    json(GoogleReaderWire.UserInfo.self, api("user-info"), "the user") { info in
      PlainText.sanitizedName(
        info.userName?.text ?? info.userEmail?.text ?? info.userId?.text ?? "")
    }
  }

  static func subscriptions() -> Endpoint<GoogleReaderList<Subscription>> {
    json(
      GoogleReaderWire.Subscriptions.self, api("subscription", "list"), "the list of feeds"
    ) { wire in
      let (values, bad) = wire.subscriptions.read()
      let read = values.filter { Subscription.isID($0.id) }
      return GoogleReaderList(
        values: read.map { Subscription($0) }, badEntries: bad + values.count - read.count)
    }
  }

  static func tags() -> Endpoint<GoogleReaderList<GoogleReaderTag>> {
    json(GoogleReaderWire.Tags.self, api("tag", "list"), "the list of folders") { wire in
      let (values, bad) = wire.tags.read()
      let tags = values.compactMap { tag -> GoogleReaderTag? in
        guard case .label(let name)? = GoogleReaderStream(tag.id) else { return nil }
        let kind = tag.type?.lowercased()
        return GoogleReaderTag(
          name: name, isFolder: kind == "folder" ? true : kind == "tag" ? false : nil)
      }
      return GoogleReaderList(values: tags, badEntries: bad)
    }
  }

  /// That of all feeds.
  static func unreadCount() -> Endpoint<Int?> {
    json(
      GoogleReaderWire.UnreadCounts.self, api("unread-count"), "the numbers of unread items"
    ) { wire in
      wire.unreadcounts.read().values.lazy
        .filter { GoogleReaderStream($0.id) == .readingList }.compactMap(\.count.number)
        .first { (0...1 << 40).contains($0) }.map { Int($0) }
    }
  }

  // MARK: - Items

  static func ids(
    _ query: GoogleReaderIDQuery, of product: GoogleReaderProduct, count: Int,
    after continuation: String?
  ) -> Endpoint<GoogleReaderIDPage> {
    var parameters = parameters(of: query, product)
    parameters["s"] = query.stream.id
    parameters["n"] = String(count)
    parameters["c"] = continuation
    let decoded = json(
      GoogleReaderWire.IDs.self, api("stream", "items", "ids"), "a list of ids", parameters
    ) { wire in
      let (refs, bad) = (wire.itemRefs ?? []).read()
      let ids = refs.compactMap { GoogleReaderItemID($0.id.text) }
      return GoogleReaderIDPage(
        ids: ids, badEntries: bad + refs.count - ids.count, hasList: wire.itemRefs != nil,
        continuation: (wire.continuation?.text).nonempty)
    }
    var endpoint = decoded
    endpoint.decode = { response in
      guard let (ids, continuation) = GoogleReaderIDScan.ids(in: response.body) else {
        return try decoded.decode(response)
      }
      return GoogleReaderIDPage(ids: ids, continuation: continuation.nonempty)
    }
    return endpoint
  }

  /// - Parameter token: for servers that require one for reading, too.
  static func contents(
    of ids: [GoogleReaderItemID], token: String?, _ reading: GoogleReaderItemReading
  ) -> Endpoint<ItemBatch> {
    var form = GoogleReaderForm()
    form.add("output", "json")
    if let token { form.add("T", token) }
    for id in ids { form.add("i", id.tag) }
    var endpoint = json(
      GoogleReaderWire.Contents.self, api("stream", "items", "contents"), "items"
    ) { reading.batch($0, asked: ids) }
    endpoint.method = .post
    endpoint.body = form.body
    // A read, which may be repeated.
    endpoint.headers["Idempotency-Key"] = UUID().uuidString.lowercased()
    return endpoint
  }

  private static func parameters(
    of query: GoogleReaderIDQuery, _ product: GoogleReaderProduct
  ) -> [String: String?] {
    var parameters: [String: String?] = [:]
    if query.isUnreadOnly { parameters["xt"] = GoogleReaderStream.read.id }
    // Compared with the time of publication, it would hide late publications.
    if let since = query.since, product.time == .crawled {
      parameters["ot"] = String(Int64(since.timeIntervalSince1970.rounded(.down)))
    }
    return parameters
  }

  // MARK: - Writes

  /// `a`, `r` and the token come before the ids: PHP reads a thousand pairs of a body, and FreshRSS
  /// says `OK` to a body without a mark.
  static func edit(
    _ ids: [GoogleReaderItemID], _ mark: GoogleReaderStream, isSet: Bool, token: String
  ) -> Endpoint<Void> {
    var form = GoogleReaderForm()
    form.add(isSet ? "a" : "r", mark.id)
    form.add("T", token)
    for id in ids { form.add("i", id.tag) }
    return write(api("edit-tag"), form, "the marks")
  }

  static func change(
    _ change: GoogleReaderSubscriptionChange, of product: GoogleReaderProduct, token: String
  ) -> Endpoint<Void> {
    var form = GoogleReaderForm()
    func begin(_ action: String, _ stream: String) {
      form.add("ac", action)
      form.add("s", stream)
      form.add("T", token)
    }
    switch change {
    case .subscribe(let url): begin("subscribe", "feed/" + url)
    case .unsubscribe(let id): begin("unsubscribe", id)
    case .rename(let id, let title):
      begin("edit", id)
      form.add("t", title)
    case .move(let id, let to, let from):
      begin("edit", id)
      if let to { form.add("a", GoogleReaderStream.label(to).id) }
      // Together with an addition it would mean the root there.
      if let from, to == nil || !product.keepsOneFolder {
        form.add("r", GoogleReaderStream.label(from).id)
      }
    }
    return write(api("subscription", "edit"), form, "the change of the subscription")
  }

  // MARK: - Shapes

  private static func api(_ names: String...) -> [String] { ["reader", "api", "0"] + names }

  private static func json<Wire: Decodable & SendableMetatype, Value: Sendable>(
    _ type: Wire.Type, _ path: [String], _ subject: String, _ query: [String: String?] = [:],
    _ value: @escaping @Sendable (Wire) throws -> Value
  ) -> Endpoint<Value> {
    var query = query
    query["output"] = "json"
    return Endpoint(.get, path, query: query, headers: ["Accept": "application/json"]) { response in
      try value(try GoogleReaderAnswer.json(Wire.self, in: response, subject))
    }
  }

  private static func write(
    _ path: [String], _ form: GoogleReaderForm, _ subject: String
  ) -> Endpoint<Void> {
    Endpoint(.post, path, body: form.body) { response in
      try GoogleReaderAnswer.confirmation(in: response, subject)
    }
  }
}

/// Form whose fields keep their order and may repeat.
struct GoogleReaderForm: Sendable {
  private var text = ""

  mutating func add(_ name: String, _ value: String) {
    if !text.isEmpty { text += "&" }
    text += percentEncoded(name) + "=" + percentEncoded(value)
  }

  var body: HTTPBody {
    HTTPBody(Array(text.utf8), contentType: "application/x-www-form-urlencoded")
  }
}
