internal import Foundation

extension GoogleReaderDesk {
  mutating func answer(
    to call: Call, of user: String, faults: [GoogleReaderFault], now: Date
  ) throws -> Answer {
    switch (call.name, call.isPost) {
    case ("token", _):
      return Answer(
        reply: WireReply(type: Self.textType, text: writeToken(for: user) + "\n"))
    case ("user-info", _): return json(userInfo(user))
    case ("subscription/list", false), ("tag/list", false):
      guard call.parameters["output"] == "json" || !quirks.wantsJSONOutput else {
        throw Refusal(status: 501, text: "Not Implemented!")
      }
      return json(call.name == "tag/list" ? tags(of: user) : subscriptions(of: user))
    case ("unread-count", false):
      guard quirks.hasUnreadCounts else { return json(.array([])) }
      return json(unreadCounts(of: user, now: now))
    case ("stream/items/ids", _):
      if faults.contains(.readContinuation), let last = call.parameters["c"].flatMap(number) {
        users[user]?.library.mark([last], adding: [.read])
      }
      let page = try page(of: call, stream: call.parameters["s"], user, faults)
      return json(ids(page, faults: faults))
    case ("stream/items/contents", true):
      if quirks.contentsTakeToken, call.parameters["output"] != "json" { throw Self.badRequest }
      return json(
        contents(Page(items: wanted(call, of: user)), of: user, faults: faults, now: now))
    case ("stream/contents", false):
      return try stream(call.parameters["s"] ?? "user/-/state/com.google/reading-list")
    case (let name, false) where name.hasPrefix("stream/contents/"):
      return try stream(String(name.dropFirst("stream/contents/".count)))
    default: return try answer(toWrite: call, of: user, faults: faults)
    }

    func stream(_ stream: String) throws -> Answer {
      guard quirks.hasStreamContents else { return json(.array([])) }
      let page = try page(of: call, stream: stream, user, faults)
      return json(contents(page, of: user, faults: faults, now: now))
    }
  }

  private func json(_ value: JSONText) -> Answer {
    Answer(
      reply: WireReply(headers: [("Content-Type", Self.jsonType)], body: value.bytes))
  }

  func library(of user: String) -> GoogleReaderModel {
    users[user]?.library ?? GoogleReaderModel()
  }

  // MARK: - Streams

  struct Page {
    var items: [GoogleReaderModel.Item]
    var continuation: String?
  }

  /// Nil for what is no stream.
  func stream(_ name: String, of user: String) -> GoogleReaderModel.Stream? {
    if let label = Self.label(name) { return .label(label) }
    switch Self.state(name) {
    case "reading-list": return .all
    case "starred": return .starred
    case "read": return .read
    default: break
    }
    guard name.hasPrefix("feed/") else { return nil }
    let rest = String(name.dropFirst("feed/".count))
    return .feed(library(of: user).feeds.first { $0.url == rest }?.stream ?? name)
  }

  /// As in `user/-/label/NAME`.
  static func label(_ name: String) -> String? {
    let parts = name.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == "user", parts[2] == "label", !parts[3].isEmpty else {
      return nil
    }
    return String(parts[3])
  }

  /// As in `user/-/state/com.google/NAME`.
  static func state(_ name: String) -> String? {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 5, parts[0] == "user", parts[2] == "state", parts[3] == "com.google"
    else { return nil }
    return String(parts[4])
  }

  private func page(
    of call: Call, stream name: String?, _ user: String, _ faults: [GoogleReaderFault]
  ) throws -> Page {
    let parameters = call.parameters
    guard let name, let stream = stream(name, of: user) else { throw Self.badRequest }
    if stream == .read, !quirks.hasReadStream { throw Self.badRequest }
    if case .label = stream, !quirks.hasLabelStream { throw Self.badRequest }
    let library = library(of: user)
    var items = library.items(in: stream)
    if quirks.continuation == .unorderedID {
      items.sort { ($0.published, $0.id) > ($1.published, $1.id) }
    }
    if let excluded = parameters["xt"].flatMap(Self.state) {
      guard quirks.excludable.contains(excluded) else { throw Self.badRequest }
      items.removeAll { Self.has($0, excluded, in: library) }
    }
    if let included = parameters["it"].flatMap(Self.state) {
      items.removeAll { !Self.has($0, included, in: library) }
    }
    items.removeAll { !isWithin($0, parameters) }
    if parameters["r"] == "o" { items.reverse() }
    var size = parameters["n"].flatMap { Int($0) } ?? quirks.defaultPage
    // `intval` makes 0 of what is no number, and no limit of that.
    if quirks.product == .freshRSS, let text = parameters["n"] { size = max(0, Int(text) ?? 0) }
    if size <= 0 { size = quirks.product == .freshRSS ? .max : quirks.defaultPage }
    size = min(size, quirks.largestPage ?? .max)
    // Where the item itself has left the stream; the ids of FreshRSS are the times of the crawl.
    let crawled = parameters["c"].flatMap(number).map { library[$0]?.crawled ?? $0 }
    var page = self.page(
      items, after: parameters["c"], crawled: crawled, isReversed: parameters["r"] == "o", size)
    for fault in faults {
      switch fault {
      case .truncatedPage: page.items = Array(page.items.prefix(page.items.count / 2))
      case .repeatedContinuation: page.continuation = parameters["c"] ?? page.continuation
      default: break
      }
    }
    return page
  }

  private static func has(
    _ item: GoogleReaderModel.Item, _ state: String, in library: GoogleReaderModel
  ) -> Bool {
    let marks = library.states[item.id] ?? GoogleReaderModel.State()
    return switch state {
    case "read": marks.isRead
    case "unread": !marks.isRead
    case "starred": marks.isStarred
    default: false
    }
  }

  private func isWithin(_ item: GoogleReaderModel.Item, _ parameters: WireParameters) -> Bool {
    let time: Int64
    switch quirks.time {
    case .crawled: time = item.crawled / 1_000_000
    case .published: time = item.published
    case .ignored: return true
    }
    if let start = parameters["ot"].flatMap({ Int64($0) }), time < start { return false }
    if let end = parameters["nt"].flatMap({ Int64($0) }), time > end { return false }
    return true
  }

  private func page(
    _ items: [GoogleReaderModel.Item], after text: String?, crawled: Int64?, isReversed: Bool,
    _ size: Int
  ) -> Page {
    var rest = items[...]
    switch quirks.continuation {
    case .offset:
      let offset = text.flatMap { Int($0) } ?? 0
      rest = rest.dropFirst(max(0, offset))
      let page = Array(rest.prefix(size))
      let end = offset + page.count
      return Page(items: page, continuation: items.count > end ? String(end) : nil)
    case .unorderedID:
      if let id = text.flatMap(number) { rest = items.filter { $0.id < id }[...] }
    case .lastID:
      if let id = text.flatMap(number), let crawled {
        rest =
          items.filter { item in
            isReversed
              ? (item.crawled, item.id) >= (crawled, id) : (item.crawled, item.id) <= (crawled, id)
          }.dropFirst()
      }
    }
    let page = Array(rest.prefix(size))
    let isEnd = quirks.endsWithEmptyPage ? page.count < size : page.count == rest.count
    return Page(items: page, continuation: isEnd ? nil : page.last.map { listed($0.id) })
  }

  // MARK: - Ids

  /// As in a list of ids, and as a continuation.
  func listed(_ id: Int64) -> String {
    quirks.ids == .numbers ? String(id) : Self.objectID(id)
  }

  /// As the id of an item that is whole.
  func tagged(_ id: Int64) -> String {
    let digits = quirks.ids == .numbers ? Self.hex(id) : Self.objectID(id)
    return "tag:google.com,2005:reader/item/" + digits
  }

  /// Nil for what is no id, in either form.
  func number(_ text: String) -> Int64? {
    let digits = text.split(separator: "/").last.map(String.init) ?? ""
    switch quirks.ids {
    case .objectIDs:
      guard digits.count == 24, digits.hasPrefix(Self.objectPrefix) else { return nil }
      return UInt64(digits.dropFirst(8), radix: 16).map { Int64(bitPattern: $0) }
    case .numbers where text.contains("/"):
      return UInt64(digits, radix: 16).map { Int64(bitPattern: $0) }
    case .numbers: return Int64(digits)
    }
  }

  private static let objectPrefix = "5fd1c0de"
  private static func objectID(_ id: Int64) -> String { objectPrefix + hex(id) }

  private static func hex(_ id: Int64) -> String {
    let digits = String(UInt64(bitPattern: id), radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }

  private func wanted(_ call: Call, of user: String) -> [GoogleReaderModel.Item] {
    let ids = call.parameters.all("i").compactMap(number)
    let library = library(of: user)
    return Set(ids.prefix(quirks.largestContents ?? .max)).compactMap { library[$0] }
      .sorted { ($0.crawled, $0.id) > ($1.crawled, $1.id) }
  }
}
