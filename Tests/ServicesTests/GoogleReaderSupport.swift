internal import FeedServer
internal import Foundation
internal import HTTP
internal import News
internal import Services
internal import Testing

/// A product with the dialect of its server.
struct ReaderCase: Sendable, CustomTestStringConvertible {
  var product: GoogleReaderProduct
  var quirks: GoogleReaderQuirks

  var testDescription: String { product.rawValue }

  static let all = [
    ReaderCase(product: .freshRSS, quirks: .freshRSS),
    ReaderCase(product: .miniflux, quirks: .miniflux),
    ReaderCase(product: .theOldReader, quirks: .theOldReader),
    ReaderCase(product: .bazQux, quirks: .bazQux),
    ReaderCase(product: .commaFeed, quirks: .commaFeed),
    ReaderCase(product: .inoreader, quirks: .inoreader),
    ReaderCase(product: .other, quirks: .plain),
  ]
}

/// A library with two feeds, one of them in a folder. Half of the items are read, and every tenth is
/// starred. Ids of FreshRSS are the times of the crawl.
func readerLibrary(_ quirks: GoogleReaderQuirks, _ count: Int64 = 50) -> GoogleReaderModel {
  var library = GoogleReaderModel()
  let news = library.subscribe(
    to: "https://a.example/feed", title: "A & B", page: "https://a.example/", folders: ["News"])
  let tech = library.subscribe(to: "https://b.example/feed", title: "Tech")
  let start: Int64 = 1_773_000_000_000_000
  let ids = (1...count).map { number in
    switch quirks.product {
    case .freshRSS: start + number
    // Some of theirs are negative.
    case .bazQux: number.isMultiple(of: 3) ? -number : number
    default: number
    }
  }
  library.insert(
    zip(1...count, ids).map { number, id in
      GoogleReaderModel.Item(
        id: id, feed: number.isMultiple(of: 2) ? tech.stream : news.stream,
        title: "Item <\(number)>", url: "https://a.example/\(number)", author: "Ada",
        html: "<p>Text \(number) <a href='/x'>x</a></p>",
        published: start / 1_000_000 - count + number, crawled: start + number,
        files: number == 1
          ? [GoogleReaderModel.File(url: "https://a.example/1.mp3", type: "audio/mpeg", length: 9)]
          : [],
        categories: ["swift"])
    })
  library.mark(ids.enumerated().filter { $0.offset % 2 == 0 }.map(\.element), adding: [.read])
  library.mark(ids.enumerated().filter { $0.offset % 10 == 0 }.map(\.element), adding: [.starred])
  return library
}

/// Runs the body against a server of the Google Reader API, with a user who is not signed in yet.
func withReader(
  _ item: ReaderCase, items: Int64 = 50, password: String = "secret",
  tokens: SyncTokenStore = .inMemory(),
  _ change: (inout GoogleReaderClient.Settings) -> Void = { _ in },
  _ body: (GoogleReaderServer, GoogleReaderClient) async throws -> Void
) async throws {
  let server = GoogleReaderServer(item.quirks, clock: { now })
  server.addUser("ada", password: "secret", library: readerLibrary(item.quirks, items))
  try await server.whileServing { server in
    var settings = GoogleReaderClient.Settings(
      SyncServerSettings(base: server.apiURL, user: "ada"), product: item.product)
    if let (id, key) = item.quirks.applicationKey {
      settings.application = { GoogleReaderApplication(id: id, key: key) }
    }
    change(&settings)
    let client = GoogleReaderClient(
      settings, client: readerHTTP(), password: { password }, tokens: tokens)
    try await body(server, client)
  }
}

/// Tries once.
func readerHTTP(_ attempts: Int = 1) -> ResilientClient {
  var policy = RetryPolicy()
  policy.maxAttempts = attempts
  var gate = OriginGate.Settings()
  gate.breaker.failuresToOpen = .max
  return ResilientClient(
    HTTPClient(transport: CurlTransport()), gate: OriginGate(gate),
    retries: RetryingSend(policy: policy))
}

extension GoogleReaderServer {
  /// How often a route was asked for.
  func count(_ route: String) -> Int { requests.filter { $0.path.hasSuffix(route) }.count }

  var model: GoogleReaderModel { library(of: "ada") }
}

extension GoogleReaderIDSet {
  var numbers: Set<Int64> { Set(ids.compactMap(\.number)) }
}

extension GoogleReaderItemID {
  /// Nil for an id that is no number.
  var number: Int64? { Int64(text) }
}

extension GoogleReaderIDQuery {
  static let all = GoogleReaderIDQuery(.readingList)
}

extension GoogleReaderClient {
  /// All ids of a query.
  func ids(of query: GoogleReaderIDQuery, pageSize: Int? = nil) async throws -> GoogleReaderIDSet {
    let size = pageSize ?? product.idsPerPage
    var walk = GoogleReaderIDWalk(of: product, pageSize: size)
    var step = walk.begin()
    while true {
      switch step {
      case .end(let set): return set
      case .ask(let continuation):
        step = walk.received(try await idPage(of: query, count: size, after: continuation))
      }
    }
  }

  func items(_ ids: [GoogleReaderItemID]) async throws -> ItemBatch {
    try await items(ids.map(\.text))
  }
}

/// The ids of a model as the client has them.
func readerIDs(_ ids: some Sequence<Int64>, _ quirks: GoogleReaderQuirks) -> Set<String> {
  Set(
    ids.map { id in
      guard quirks.ids == .objectIDs else { return String(id) }
      let digits = String(UInt64(bitPattern: id), radix: 16)
      return "5fd1c0de" + String(repeating: "0", count: 16 - digits.utf8.count) + digits
    })
}
