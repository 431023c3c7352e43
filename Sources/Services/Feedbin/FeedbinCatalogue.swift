internal import Foundation
internal import HTTP
internal import News
internal import Text

/// Routes of Feedbin's API, below `/v2`.
enum FeedbinCatalogue {
  typealias List<Value: Decodable> = [LooseEntry<Value>]

  static func authentication() -> Endpoint<Void> {
    Endpoint(empty: .get, ["authentication.json"])
  }

  /// All ids in one answer.
  static func unread() -> Endpoint<[Int64]> {
    Endpoint(reading: [Int64].self, ["unread_entries.json"], "a list of ids") { $0 }
  }

  static func starred() -> Endpoint<[Int64]> {
    Endpoint(reading: [Int64].self, ["starred_entries.json"], "a list of ids") { $0 }
  }

  /// Entries that have arrived since a moment, the newest first.
  static func arrivals(since: Date, page: Int, limit: Int) -> Endpoint<FeedbinPage> {
    let query = [
      "since": moment(since), "page": String(page), "per_page": String(limit),
    ]
    return Endpoint(.get, ["entries.json"], query: query, headers: accept) { response in
      FeedbinPage(
        list: try SyncAnswer.json(
          List<FeedbinWire.Entry>.self, in: response, "a page of articles"),
        // Feedbin writes `Links`, RFC 8288 `Link`.
        hasNext: ["Links", "Link"].contains {
          response.head.headers[$0]?.contains("rel=\"next\"") == true
        })
    }
  }

  static func entries(_ ids: [Int64]) -> Endpoint<List<FeedbinWire.Entry>> {
    Endpoint(
      reading: List<FeedbinWire.Entry>.self, ["entries.json"], "articles",
      [
        "ids": ids.map { String($0) }.joined(separator: ","), "per_page": String(ids.count),
        "include_enclosure": "true",
      ]
    ) { $0 }
  }

  static func subscriptions() -> Endpoint<List<FeedbinWire.Subscription>> {
    Endpoint(
      reading: List<FeedbinWire.Subscription>.self, ["subscriptions.json"], "the list of feeds"
    ) { $0 }
  }

  static func taggings() -> Endpoint<List<FeedbinWire.Tagging>> {
    Endpoint(reading: List<FeedbinWire.Tagging>.self, ["taggings.json"], "the list of folders") {
      $0
    }
  }

  // MARK: - Writes

  /// Removing has its own POST route: some proxies drop the body of a DELETE.
  static func setUnread(_ ids: [Int64], _ isUnread: Bool) throws -> Endpoint<Void> {
    try write(
      isUnread ? ["unread_entries.json"] : ["unread_entries", "delete.json"],
      ["unread_entries": ids])
  }

  static func setStarred(_ ids: [Int64], _ isStarred: Bool) throws -> Endpoint<Void> {
    try write(
      isStarred ? ["starred_entries.json"] : ["starred_entries", "delete.json"],
      ["starred_entries": ids])
  }

  /// Where there are several feeds, nothing is subscribed to: the answer is a list of them (300).
  static func subscribe(to url: String) throws -> Endpoint<Void> {
    let form = try write(["subscriptions.json"], ["feed_url": url])
    return Endpoint(.post, form.path, body: form.body) { response in
      guard response.head.status != 300 else {
        throw SyncProblem(
          message: "finds several feeds at this address",
          next: "add the one that is meant by its own address", status: 422)
      }
    }
  }

  static func unsubscribe(_ subscription: Int64) -> Endpoint<Void> {
    Endpoint(empty: .delete, ["subscriptions", "\(subscription).json"])
  }

  static func rename(_ subscription: Int64, _ title: String) throws -> Endpoint<Void> {
    try write(
      ["subscriptions", String(subscription), "update.json"], ["title": title])
  }

  static func addTagging(_ feed: Int64, _ name: String) throws -> Endpoint<Void> {
    try write(["taggings.json"], FeedbinWire.NewTagging(feed_id: feed, name: name))
  }

  static func removeTagging(_ id: Int64) -> Endpoint<Void> {
    Endpoint(empty: .delete, ["taggings", "\(id).json"])
  }

  /// Whether the server leads to something it has (302), or to a choice of feeds (300).
  static func isKnown(_ response: HTTPResponse) -> Bool {
    (response.head.becameGet || [300, 302].contains(response.head.status))
      && SyncAnswer.isJSON(response)
  }

  private static let accept: HTTPHeaders = ["Accept": "application/json"]

  /// The server requires a charset in the content type.
  private static func write(_ path: [String], _ body: some Encodable) throws -> Endpoint<Void> {
    var body = try HTTPBody.json(body)
    body.contentType = "application/json; charset=utf-8"
    return Endpoint(empty: .post, path, body: body)
  }

  /// With the six decimals that the server compares.
  private static func moment(_ date: Date) -> String {
    let seconds = date.timeIntervalSince1970
    let whole = Date(timeIntervalSince1970: seconds.rounded(.down))
    let micros = Int((seconds - seconds.rounded(.down)) * 1_000_000)
    return whole.formatted(.iso8601).dropLast() + ".\(String(zeroPadded: micros, to: 6))Z"
  }
}

struct FeedbinPage: Sendable {
  var list: FeedbinCatalogue.List<FeedbinWire.Entry>
  var hasNext: Bool
}
