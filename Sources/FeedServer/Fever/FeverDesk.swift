internal import Foundation
internal import Text

/// Dialect of a server of the Fever API.
package struct FeverQuirks: Sendable, Hashable {
  /// The path of the API, without its query.
  package var path = "/fever/"
  package var version: Int64 = 3
  /// Answers the first thing that is asked for, and no other.
  package var answersFirstOnly = false
  /// `saved` and `unsaved` are one toggle.
  package var togglesSaved = false
  /// Lists so many ids at most, and does not say so.
  package var largestList: Int?
  package var itemsPerPage = 50
  /// Fails over an id that it does not know.
  package var failsOnUnknownItems = false
  /// 404 where an unknown article is marked.
  package var refusesUnknownMarks = false
  /// Ids are texts.
  package var hasTextIDs = false
  /// Answers a mark with the whole list of what is unread or saved.
  package var echoesList = false
  /// A list of one id is a number.
  package var hasBareSingleIDs = false
  /// Leaves `items` out where there are none.
  package var omitsEmptyItems = false

  package init() {}

  package static let plain = FeverQuirks()

  /// Miniflux 2, `internal/fever`.
  package static let miniflux: FeverQuirks = {
    var quirks = FeverQuirks()
    quirks.answersFirstOnly = true
    quirks.togglesSaved = true
    return quirks
  }()

  /// FreshRSS, `p/api/fever.php`, since it marks many articles in a call.
  package static let freshRSS: FeverQuirks = {
    var quirks = FeverQuirks()
    quirks.path = "/fever"
    quirks.version = 4
    quirks.hasTextIDs = true
    quirks.echoesList = true
    return quirks
  }()

  /// CommaFeed, `FeverREST.java`.
  package static let commaFeed: FeverQuirks = {
    var quirks = FeverQuirks()
    quirks.largestList = 1_000
    quirks.itemsPerPage = 200
    quirks.failsOnUnknownItems = true
    return quirks
  }()

  /// coldsweat, `coldsweat/fever/routes.py`.
  package static let coldsweat: FeverQuirks = {
    var quirks = FeverQuirks()
    quirks.refusesUnknownMarks = true
    quirks.omitsEmptyItems = true
    return quirks
  }()
}

/// The Fever API: one address, with what is read in the query and marks in the body.
struct FeverDesk: SyncDesk {
  let quirks: FeverQuirks
  var users: [String: SyncUser] = [:]

  init(quirks: FeverQuirks) { self.quirks = quirks }

  mutating func answer(
    to request: WireRequest, faults: [GoogleReaderFault], now: Date
  ) -> WireReply {
    guard request.path == quirks.path[...] else {
      return WireReply(status: 404, type: FeedDesk.htmlType, text: "<!DOCTYPE html><p>Not here.")
    }
    let parameters = WireParameters(request)
    guard parameters["api"] != nil else { return WireReply(status: 400) }
    var members: [(String, JSONText)] = [("api_version", .number(quirks.version))]
    guard let user = user(of: parameters["api_key"]) else {
      return json(members + [("auth", .number(0))])
    }
    members += [
      ("auth", .number(1)),
      ("last_refreshed_on_time", .string(String(Int64(now.timeIntervalSince1970)))),
    ]
    if parameters["mark"] != nil {
      guard mark(parameters, user, faults) else { return WireReply(status: 404) }
      if quirks.echoesList { members.append(list(parameters["as"] ?? "", user)) }
      return json(members)
    }
    let library = users[user]?.library ?? GoogleReaderModel()
    var parts: [[(String, JSONText)]] = []
    if parameters["groups"] != nil { parts.append([groups(library), memberships(library)]) }
    if parameters["feeds"] != nil { parts.append([feeds(library), memberships(library)]) }
    if parameters["unread_item_ids"] != nil { parts.append([list("read", user)]) }
    if parameters["saved_item_ids"] != nil { parts.append([list("saved", user)]) }
    if parameters["items"] != nil {
      guard let items = items(parameters, library, faults) else {
        return WireReply(status: 500, type: GoogleReaderDesk.textType, text: "Server Error")
      }
      parts.append(items)
    }
    if quirks.answersFirstOnly { parts = Array(parts.prefix(1)) }
    return json(members + parts.flatMap(\.self))
  }

  private func json(_ members: [(String, JSONText)]) -> WireReply {
    WireReply(
      headers: [("Content-Type", "application/json")], body: JSONText.object(members).bytes)
  }

  private func user(of key: String?) -> String? {
    users.first { name, user in MD5.hex(of: "\(name):\(user.password)") == key?.lowercased() }?.key
  }

  // MARK: - Reading

  private func groupIDs(_ library: GoogleReaderModel) -> [String: Int64] {
    Dictionary(uniqueKeysWithValues: zip(library.folders, 1...))
  }

  private func groups(_ library: GoogleReaderModel) -> (String, JSONText) {
    let ids = groupIDs(library)
    return (
      "groups",
      .array(
        library.folders.map { name in
          .object([("id", .number(ids[name] ?? 0)), ("title", .string(name))])
        })
    )
  }

  private func memberships(_ library: GoogleReaderModel) -> (String, JSONText) {
    let ids = groupIDs(library)
    return (
      "feeds_groups",
      .array(
        library.folders.map { name in
          let feeds = library.feeds.filter { $0.folders.contains(name) }
          return .object([
            ("group_id", .number(ids[name] ?? 0)),
            ("feed_ids", .string(feeds.map { String($0.number) }.joined(separator: ","))),
          ])
        })
    )
  }

  private func feeds(_ library: GoogleReaderModel) -> (String, JSONText) {
    (
      "feeds",
      .array(
        library.feeds.map { feed in
          .object([
            ("id", .number(feed.number)), ("favicon_id", .number(0)),
            ("title", .string(feed.title)), ("url", .string(feed.url)),
            ("site_url", .string(feed.page)), ("is_spark", .number(0)),
            ("last_updated_on_time", .number(0)),
          ])
        })
    )
  }

  private func list(_ state: String, _ user: String) -> (String, JSONText) {
    let library = users[user]?.library ?? GoogleReaderModel()
    let isSaved = state.hasSuffix("saved")
    var ids = (isSaved ? library.starred : library.unread).sorted(by: >)
    if let largest = quirks.largestList { ids = Array(ids.prefix(largest)) }
    let list = JSONText.string(ids.map { String($0) }.joined(separator: ","))
    let isBare = quirks.hasBareSingleIDs && ids.count == 1
    return (isSaved ? "saved_item_ids" : "unread_item_ids", isBare ? .number(ids[0]) : list)
  }

  /// Nil where the call fails.
  private func items(
    _ parameters: WireParameters, _ library: GoogleReaderModel, _ faults: [GoogleReaderFault]
  ) -> [(String, JSONText)]? {
    var items: [GoogleReaderModel.Item]
    if let list = parameters["with_ids"] {
      let ids = list.split(separator: ",").compactMap { Int64($0) }
      if quirks.failsOnUnknownItems, ids.contains(where: { library[$0] == nil }) { return nil }
      items = ids.compactMap { library[$0] }
    } else if let id = parameters["max_id"].flatMap({ Int64($0) }) {
      items = library.items(in: .all).filter { $0.id < id }.sorted { $0.id > $1.id }
    } else {
      let id = parameters["since_id"].flatMap { Int64($0) } ?? 0
      items = library.items(in: .all).filter { $0.id > id }.sorted { $0.id < $1.id }
    }
    items = Array(items.prefix(quirks.itemsPerPage))
    if faults.contains(.truncatedPage) { items = Array(items.prefix((items.count + 1) / 2)) }
    if quirks.omitsEmptyItems, items.isEmpty { return [] }
    return [
      ("total_items", .number(Int64(library.items.count))),
      ("items", .array(items.map { item($0, library) })),
    ]
  }

  private func item(
    _ item: GoogleReaderModel.Item, _ library: GoogleReaderModel
  ) -> JSONText {
    let state = library.states[item.id] ?? GoogleReaderModel.State()
    return .object([
      ("id", quirks.hasTextIDs ? .string(String(item.id)) : .number(item.id)),
      ("feed_id", .number(library.feed(item.feed)?.number ?? 0)), ("title", .string(item.title)),
      ("author", .string(item.author)), ("html", .string(item.html)), ("url", .string(item.url)),
      ("is_saved", .number(state.isStarred ? 1 : 0)), ("is_read", .number(state.isRead ? 1 : 0)),
      ("created_on_time", .number(item.published)),
    ])
  }

  // MARK: - Marks

  /// False for an article that is not there, where the server says so.
  private mutating func mark(
    _ parameters: WireParameters, _ user: String, _ faults: [GoogleReaderFault]
  ) -> Bool {
    guard parameters["mark"] == "item", var library = users[user]?.library else { return true }
    var ids = parameters["id"].flatMap { Int64($0) }.map { [$0] } ?? []
    if quirks.version >= 4, let list = parameters["with_ids"] {
      ids = list.split(separator: ",").compactMap { Int64($0) }
    }
    if quirks.refusesUnknownMarks, ids.contains(where: { library[$0] == nil }) { return false }
    if faults.contains(.halfMark) { ids = Array(ids.prefix((ids.count + 1) / 2)) }
    switch parameters["as"] {
    case "read": library.mark(ids, adding: [.read])
    case "unread": library.mark(ids, adding: [], removing: [.read])
    case "saved", "unsaved":
      for id in ids {
        let isSet =
          quirks.togglesSaved
          ? library.states[id]?.isStarred == false : parameters["as"] == "saved"
        library.mark([id], adding: isSet ? [.starred] : [], removing: isSet ? [] : [.starred])
      }
    default: break
    }
    users[user]?.library = library
    return true
  }
}
