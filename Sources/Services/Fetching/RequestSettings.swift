internal import HTTP
internal import News
internal import Text

/// The user's settings for the requests of one feed.
struct RequestSettings: Sendable {
  /// Instead of the program's own name, to every server.
  private let userAgent: String?
  /// Instead of a request's own.
  private let headers: [RequestHeader]
  /// The address whose server gets the headers; nil for every server.
  private let home: String?

  init() { (userAgent, headers, home) = (nil, [], nil) }

  /// - Parameter home: the feed's address: files and older pages at other servers are requested
  ///   without the headers. Nil for a search at a typed address.
  init(_ settings: FeedSettings, home: String?) {
    (userAgent, headers) = (settings.userAgent, settings.headers)
    self.home = home
  }

  var hasHeaders: Bool { !headers.isEmpty }

  func apply(to request: inout HTTPRequest) {
    if let userAgent { request.headers["User-Agent"] = userAgent }
    guard home.map({ WebAddress.isAtServer(of: $0, request.url) }) ?? true else { return }
    for header in headers { request.headers[header.name] = header.value }
    request.serverHeaders += headers.map(\.name)
  }
}
